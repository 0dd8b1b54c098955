"""Select the segments of the snippet: the best that fit, and their neighbours if there is room."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from itertools import pairwise

from lookup.text.sentences import sentence_spans
from retrieval.raw_text.graphemes import is_boundary
from retrieval.snippets.brackets import BRACKET, brackets_of
from retrieval.snippets.segments import Segment, adjacent

_TRIED = 40
"""Segments that are tried, the best first: in a long text hundreds hold a word of the query, and few fit."""

_SPACE = re.compile(r"\s+")

_LEAST = 0.35
"""Share of the best segment's score that another one needs. From 0 to 0.5 snippets hold as many answers, with
less text beside them."""


@dataclass
class Selection:
    """Segments of `text` that are shown together, in reading order, in at most `room` characters.

    `show` gives a segment as it is shown. Neighbours are shown with the white space between them, others with
    `separator`, or with what stands between them where that has at most `separator_gap` characters.
    """

    text: str
    segments: Sequence[Segment]
    room: int
    separator: str
    separator_gap: int
    show: Callable[[Segment], str]
    chosen: list[Segment] = field(default_factory=list)

    def __str__(self) -> str:
        return self._joined(self.chosen)

    def add(self, segment: Segment) -> bool:
        """Add the segment if it fits; return whether it does."""
        chosen = sorted([*self.chosen, segment], key=lambda one: one.start)
        if len(self._joined(chosen)) > self.room:
            return False
        self.chosen = chosen
        return True

    def add_best(self, scores: Sequence[float], held: Sequence[Collection[str]], context_chars: int) -> None:
        """Add the best segments, then neighbours of their block within `context_chars` on either side.

        Of those that are good enough, which hold a word that no chosen one has come before the others: `held`
        are the words of the query in each.
        """
        ranked = nlargest(
            _TRIED, (i for i, score in enumerate(scores) if score > 0), key=lambda i: (scores[i], -i)
        )
        best: list[int] = []
        shown: set[str] = set()
        while ranked:
            new = (number for number in ranked if not shown.issuperset(held[number]))
            number = next(new, ranked[0])
            ranked.remove(number)
            if best and scores[number] < _LEAST * scores[best[0]] and shown.issuperset(held[number]):
                continue
            if self.add(self.segments[number]):
                best.append(number)
                shown.update(held[number])
        for number in best:
            self._add_neighbours(number, -1, context_chars)
            self._add_neighbours(number, 1, context_chars)

    def add_first(self) -> None:
        """Add segments from the first on, and a part of the next if those fill less than half of the room."""
        for number, segment in enumerate(self.segments):
            if not self.add(segment):
                if len(str(self)) < self.room // 2 and not segment.is_code:
                    self._add_head(segment)
                break
            if number + 1 < len(self.segments) and not adjacent(
                self.text, segment, self.segments[number + 1]
            ):
                break

    def _add_neighbours(self, number: int, step: int, context_chars: int) -> None:
        centre = self.segments[number]
        while 0 <= (neighbour := number + step) < len(self.segments):
            other, beside = self.segments[neighbour], self.segments[number]
            near = centre.start - other.start if step < 0 else other.end - centre.end
            first, second = (other, beside) if step < 0 else (beside, other)
            if other.block != centre.block or near > context_chars or not adjacent(self.text, first, second):
                return
            if other not in self.chosen and not self.add(other):
                return
            number = neighbour

    def _add_head(self, segment: Segment) -> None:
        """Add as much of the segment as fits: whole sentences if they fill half the room, else words."""
        inner = self.text[segment.start : segment.end]
        brackets = brackets_of(inner, len(inner))
        sentences = [end for _, end in sentence_spans(inner)]
        words = [match.start() for match in _SPACE.finditer(inner, 0, self.room)]
        for cuts, least in ((sentences, self.room // 2), (words, 0)):
            for cut in reversed(cuts):
                if not (brackets.allows(cut) and is_boundary(inner, cut)):
                    continue
                before = self.chosen
                if self.add(segment._replace(end=segment.start + cut)) and len(str(self)) >= least:
                    return
                self.chosen = before

    def _joined(self, chosen: Sequence[Segment]) -> str:
        parts = [self.show(one) for one in chosen[:1]]
        for before, segment in pairwise(chosen):
            parts += [self._between(before, segment), self.show(segment)]
        return "".join(parts)

    def _between(self, before: Segment, segment: Segment) -> str:
        """Return what is shown between two segments. A bracket that could not be shown stays left out."""
        gap = Segment(before.end, segment.start, before.block, before.is_code)
        if adjacent(self.text, before, segment):
            return self.text[gap.start : gap.end]
        small = gap.end - gap.start <= self.separator_gap
        return (
            self.show(gap) if small and not BRACKET.search(self.text, gap.start, gap.end) else self.separator
        )
