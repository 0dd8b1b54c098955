"""The papers of a corpus, their pages and their headings."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from lookup.results.answer import AsDict
from lookup.storage.object_path import place


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

    @property
    def cited(self) -> str:
        """Its authors and year as texts cite it: "Fan & Li, 2021"; '' without both."""
        return author_and_year(self.authors, self.year)

    def named(self, name: str, *, by_key: bool = False) -> str:
        """Return a sentence that says that `name` is taken for this paper.

        With `by_key` it has no author and no title: for models, for which these may hold orders.
        """
        from lookup.text.printable import on_one_line  # a quote does without  # noqa: PLC0415

        about = "" if by_key else ", ".join(filter(None, (self.cited, self.title)))
        return f"{on_one_line(name)!r} is taken as {self.key!r}{f' ({about})' if about else ''}."


def author_and_year(authors: tuple[str, ...], year: int | None) -> str:
    """Return 'Fan et al., 2021', 'Fan & Müller, 2021' or 'Fan, 2021'; '' where neither is known."""
    families = [author.partition(",")[0] for author in authors]
    names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
    return ", ".join(filter(None, (names, str(year or ""))))


class Original(NamedTuple):
    """The file that a paper was read from, as the corpus knows it.

    `path` is absolute, or an `s3://` name, which is asked for only if it is `reachable`; `sha256` is that of
    the bytes that were read, hexadecimal.
    """

    key: str
    path: str
    sha256: str
    reachable: bool = True

    @property
    def place(self) -> Path:
        """Its path, an ObjectPath in object storage."""
        return place(self.path)


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
class PrintedWord(AsDict):
    """A word as a printed line has it, and its box in PDF points, from the page's upper left corner."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class PagePart(AsDict):
    """What a page prints of a paragraph: its text, its lines as words in boxes, and all pages that go on."""

    paragraph: int
    kind: str
    text: str
    lines: tuple[tuple[PrintedWord, ...], ...]
    pages: tuple[int, ...]


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
