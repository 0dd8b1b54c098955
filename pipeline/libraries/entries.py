"""The entries of a library, whatever its format: keys, files, metadata."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote

from lookup.storage.object_path import ObjectPath, place
from lookup.text.printable import on_one_line, printable


@dataclass(frozen=True)
class Metadata:
    """The metadata of a paper; None or () where a field is unknown.

    An author is 'Feng, Yijun', the von part with the family name ('van der Berg, Anna'), 'Jr.' last. Control
    characters and the like, which could act where a text is shown, are replaced (`printable`).
    """

    title: str | None = None
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    venue: str | None = None
    abstract: str | None = None

    def __post_init__(self) -> None:
        """Make all texts harmless, and all but the abstract one line."""
        for name in ("title", "doi", "venue"):
            if text := getattr(self, name):
                object.__setattr__(self, name, on_one_line(text))
        object.__setattr__(self, "authors", tuple(map(on_one_line, self.authors)))
        if self.abstract:
            object.__setattr__(self, "abstract", printable(self.abstract))


@dataclass(frozen=True)
class LibraryEntry:
    """An entry: its key (`normal_key`), the absolute paths of its PDFs, which may be missing; metadata.

    `arxiv` is its identifier at arXiv, without the version. `library` holds it; one that `adds` is a source
    itself, and so are the files of its entries.
    """

    key: str
    files: tuple[Path, ...]
    metadata: Metadata
    arxiv: str | None = None
    library: Path = Path()
    adds: bool = False


@dataclass(frozen=True)
class Bibliography:
    """The entries of a library in its order, no key twice, and a sentence for each problem in it."""

    entries: tuple[LibraryEntry, ...]
    problems: tuple[str, ...]


def collected(found: Iterable[tuple[str, LibraryEntry | None, Sequence[str]]]) -> Bibliography:
    """Return the entries of a library, each with its place and what is wrong with it, halves of sentences.

    An entry without a key, or with that of an entry above, is left out, and so is a file that cannot be.
    """
    entries: dict[str, LibraryEntry] = {}
    problems: list[str] = []
    for place_of, entry, known in found:
        causes = list(known)
        if entry is not None and not entry.key:
            causes.append("it has no key, and is left out. Give it one")
        elif entry is not None and entry.key in entries:
            causes.append("an entry above has the same key; this one is left out. Give it another key")
        elif entry is not None:
            files = tuple(file for file in entry.files if "\0" not in str(file))
            if files != entry.files:
                causes.append("the name of a file has a null character, and it is left out. Name it anew")
            entries[entry.key] = replace(entry, files=files)
        problems += [f"{place_of}: {cause}." for cause in causes]
    return Bibliography(tuple(entries.values()), tuple(problems))


def normal_key(text: str) -> str:
    """Return a key as a corpus has it: in NFC, on one line, without what could act where it is shown."""
    return unicodedata.normalize("NFC", on_one_line(text))


def file_named(name: str, folder: Path) -> Path:
    """Return the absolute path, or the address, that a library in `folder` means by a name."""
    path = Path(name).expanduser() if name.startswith("~/") else place(name)
    return path if path.is_absolute() or isinstance(path, ObjectPath) else folder / path


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


def arxiv_in(text: str) -> str | None:
    """Return the first arXiv identifier in `text` that is marked as one (arXiv:..., a URL, a DOI)."""
    match = _MARKED_ARXIV.search(text)
    return match[1].lower() if match else None


ARXIV = r"(\d\d(?:0[1-9]|1[0-2])\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?"
"""An arXiv identifier, of either form, its version left out
(https://info.arxiv.org/help/arxiv_identifier.html)."""

_MARKED_ARXIV = re.compile(rf"arxiv(?:\.org/(?:abs|pdf|html)/|[:.]\s?){ARXIV}", re.IGNORECASE)


def year_in(text: str) -> int | None:
    """Return the first number of four digits: '2022', '2022-05-01', 'c. 1998'."""
    match = re.search(r"(?<![0-9])[0-9]{4}(?![0-9])", text)
    return int(match.group()) if match else None
