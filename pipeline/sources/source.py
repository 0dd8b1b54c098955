"""A file to read, and a file that cannot become a paper."""

from dataclasses import dataclass
from pathlib import Path

from pipeline.libraries.entries import LibraryEntry, Metadata, normal_key
from pipeline.sources.article_texts import ArticleText

GENERIC_STEMS = frozenset({"paper", "main", "fulltext"})
"""File names (without suffix, in lower case) that say nothing: the key of such a PDF is its folder's name."""


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
