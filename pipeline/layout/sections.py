"""Which section each paragraph stands in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from pipeline.layout.headings import ABSTRACT
from pipeline.layout.printed_paragraph import PrintedParagraph

_OUTSIDE = ("title", "front")
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,4}|[A-Z](?:\.\d{1,2})?)\.?\s+\S")
_LONG = 150
"""Characters of a paragraph that can be an abstract."""


@dataclass(frozen=True)
class SectionHeading:
    """A section by its heading: the number printed before it (without a final stop), and the whole heading as printed.

    Both are None before the first heading; an abstract without a heading is called "Abstract". `place` counts the headings: an
    abstract and a paper may both have "Results".
    """

    place: int
    number: str | None
    title: str | None


def sections(paragraphs: Sequence[tuple[PrintedParagraph, str]]) -> list[SectionHeading]:
    """The section of each of a document's paragraphs, given with their texts; a heading stands under itself."""
    out: list[SectionHeading] = []
    current = nowhere = SectionHeading(0, None, None)
    abstract = _unnamed_abstract(paragraphs)
    for place, (paragraph, text) in enumerate(paragraphs):
        if paragraph.kind == "heading":
            match = _NUMBER.match(text)
            current = SectionHeading(current.place + 1, match[1] if match else None, text)
        if place in abstract:
            out.append(SectionHeading(0, None, "Abstract"))
        else:
            out.append(nowhere if paragraph.kind in _OUTSIDE else current)
    return out


def _unnamed_abstract(paragraphs: Sequence[tuple[PrintedParagraph, str]]) -> range:
    """The places of the abstract that stands before the first heading of a paper with headings, but with none for its abstract."""
    if not any(paragraph.kind == "title" for paragraph, _ in paragraphs):
        return range(0)
    heading = next((at for at, (one, _) in enumerate(paragraphs) if one.kind == "heading"), 0)
    if any(ABSTRACT.fullmatch(text) for one, text in paragraphs if one.kind == "heading" and one.page <= 2):
        return range(0)
    body = [at for at in range(heading) if paragraphs[at][0].kind == "body" and paragraphs[at][0].page <= 2]
    if not body or len(paragraphs[body[0]][1]) < _LONG:
        return range(0)
    first = body[0]
    alike = list(takewhile(lambda at: _alike(paragraphs[first][0], paragraphs[at][0]), body))
    return (
        range(first, alike[-1] + 1) if len(alike) < len(body) or len(alike) == 1 else range(first, first + 1)
    )


def _alike(one: PrintedParagraph, other: PrintedParagraph) -> bool:
    return abs(one.size - other.size) < 0.3 and one.bold == other.bold
