"""A file to read, and a file that cannot become a paper.

The publisher's XML of a PDF gives its text, and the PDF shows where that is printed.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from pipeline.libraries.entries import LibraryEntry, Metadata, normal_key

GENERIC_STEMS = frozenset({"paper", "main", "fulltext"})
"""File names (without suffix, in lower case) that say nothing: the key of such a PDF is its folder's name."""


@dataclass(frozen=True)
class ArticleText:
    """The publisher's XML of a PDF: its absolute path and its SHA-256 (hexadecimal)."""

    path: Path
    sha256: str

    @property
    def stamp(self) -> str:
        """What names it in an extraction: one of the same PDF with another text is another reading."""
        return f"{TEXT}{self.sha256[:16]}"


TEXT = "text-"  # Begins the stamp of an ArticleText.


@dataclass(frozen=True)
class Source:
    """A file to read: its key (NFC), absolute path, SHA-256 (hexadecimal), size, and library's metadata.

    `library` names it by one of its entries; without one, the key is its name's (see `names`). `text`
    is the XML that gives the text of a PDF, None where the PDF does.
    """

    key: str
    path: Path
    sha256: str
    bytes: int
    metadata: Metadata
    library: Path | None = None
    text: ArticleText | None = None

    @property
    def text_stamp(self) -> str:
        """The stamp of its text, '' where the PDF gives it."""
        return self.text.stamp if self.text else ""


@dataclass(frozen=True)
class Rejected:
    """A source that cannot become a paper: a row of `failures`, stage 'sources'.

    `reason` is 'unreadable', 'unreadable name', 'empty file', 'missing file' (an entry of a library names
    it), 'duplicate key' (another file has it), 'duplicate entry' (another entry names the file), 'added' (see
    added.with_added), 'broken entry' (`path` is the library, the key '') or 'no PDF'. `sha256` is None
    where nothing was read. `entry` is an entry without a PDF, which the content of one may still be.
    """

    path: Path
    key: str
    sha256: str | None
    reason: str
    detail: str
    entry: LibraryEntry | None = None


NO_PDF = "no PDF"  # Reasons that are no failure: an entry without a PDF, a PDF without an entry.


def own_key(path: Path, *, in_own_folder: bool = True) -> str:
    """Return the key that the file's name gives; its folder's, where the name is generic."""
    generic = path.stem.lower() in GENERIC_STEMS and in_own_folder
    return normal_key(path.parent.name if generic and path.parent.name else path.stem)


_AUTHOR_YEAR_TITLE = re.compile(
    r"(?P<authors>[^\W\d_][^\d]{0,200}?) +[-–] +(?P<year>(?:1[5-9]|20)\d\d)[a-z]? +[-–] +(?P<title>\S.*)"
)
_ET_AL = re.compile(r",? (?:et al\.?|u\. ?a\.|y otros|e altri|и др\.|等)\Z")
_BETWEEN = re.compile(r" (?:and|und|et|y|e|&) |, ")


def metadata_of_name(stem: str) -> Metadata:
    """Return the authors' family names, year and title of "Author - Year - Title", as Zotero names files.

    Any other name tells nothing.
    """
    named = _AUTHOR_YEAR_TITLE.fullmatch(stem)
    if named is None:
        return Metadata()
    authors = _BETWEEN.split(_ET_AL.sub("", named["authors"]))
    return Metadata(named["title"], tuple(authors), int(named["year"]))


def told_in_order(rejected: Iterable[Rejected]) -> list[Rejected]:
    """Return the rejects as they are told: by path."""
    return sorted(rejected, key=attrgetter("path", "key", "reason", "detail"))
