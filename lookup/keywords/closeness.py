"""Keywords that stand close together: all of them (Boolean), or most of them where a phrase stands nowhere (proximity).

Score: completeness x closeness, the share of the keywords that a window holds, and ln(1 + needed) / ln(1 + characters), which is 1
where its words stand side by side.
"""

from collections.abc import Iterator
from math import ceil, log

from lookup.keywords.text import Hit
from lookup.keywords.windows import Window, Windows

_MOST = 0.5
"""Share of a phrase's words from which a window is near the phrase."""


def complete_windows(count: int, chars: int) -> Windows:
    """The windows of at most `chars` characters that hold all `count` keywords, and no shorter one that does."""

    def windows(hits: list[Hit]) -> Iterator[Window]:
        latest: dict[int, Hit] = {}
        for hit in hits:
            latest[hit.keyword] = hit
            if len(latest) < count:
                continue
            start, end = min(one.start for one in latest.values()), max(one.end for one in latest.values())
            if end - start <= chars or count == 1:
                yield Window(_score(list(latest.values()), count, end - start), start, end)

    return windows


def near_windows(count: int, chars: int) -> Windows:
    """For each hit, the best window of at most `chars` characters that begins with it and holds most of `count` keywords."""
    least = max(2, ceil(_MOST * count))

    def windows(hits: list[Hit]) -> Iterator[Window]:
        for first, hit in enumerate(hits):
            held = {hit.keyword: hit}
            best: Window | None = None
            for other in hits[first + 1 :]:
                if other.end - hit.start > chars:
                    break
                if other.keyword in held:
                    continue
                held[other.keyword] = other
                if len(held) >= least:
                    end = max(one.end for one in held.values())
                    score = _score(list(held.values()), count, end - hit.start)
                    if best is None or score > best.score:
                        best = Window(score, hit.start, end)
            if best is not None:
                yield best

    return windows


def _score(held: list[Hit], count: int, chars: int) -> float:
    needed = sum(hit.end - hit.start for hit in held) + len(held) - 1
    return len(held) / count * min(1.0, log(1 + needed) / log(1 + chars))
