"""Windows of a text that hold keywords, and their scores.

A ranked search wants many of the keywords, the rarer ones above all: their BM25, where the documents are
paragraphs and windows have one length.

A Boolean search wants all of the keywords close together, and a proximity search most of them. Their score is
completeness x closeness: the share of the keywords that a window holds, and ln(1 + needed) / ln(1 +
characters), which is 1 where its words stand side by side.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil, log
from typing import NamedTuple

from retrieval.keywords.searched_text import Occurrence, SearchText
from retrieval.raw_text.graphemes import around
from retrieval.scoring.relevance import WINDOWS, bm25, idf

_MOST = 0.5  # Share of a phrase's words that a window must hold to be near the phrase.


class KeywordWindow(NamedTuple):
    """A stretch of a text that holds keywords: its score, and the span from the first to the last."""

    score: float
    start: int
    end: int

    @property
    def cursor(self) -> int:
        """The centre of the stretch."""
        return (self.start + self.end) // 2


FindWindows = Callable[[list[Occurrence]], Iterable[KeywordWindow]]
"""Gives the windows of one text from its occurrences; they may overlap, and come in any order."""


def ranked_windows(held: Sequence[int], paragraphs: int, chars: int) -> FindWindows:
    """Find the window from each occurrence on: at most `chars` characters.

    So many of the `paragraphs` hold each keyword.
    """
    weights = {keyword: idf(paragraphs, min(count, paragraphs)) for keyword, count in enumerate(held)}

    def windows(found: list[Occurrence]) -> Iterator[KeywordWindow]:
        counts, masses = [0] * len(held), [0.0] * len(held)
        beyond = 0
        longest = max((one.end - one.start for one in found), default=0)
        for at, first in enumerate(found):
            while beyond < len(found) and (
                found[beyond].end <= first.start + chars or found[beyond] is first
            ):
                counts[found[beyond].keyword] += 1
                masses[found[beyond].keyword] += found[beyond].weight
                beyond += 1
            end = _end(found, at, beyond, longest)
            here = {keyword: masses[keyword] for keyword, count in enumerate(counts) if count}
            yield KeywordWindow(bm25(here, weights, 1.0, WINDOWS), first.start, end)
            counts[first.keyword] -= 1
            masses[first.keyword] -= first.weight

    return windows


def _end(found: Sequence[Occurrence], first: int, beyond: int, longest: int) -> int:
    """Return the last end of the occurrences from `first` to `beyond`; none is longer than `longest`."""
    end = found[first].end
    for at in range(beyond - 1, first, -1):
        if found[at].start + longest <= end:
            break
        end = max(end, found[at].end)
    return end


def fewest_near(count: int) -> int:
    """Return how many of `count` keywords a window must hold to be near all of them."""
    return max(2, ceil(_MOST * count))


def close_windows(count: int, least: int, chars: int) -> FindWindows:
    """Find the best window from each occurrence on that holds `least` or more of all `count` keywords.

    It has at most `chars` characters, or is one keyword.
    """

    def windows(found: list[Occurrence]) -> Iterator[KeywordWindow]:
        for number, first in enumerate(found):
            held: dict[int, Occurrence] = {}
            best: KeywordWindow | None = None
            for at in range(number, len(found)):
                other = found[at]
                if held and other.end - first.start > chars:
                    break
                if other.keyword in held:
                    continue
                held[other.keyword] = other
                if len(held) >= least:
                    end = max(one.end for one in held.values())
                    score = _closeness(list(held.values()), count, end - first.start)
                    if best is None or score > best.score:
                        best = KeywordWindow(score, first.start, end)
                if len(held) == count:
                    break
            if best is not None:
                yield best

    return windows


def _closeness(held: list[Occurrence], count: int, chars: int) -> float:
    needed = sum(one.end - one.start for one in held) + len(held) - 1
    return len(held) / count * min(1.0, log(1 + needed) / log(1 + chars))


@dataclass
class TextCoverage:
    """A text, where the keywords stand in it, and the spans of it that results show already."""

    text: SearchText
    found: list[Occurrence]
    taken: list[tuple[int, int]] = field(default_factory=list)

    def free(self, *, last: bool) -> list[Occurrence]:
        """Return the occurrences that no result shows yet."""
        return [one for one in self.found if one.last == last and not self.overlaps(one.start, one.end)]

    def overlaps(self, start: int, end: int) -> bool:
        """Whether a result shows part of the span."""
        return any(start < to and end > at for at, to in self.taken)

    def shown(self, window: KeywordWindow, chars: int) -> tuple[int, int]:
        """Return the span to show, some `chars` characters around the window's cursor.

        It holds all of the window, and nothing of another result.
        """
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


class ChosenWindow(NamedTuple):
    """A window, the text it is of, and the span that is shown."""

    window: KeywordWindow
    coverage: TextCoverage
    shown: tuple[int, int]


def best_windows(
    texts: Sequence[TextCoverage], find_windows: FindWindows, count: int, chars: int
) -> list[ChosenWindow]:
    """Return the `count` best windows, best first, each shown in some `chars` characters.

    Those of references and furniture come last. No two overlap: the text beside a chosen one may make a
    smaller window.
    """
    found: list[ChosenWindow] = []
    for last in (False, True):
        chosen: list[ChosenWindow] = []
        while len(found) + len(chosen) < count:
            added = _choose(texts, find_windows, count - len(found) - len(chosen), chars, last=last)
            if not added:
                break
            chosen += added
        found += sorted(chosen, key=lambda one: -one.window.score)
    return found


def _choose(
    texts: Sequence[TextCoverage], find_windows: FindWindows, count: int, chars: int, *, last: bool
) -> list[ChosenWindow]:
    ranked = [(window, text) for text in texts for window in find_windows(text.free(last=last))]
    ranked.sort(key=lambda one: (-one[0].score, one[1].text.key or "", one[0].start))
    added: list[ChosenWindow] = []
    for window, text in ranked:
        if len(added) == count:
            break
        if text.overlaps(window.start, window.end):
            continue
        shown = text.shown(window, chars)
        text.taken.append(shown)
        added.append(ChosenWindow(window, text, shown))
    return added
