"""TF-IDF: stretches with many of the keywords, the rarer ones above all.

(1 + ln tf) x ln(1 + N / df), summed over the keywords: sublinear term frequency and inverse document frequency as in Manning,
Raghavan and Schütze, Introduction to Information Retrieval (2008), 6.2 to 6.4, where the documents are paragraphs.
"""

from collections.abc import Iterator, Sequence
from math import log

from lookup.keywords.text import Hit
from lookup.keywords.windows import Window, Windows


def weights(held: Sequence[int], paragraphs: int) -> list[float]:
    """The inverse document frequency of each keyword, of which so many of the `paragraphs` hold it."""
    return [log(1 + paragraphs / max(1, count)) for count in held]


def ranked_windows(inverse: Sequence[float], chars: int) -> Windows:
    """For each hit, the window of at most `chars` characters that begins with it."""

    def windows(hits: list[Hit]) -> Iterator[Window]:
        counts, masses = [0] * len(inverse), [0.0] * len(inverse)
        beyond = 0
        longest = max((hit.end - hit.start for hit in hits), default=0)
        for at, hit in enumerate(hits):
            while beyond < len(hits) and (hits[beyond].end <= hit.start + chars or hits[beyond] is hit):
                counts[hits[beyond].keyword] += 1
                masses[hits[beyond].keyword] += hits[beyond].weight
                beyond += 1
            end = _end(hits, at, beyond, longest)
            score = sum(
                (1 + log(count)) * mass / count * weight
                for count, mass, weight in zip(counts, masses, inverse, strict=True)
                if count
            )
            yield Window(score, hit.start, end)
            counts[hit.keyword] -= 1
            masses[hit.keyword] -= hit.weight

    return windows


def _end(hits: Sequence[Hit], first: int, beyond: int, longest: int) -> int:
    """Where the last of the hits from `first` to before `beyond` ends; none is longer than `longest`."""
    end = hits[first].end
    for at in range(beyond - 1, first, -1):
        if hits[at].start + longest <= end:
            break
        end = max(end, hits[at].end)
    return end
