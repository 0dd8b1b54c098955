"""Words of a text as snippets compare them: in lower case, without accents, by their stem."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from math import fsum
from typing import NamedTuple

from lookup.text.scripts import UNSPACED, unspaced
from lookup.text.words import STOP_WORDS, occurrences
from retrieval.scoring.relevance import bm25, idf
from retrieval.scoring.stems import stem

_WORD = re.compile(rf"[^\W_{UNSPACED}]+(?:\u0300+[^\W_{UNSPACED}]*)*|[{UNSPACED}]")
"""A word of a folded text. That of `lookup.text.scripts` will not do: here marks are MARK, and points part
words, as in code."""

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
MARK = "\u0300"  # Stands for any combining mark in a folded text.


def folded(text: str) -> str:
    """Return `text` in lower case and without accents, with the same offsets."""
    plain = text if text.isascii() else _NOT_ASCII.sub(lambda match: _plain_character(match[0]), text)
    return plain.lower()


def word_spans(plain: str) -> list[tuple[int, int, str]]:
    """Return start, end and stem of the words of a folded text."""
    return [(match.start(), match.end(), _stem(match[0])) for match in _WORD.finditer(plain)]


def places_of(term: str, plain: str) -> Iterator[int]:
    """Yield where words with this stem begin in a folded text that has no marks."""
    beginning = term[:-1] if len(term) > 1 and term.endswith("y") else term  # "cities" has the stem "city"
    for at in occurrences(plain, beginning):
        if _may_begin(plain, at) and (word := _WORD.match(plain, at)) and stem(word[0]) == term:
            yield at


def _may_begin(plain: str, at: int) -> bool:
    """Whether a word may begin at `at`: not after a letter or digit, but for scripts without spaces."""
    return not at or not plain[at - 1].isalnum() or unspaced(plain[at]) or unspaced(plain[at - 1])


class SegmentIndex(NamedTuple):
    """A folded text without its marks, and the span of each of its segments in it."""

    plain: str
    starts: Sequence[int]
    ends: Sequence[int]

    def relevance(self, terms: Collection[str], k1: float, b: float) -> list[tuple[float, float]]:
        """Return of each segment the share of the terms that it holds, and its BM25, 0 to 1.

        The length of a segment is that of its text, the weight of a term `retrieval.scoring.relevance.idf`.
        """
        segments = len(self.starts)
        counts: list[dict[str, float]] = [{} for _ in range(segments)]
        weights = {}
        for term in terms:
            found = Counter(self._segments_with(term))
            weights[term] = idf(segments, len(found))
            for segment, count in found.items():
                counts[segment][term] = count
        mean = (sum(self.ends) - sum(self.starts)) / max(1, segments)
        most = fsum(weights.values())
        return [
            (len(held) / len(terms), bm25(held, weights, (end - start) / mean, k1, b) / most)
            if held
            else (0.0, 0.0)
            for held, start, end in zip(counts, self.starts, self.ends, strict=True)
        ]

    def held(self, terms: Collection[str]) -> list[set[str]]:
        """Return of each segment the terms that it holds."""
        found: list[set[str]] = [set() for _ in self.starts]
        for term in terms:
            for segment in self._segments_with(term):
                found[segment].add(term)
        return found

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


def query_terms(query: str) -> frozenset[str]:
    """Return the stems of the words of a query, without the stop words."""
    return frozenset(_stem(word) for word in _WORD.findall(folded(query)) if word not in STOP_WORDS)


def _stem(word: str) -> str:
    return stem(word.replace(MARK, "") if MARK in word else word)


@lru_cache(1 << 12)
def _plain_character(char: str) -> str:
    """Return one character: the letter under an accent, MARK for a mark, a space for other symbols."""
    if unicodedata.category(char).startswith("M"):
        return MARK
    if not char.isalnum():
        return " "
    base = unicodedata.normalize("NFKD", char)[0].casefold()[:1] or char
    return base if len(base.lower()) == 1 else char
