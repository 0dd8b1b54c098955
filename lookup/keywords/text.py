"""A text to search: its paragraphs, where in a paper they are, and where keywords stand in it."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from lookup.keywords.bare import Bare, bare
from lookup.keywords.keywords import Keyword
from lookup.keywords.occurrences import spans_of
from lookup.text.scripts import WORD


class Place(NamedTuple):
    """Where in a paper something stands; all None in a plain text."""

    page: int | None = None
    page_label: str | None = None
    section_number: str | None = None
    section_title: str | None = None
    kind: str | None = None


class Hit(NamedTuple):
    """Where a keyword (by its number) stands: a span of the text, and the paragraph of its beginning.

    `last` is whether that is one to be named last: of references, or furniture.
    """

    start: int
    end: int
    keyword: int
    weight: float
    paragraph: int
    last: bool


def _nowhere(_: int) -> Place:
    return Place()


@dataclass(frozen=True, eq=False)
class SearchText:
    """A text whose paragraphs begin at `borders`; `last` are the numbers of those that are named last, `place` tells where an offset is."""

    text: str
    borders: Sequence[int]
    key: str | None = None
    last: frozenset[int] = frozenset()
    place: Callable[[int], Place] = field(default=_nowhere, repr=False)

    @cached_property
    def bare(self) -> Bare:
        """The text as it is searched."""
        return bare(self.text)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """All words of the bare text: those with hyphens as one, and their parts."""
        return frozenset(WORD.findall(self.bare.text)) | frozenset(WORD.findall(self.bare.parts()))

    def hits(self, keywords: Sequence[Keyword]) -> list[Hit]:
        """Where the keywords stand within paragraphs, ascending; of forms of one keyword that overlap, that with the greatest weight."""
        found: list[Hit] = []
        for number, keyword in enumerate(keywords):
            mine: list[Hit] = []
            for form in keyword.forms:
                for place in spans_of(self.bare, form):
                    start, end = self.bare.span(*place)
                    paragraph = bisect_right(self.borders, start) - 1
                    if paragraph == bisect_right(self.borders, end - 1) - 1:
                        mine.append(Hit(start, end, number, form.weight, paragraph, paragraph in self.last))
            found += mine if len(keyword.forms) == 1 else _apart(mine)
        return sorted(found)


def _apart(hits: list[Hit]) -> list[Hit]:
    """The hits without those that overlap a weightier one."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda one: (one.start, -one.weight)):
        if kept and hit.start < kept[-1].end:
            if hit.weight > kept[-1].weight:
                kept[-1] = hit
        else:
            kept.append(hit)
    return kept
