"""Sections: under which heading each paragraph stands."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from pipeline.layout.headings import ABSTRACT
from pipeline.layout.measures import FRONT_PAGES, SAME_PRINT
from pipeline.layout.printed_paragraph import PrintedParagraph

_OUTSIDE = ("title", "front")
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,5}|[IVX]{1,4}|[A-Z](?:\.\d{1,2}){0,5})\.?\s+\S")
_ABSTRACT_LENGTH = 150  # flat
"""Characters, at least, of an abstract without a heading."""


@dataclass(frozen=True)
class SectionHeading:
    """A section's heading as printed, and the number before it (without a final stop).

    Both are None before the first heading; an abstract without a heading is called "Abstract". `place` is
    the heading's among the paragraphs: an abstract and a paper may both have "Results".
    """

    place: int
    number: str | None
    title: str | None


NOWHERE = SectionHeading(-1, None, None)  # The section of what stands before the first heading.


def section_of(place: int, heading: str) -> SectionHeading:
    """Return the section that a heading begins, the one at `place` among the paragraphs."""
    match = _NUMBER.match(heading)
    return SectionHeading(place, match[1] if match else None, heading)


def sections(paragraphs: Sequence[tuple[PrintedParagraph, str]]) -> list[SectionHeading]:
    """Return the section of each paragraph of a document, given with its text; a heading is under itself."""
    out: list[SectionHeading] = []
    current = main = NOWHERE
    usual = _usual_size(paragraphs)
    apart = False  # whether the text of the current section is set larger or smaller than most
    abstract = _unnamed_abstract(paragraphs)
    outside = NOWHERE  # the section of the text around a box
    for place, (paragraph, text) in enumerate(paragraphs):
        if paragraph.boxed:
            outside = current if place == 0 or not paragraphs[place - 1][0].boxed else outside
        elif place and paragraphs[place - 1][0].boxed:
            current = outside
        if paragraph.kind == "heading":
            current = section_of(place, text)
            apart = False
        elif paragraph.kind == "body" and len(text) >= _ABSTRACT_LENGTH and paragraph.page <= FRONT_PAGES:
            if abs(paragraph.size - usual) >= SAME_PRINT * usual:
                apart = True
            elif apart:  # an abstract or a box is above, and the paper goes on without a heading
                current, apart = main, False
            main = main if apart else current
        if place in abstract:
            out.append(SectionHeading(-1, None, "Abstract"))
        else:
            out.append(NOWHERE if paragraph.kind in _OUTSIDE else current)
    return out


def _usual_size(paragraphs: Sequence[tuple[PrintedParagraph, str]]) -> float:
    """Return the font size of most of the text, points."""
    characters: Counter[float] = Counter()
    for paragraph, text in paragraphs:
        if paragraph.kind == "body":
            characters[paragraph.size] += len(text)
    return max(characters, key=lambda size: (characters[size], size), default=0.0)


def _unnamed_abstract(paragraphs: Sequence[tuple[PrintedParagraph, str]]) -> range:
    """Return the places of the abstract where it has no heading and stands before the first one."""
    if not any(paragraph.kind == "title" for paragraph, _ in paragraphs):
        return range(0)
    heading = next((at for at, (one, _) in enumerate(paragraphs) if one.kind == "heading"), 0)
    if any(
        ABSTRACT.fullmatch(text)
        for one, text in paragraphs
        if one.kind == "heading" and one.page <= FRONT_PAGES
    ):
        return range(0)
    body = [
        at
        for at in range(heading)
        if paragraphs[at][0].kind == "body" and paragraphs[at][0].page <= FRONT_PAGES
    ]
    if not body or len(paragraphs[body[0]][1]) < _ABSTRACT_LENGTH:
        return range(0)
    first = body[0]
    alike = list(takewhile(lambda at: _alike(paragraphs[first][0], paragraphs[at][0]), body))
    return (
        range(first, alike[-1] + 1) if len(alike) < len(body) or len(alike) == 1 else range(first, first + 1)
    )


def _alike(one: PrintedParagraph, other: PrintedParagraph) -> bool:
    return abs(one.size - other.size) < SAME_PRINT * other.size and one.bold == other.bold
