"""The entries of a library, whatever its format: keys, files, metadata."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote


@dataclass(frozen=True)
class Metadata:
    """The metadata of a paper; None or () where a field is unknown.

    An author is 'Feng, Yijun', the von part with the family name ('van der Berg, Anna'), 'Jr.' last.
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    venue: str | None = None
    abstract: str | None = None


@dataclass(frozen=True)
class LibraryEntry:
    """An entry: its key in NFC, the absolute paths of its PDFs, which may be missing, and its metadata."""

    key: str
    files: tuple[Path, ...]
    metadata: Metadata


@dataclass(frozen=True)
class Bibliography:
    """The entries of a library in its order, no key twice, and a sentence for each problem in it."""

    entries: tuple[LibraryEntry, ...]
    problems: tuple[str, ...]


def normalised_doi(text: str) -> str | None:
    """Return the first DOI in `text`, lower-case, without resolver or punctuation after it; None without one.

    `text` may be a field of a library or the text of a page. The form is that of the DOI Handbook, section
    2.2: '10.', registrant, '/', suffix.
    """
    # The URL of a resolver may be percent-encoded; a DOI is not.
    match = _DOI.search(unquote(text))
    if match is None:
        return None
    doi = match.group().lower()
    while doi[-1] in _AFTER_DOI or doi.count(doi[-1]) > doi.count(_BRACKETS.get(doi[-1], doi[-1])):
        doi = doi[:-1]
    return None if doi.endswith("/") else doi


_DOI = re.compile(r'(?<![0-9.])10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s"“”{}]+')
_AFTER_DOI = frozenset(".,;:'’")
_BRACKETS = {")": "(", "]": "[", ">": "<"}


def year_in(text: str) -> int | None:
    """Return the first number of four digits: '2022', '2022-05-01', 'c. 1998'."""
    match = re.search(r"(?<![0-9])[0-9]{4}(?![0-9])", text)
    return int(match.group()) if match else None
