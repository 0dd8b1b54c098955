"""Which stretches of the texts answer: the best ones whose texts do not overlap."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lookup.keywords.around import around
from lookup.keywords.text import Hit, SearchText


class Window(NamedTuple):
    """A stretch of a text that holds keywords: its score, and the span from the first to the last of their words."""

    score: float
    start: int
    end: int

    @property
    def cursor(self) -> int:
        """The centre of the stretch."""
        return (self.start + self.end) // 2


Windows = Callable[[list[Hit]], Iterable[Window]]
"""The windows that hits of one text make, ascending or not, overlapping or not."""


@dataclass
class Searched:
    """A text, its hits, and the spans of it that answer already."""

    text: SearchText
    hits: list[Hit]
    taken: list[tuple[int, int]] = field(default_factory=list)

    def free(self, *, last: bool) -> list[Hit]:
        """The hits that no answer shows yet."""
        return [hit for hit in self.hits if hit.last == last and not self.overlaps(hit.start, hit.end)]

    def overlaps(self, start: int, end: int) -> bool:
        """Whether an answer shows part of the span."""
        return any(start < to and end > at for at, to in self.taken)

    def shown(self, window: Window, chars: int) -> tuple[int, int]:
        """The span of some `chars` characters around the window's cursor that is shown: all of the window, nothing of another answer."""
        cursor = window.cursor
        before = max(chars // 2, cursor - window.start)
        after = max(chars - chars // 2, window.end - cursor)
        start, end = around(self.text.text, cursor, before, after)
        low = max((to for _, to in self.taken if to <= window.start), default=0)
        high = min((at for at, _ in self.taken if at >= window.end), default=len(self.text.text))
        start, end = max(start, low), min(end, high)
        while start < window.start and self.text.text[start].isspace():
            start += 1
        while end > window.end and self.text.text[end - 1].isspace():
            end -= 1
        return min(start, window.start), max(end, window.end)


class Chosen(NamedTuple):
    """A window, the text it is of, the span that is shown, and whether it is named last."""

    window: Window
    searched: Searched
    shown: tuple[int, int]
    last: bool


def chosen(texts: Sequence[Searched], windows: Windows, count: int, chars: int) -> list[Chosen]:
    """The `count` best windows, best first, each shown in some `chars` characters; those of references and furniture come last.

    No two overlap: what is left beside a chosen one may make a smaller window.
    """
    found: list[Chosen] = []
    for last in (False, True):
        mine: list[Chosen] = []
        while len(found) + len(mine) < count:
            added = _round(texts, windows, count - len(found) - len(mine), chars, last=last)
            if not added:
                break
            mine += added
        found += sorted(mine, key=lambda one: -one.window.score)
    return found


def _round(
    texts: Sequence[Searched], windows: Windows, count: int, chars: int, *, last: bool
) -> list[Chosen]:
    ranked = [(window, text) for text in texts for window in windows(text.free(last=last))]
    ranked.sort(key=lambda one: (-one[0].score, one[1].text.key or "", one[0].start))
    added: list[Chosen] = []
    for window, text in ranked:
        if len(added) == count:
            break
        if text.overlaps(window.start, window.end):
            continue
        shown = text.shown(window, chars)
        text.taken.append(shown)
        added.append(Chosen(window, text, shown, last))
    return added
