"""What a document says, as it is read: its running text, and where in the document each paragraph is."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.author_year import mark_citations
from pagequote.check.locators import Locator
from pagequote.check.quotation import Citation, Quotation
from pagequote.check.running_text import OURS, Quoted, RunningText, quotations


@dataclass(frozen=True)
class Landmark:
    """A paragraph of a document: where it begins, its number, page (None: not known) and heading."""

    start: int
    paragraph: int
    page: int | None
    heading: str

    def __str__(self) -> str:
        page = f"page {self.page}" if self.page else ""
        return ", ".join(filter(None, (page, f"“{self.heading}”" if self.heading else "")))


def landmark_at(landmarks: Sequence[Landmark], offset: int) -> Landmark:
    """Return the paragraph in which a character of the source is."""
    return landmarks[max(0, bisect_right(landmarks, offset, key=lambda one: one.start) - 1)]


ParagraphForm = Literal["", "heading", "quote", "indented"]
"""What a paragraph is: any, a heading, a block quotation by its style, or one that is set in."""

_HEADING = 120
"""Characters of a heading that are kept."""

_BLOCK = 20
"""Words of a paragraph that is set in, from which it may be a block quotation; style guides say 40."""

_FEW = 1 / 3
"""Share of paragraphs that are set in, up to which these are quotations; else it is the text's form."""


@dataclass
class DocumentText:
    """The text of a document so far. `page` counts the breaks that the word processor left."""

    flow: RunningText = field(default_factory=RunningText)
    landmarks: list[Landmark] = field(default_factory=list)
    works: dict[str, CitedWork] = field(default_factory=dict)
    page: int = 1
    paged: bool = False
    heading: str = ""
    paragraphs: int = 0
    indented: list[Quoted] = field(default_factory=list)

    @property
    def length(self) -> int:
        """Return the number of characters so far."""
        return len(self.flow.chars)

    def begin_paragraph(self, at: int) -> None:
        """Begin a paragraph, whose source begins at `at`; those of a note count as a part of theirs."""
        self.paragraphs += not self.flow.aside
        self.landmarks.append(Landmark(at, max(1, self.paragraphs), self.page, self.heading))

    def end_paragraph(self, began: int, at: int, form: "ParagraphForm") -> None:
        """End a paragraph whose first character is number `began`."""
        quoted = Quoted(began, self.length, "block quote", block=True)
        words = self.flow.words(began).text.split()
        if form == "heading":
            self.heading = " ".join(words)[:_HEADING]
        elif form == "quote" and words:
            self.flow.quoted.append(quoted)
        elif form == "indented" and len(words) >= _BLOCK:
            self.indented.append(quoted)
        self.flow.add("\n\n", at, at)

    def add(self, text: str, start: int, end: int) -> None:
        """Add characters that the source writes as `source[start:end]`."""
        self.flow.add(text.translate(OURS), start, end)

    def break_page(self) -> None:
        """Go to the next page."""
        self.paged = True
        self.page += 1

    def cite(
        self, began: int, cited: Sequence[tuple[CitedWork, Locator | None]], start: int, end: int
    ) -> None:
        """Put a citation of works, each with its pages, in place of the characters from number `began` on.

        They stay as they are if nothing is cited.
        """
        if not cited:
            return
        flow = self.flow
        flow.forget(began)
        self.works |= {work.name: work for work, _ in cited}
        each = tuple((work.name, locator) for work, locator in cited)
        flow.cite(Citation(tuple(dict(each)), each[0][1], start, end, each=each))

    def note(self, other: "DocumentText") -> None:
        """Add a note, which is written elsewhere, where the text refers to it."""
        flow, note = self.flow, other.flow
        flow.citations |= {self.length + place: one for place, one in note.citations.items()}
        flow.chars += note.chars
        flow.spans += note.spans
        flow.asides += [True] * len(note.chars)
        self.works |= other.works
        self.landmarks += [
            replace(one, paragraph=max(1, self.paragraphs), page=self.page, heading=self.heading)
            for one in other.landmarks
        ]

    def finish(self) -> tuple[list[Quotation], list[Landmark], dict[str, CitedWork]]:
        """Return the quotations, the paragraphs in the order of the source, and the works that are cited."""
        if len(self.indented) <= _FEW * self.paragraphs:
            self.flow.quoted = sorted([*self.flow.quoted, *self.indented], key=lambda one: one.start)
        flow, named = mark_citations(self.flow)
        landmarks = sorted(self.landmarks, key=lambda one: one.start)
        if not self.paged:
            landmarks = [replace(one, page=None) for one in landmarks]
        return quotations(flow, straight=True), landmarks, named | self.works
