"""The papers of a corpus, their pages and their headings."""

from dataclasses import dataclass

from lookup.results.to_json import AsDict


@dataclass(frozen=True)
class PaperSummary(AsDict):
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


@dataclass(frozen=True)
class Page(AsDict):
    """A page of a paper: its size in PDF points as it is shown, and the source of its text.

    `source` is text, ocr, or empty for none.
    """

    page: int
    page_label: str | None
    width: float
    height: float
    source: str


@dataclass(frozen=True)
class Section(AsDict):
    """A heading of a paper: `level` is 1 for sections, 2 for those within them, by their numbers.

    `paragraph` and `cursor` are those of the heading itself.
    """

    level: int
    section_number: str | None
    section_title: str
    page: int
    page_label: str | None
    paragraph: int
    cursor: int
