"""Score the segments of a text for a query by BM25.

Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, section 3.
"""

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lookup.snippet.terms import MARK, folded, places_of


@dataclass(frozen=True)
class SegmentIndex:
    """A folded text without its marks, and the span of each of its segments in it."""

    plain: str
    starts: Sequence[int]
    ends: Sequence[int]

    def scores(self, terms: Collection[str], k1: float, b: float) -> list[float]:
        """Return the score of each segment; 0 where it holds none of the terms.

        The length of a segment is that of its text. The weight of a term is log(1 + (n - df + 0.5) / (df +
        0.5)), which is never negative.
        """
        segments = len(self.starts)
        scores = [0.0] * segments
        average = sum(self.ends) - sum(self.starts)
        for term in sorted(terms):  # in the order of a set, sums differ by a bit between processes
            frequencies = Counter(self._segments_with(term))
            weight = math.log1p((segments - len(frequencies) + 0.5) / (len(frequencies) + 0.5))
            for segment, frequency in frequencies.items():
                length = (self.ends[segment] - self.starts[segment]) * segments / average
                scores[segment] += weight * frequency * (k1 + 1) / (frequency + k1 * (1 - b + b * length))
        return scores

    def _segments_with(self, term: str) -> list[int]:
        """Return the number of a segment for each time it holds the term."""
        found = ((bisect_right(self.starts, at) - 1, at) for at in places_of(term, self.plain))
        return [segment for segment, at in found if segment >= 0 and at < self.ends[segment]]


def index_segments(text: str, spans: Sequence[tuple[int, int]]) -> SegmentIndex:
    """Return the index of `text` with its segments `spans`, which ascend."""
    plain = folded(text)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    if MARK in plain:
        marks = [at for at, char in enumerate(plain) if char == MARK]
        plain = plain.replace(MARK, "")
        starts, ends = ([at - bisect_left(marks, at) for at in side] for side in (starts, ends))
    return SegmentIndex(plain, starts, ends)
