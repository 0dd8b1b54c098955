"""What a corpus tells about its papers: the papers themselves, their pages, their headings."""

from dataclasses import asdict, dataclass
from typing import Any


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
