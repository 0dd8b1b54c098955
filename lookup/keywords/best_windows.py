"""Choose the best windows of the texts, so that the stretches shown do not overlap."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lookup.keywords.around import around
from lookup.keywords.searched_text import Occurrence, SearchText
from lookup.keywords.windows import FindWindows, KeywordWindow


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
