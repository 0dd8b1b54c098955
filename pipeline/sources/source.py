"""A file to read, and a file that cannot become a paper.

The publisher's XML of a PDF gives its text, and the PDF shows where that is printed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import open_file
from pipeline.formats import BESIDE, LARGEST, format_of, is_article
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

    `library` names it by one of its entries; without one, the key is its name's (see `name_sources`). `text`
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


def article_texts(files: Mapping[str, Path], keys: Mapping[str, str]) -> dict[str, Path]:
    """Return the XML of each PDF that has one: with its name beside it, else with its entry's key.

    `files` are the paths of sources, and `keys` those of their entries, by real path.
    """
    of_key: dict[str, Path] = {}
    for file, key in sorted(keys.items()):
        if files[file].suffix.lower() in BESIDE and _holds_article(files[file]):
            of_key.setdefault(key, files[file])
    found = {}
    for file, path in files.items():
        if format_of(path) == "pdf" and not isinstance(path, ObjectPath):
            text = _beside(path) or of_key.get(keys.get(file, ""))
            if text is not None:
                found[file] = text
    return found


def _beside(path: Path) -> Path | None:
    """Return the XML that lies beside the PDF and has its name."""
    stem = str(path).removesuffix(path.suffix)
    return next(filter(_holds_article, (Path(stem + suffix) for suffix in BESIDE)), None)


def _holds_article(path: Path) -> bool:
    try:
        with open_file(path, LARGEST) as file:
            return is_article(file)
    except OSError:
        return False  # as a source of its own it is rejected where it is read
