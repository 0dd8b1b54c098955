"""What a corpus holds: its papers, and the pages and sections of each."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lookup.errors import QueryError
from lookup.papers.original_pdf import Original
from lookup.papers.reader import Reader

_PAPER = (
    "key", "title", "authors", "year", "doi", "venue", "pages", "paragraphs", "empty_pages < pages AS covered",
)  # fmt: skip

_NAMED = "concat_ws(' ', key, title, array_to_string(authors, ' '), year, doi, venue)"

_HELD = f"contains(strip_accents(lower({_NAMED})), strip_accents(lower(?)))"

_NUMBERED = re.compile(r"[\dA-Za-z]+(?:\.\d+)*")
"""A section number with a part for each level: "2", "2.1", "A.3", "IV"."""


@dataclass(frozen=True)
class PaperSummary:
    """A paper of the corpus. `covered` is false where no page has text: then no quote of it can be judged."""

    key: str
    title: str | None
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    venue: str | None
    pages: int
    paragraphs: int
    covered: bool

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self) | {"authors": list(self.authors)}


@dataclass(frozen=True)
class Page:
    """A page of a paper: its size in PDF points as it is shown, and where its text is from (text, ocr, or empty for none)."""

    page: int
    page_label: str | None
    width: float
    height: float
    source: str

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


@dataclass(frozen=True)
class Section:
    """A heading of a paper: `level` is 1 for sections, 2 for those within them as far as their numbers tell.

    `paragraph` and `cursor` are where the heading itself stands.
    """

    level: int
    section_number: str | None
    section_title: str
    page: int
    page_label: str | None
    paragraph: int
    cursor: int

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


class CorpusPapers:
    """What a corpus tells about its papers."""

    _reader: Reader

    def papers(self, words: str = "", limit: int | None = None, offset: int = 0) -> tuple[PaperSummary, ...]:
        """The papers by key: those whose key, title, authors, year, DOI and venue together hold each of `words`, in part and whatever its case and accents.

        At most `limit` of them (None: all), from the `offset`th on. Raises QueryError.
        """
        if offset < 0 or (limit is not None and limit < 0):
            raise QueryError(f"limit ({limit}) and offset ({offset}) begin at 0.")
        asked = words.split()
        where = f"WHERE {' AND '.join([_HELD] * len(asked))}" if asked else ""
        query = f"SELECT {', '.join(_PAPER)} FROM papers {where} ORDER BY key LIMIT ? OFFSET ?"
        return tuple(_summary(row) for row in self._reader.select(query, [*asked, limit, offset]))

    def paper(self, key: str) -> PaperSummary:
        """The paper with this key; raises UnknownKeyError."""
        self._reader.page_count(key)  # raises for a key that is not there
        (row,) = self._reader.select(f"SELECT {', '.join(_PAPER)} FROM papers WHERE key = ?", [key])
        return _summary(row)

    def pages(self, key: str) -> tuple[Page, ...]:
        """The pages of a paper in order; raises UnknownKeyError."""
        self._reader.page_count(key)
        columns = "page, page_label, width, height, source"
        return tuple(
            Page(*row)
            for row in self._reader.select(f"SELECT {columns} FROM pages WHERE key = ? ORDER BY page", [key])
        )

    def original(self, key: str) -> Original:
        """The PDF that a paper was read from; raises UnknownKeyError."""
        self._reader.page_count(key)
        (row,) = self._reader.select("SELECT path, sha256 FROM papers WHERE key = ?", [key])
        return Original(key, *row)

    def outline(self, key: str) -> tuple[Section, ...]:
        """The headings of a paper in reading order; raises UnknownKeyError."""
        self._reader.page_count(key)
        columns = "section_number, coalesce(section_title, text), page, page_label, paragraph, cursor"
        rows = self._reader.select(
            f"SELECT {columns} FROM paragraphs WHERE key = ? AND kind = 'heading' ORDER BY paragraph", [key]
        )
        return tuple(Section(_level(row[0]), *row) for row in rows)


def _summary(row: Sequence[Any]) -> PaperSummary:
    key, title, authors, *rest = row
    return PaperSummary(key, title, tuple(authors or ()), *rest)


def _level(number: str | None) -> int:
    """How deep a section is, by its number: 2 for "2.1"; 1 where it has none."""
    if number is None or not _NUMBERED.fullmatch(number.strip(" .")):
        return 1
    return number.strip(" .").count(".") + 1
