"""Sections: under which heading each paragraph stands, as it goes into a release."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.cleaning.clean import CleanText
from pipeline.layout.printed_paragraph import PrintedParagraph

_OUTSIDE = ("title", "front")
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,5}|[IVX]{1,4}|[A-Z](?:\.\d{1,2}){0,5})\.?\s+\S")


@dataclass(frozen=True)
class SectionHeading:
    """A section's heading as printed, and the number before it (without a final stop).

    Both are None before the first heading. `place` is the heading's among the paragraphs: an abstract and a
    paper may both have "Results".
    """

    place: int
    number: str | None
    title: str | None


@dataclass(frozen=True)
class FinishedParagraph:
    """A paragraph's kind, whether no reader sees it, its text with its printed lines, and its section.

    `anchor` is its place in the markup that gave its text; None where the page did. `hidden_by` is what hides
    it, as `PrintedParagraph` says it.
    """

    kind: str
    hidden: bool
    clean: CleanText
    section: SectionHeading
    anchor: str | None = None
    hidden_by: str | None = None

    @property
    def page(self) -> int:
        """The page on which it begins; 0 where no page prints it."""
        return self.clean.lines[0].line.page if self.clean.lines else 0

    @property
    def page_end(self) -> int:
        """The page on which it ends; 0 where no page prints it."""
        return max([one.line.page for one in self.clean.lines], default=0)


NOWHERE = SectionHeading(-1, None, None)  # The section of what stands before the first heading.


def section_of(place: int, heading: str) -> SectionHeading:
    """Return the section that a heading begins, the one at `place` among the paragraphs."""
    match = _NUMBER.match(heading)
    return SectionHeading(place, match[1] if match else None, heading)


def sections(paragraphs: Sequence[tuple[PrintedParagraph, str]]) -> list[SectionHeading]:
    """Return the section of each paragraph of a document, given with its text; a heading is under itself."""
    out: list[SectionHeading] = []
    current = NOWHERE
    outside = NOWHERE  # the section of the text around a box
    for place, (paragraph, text) in enumerate(paragraphs):
        if paragraph.boxed:
            outside = current if place == 0 or not paragraphs[place - 1][0].boxed else outside
        elif place and paragraphs[place - 1][0].boxed:
            current = outside
        if paragraph.kind == "heading":
            current = section_of(place, text)
        out.append(NOWHERE if paragraph.kind in _OUTSIDE else current)
    return out
