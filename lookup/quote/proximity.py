"""Tier 2: most of the words stand close together, some of them misread.

A window of the paper scores coverage x tightness: the share of the query's words that it holds, and log(held
+ 1) / log(words + 1), which is 1 where it holds nothing else. Aligning its words with those of the query then
gives the exact span and the differences. What decides on a score is in thresholds.py.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, log
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from lookup.papers.paper import Paper
from lookup.quote.aligned_window import AlignedWindow
from lookup.quote.bounds import RELATED_SCORE, WINDOW_SCORE
from lookup.quote.certify import Candidate
from lookup.quote.query import Query
from lookup.text.words import WordIndex, slips, words_in

_REGIONS = 14
"""Stretches of the paper whose best windows are compared, however many passages are wanted: so the first one
is the same for any number (with 4 and so many as were wanted, it differed for 67 of 769 questions)."""

_RARE = 0.004  # Share of a paper's words up to which a word tells where to look; "the" has 0.06.

_MISREAD = 24
"""Words of a query looked for as misread, at most; each costs a walk through the paper's vocabulary."""

_ALIGNED = 13  # Windows that are aligned.
_DRIFT = 3  # Words by which those before a word may shift it.
_DIAGONALS = 16  # Places where the query may begin that are compared: those that most words agree on.
_PER_WORD = 0.3  # Cost of each word of a window, in words held, when the densest window is sought.


class WordWindow(NamedTuple):
    """The words from `first` to `last` (indices), and their score."""

    first: int
    last: int
    score: float


def find(paper: Paper, query: Query, page: int = 0) -> list[Candidate]:
    """Return the passages with most words of the query, the best first; none for a short query."""
    if query.whole.short:
        return []
    reading = query.readings[min(1, len(query.readings) - 1)]
    asked = [word for piece in reading.pieces for word in words_in(piece.folded)]
    index = paper.words
    misread = _misread(asked, index)
    meant = {word: word for word in asked} | {printed: word for word, printed in misread}
    windows: list[WordWindow] = []
    for first, last in _regions(paper, meant, len(asked), page, _REGIONS):
        least = windows[_ALIGNED - 1].score if len(windows) >= _ALIGNED else 0.0
        windows += best_windows(index, meant, asked, first, last, max(least, WINDOW_SCORE))
        windows.sort(key=lambda window: (-window.score, window.first))
    aligned = [
        AlignedWindow(paper, reading, window.first, window.last, meant)
        for window in dict.fromkeys(windows[:_ALIGNED])
        if window.score >= WINDOW_SCORE
    ]
    found = [one for one in aligned if one.score >= RELATED_SCORE and paper.touches(one.span, page)]
    return [each for one in _without_overlaps(found) if (each := one.judged())]


def _misread(asked: Sequence[str], index: WordIndex) -> list[tuple[str, str]]:
    """Return words of the query that the paper does not have, each with words of the paper that it may be."""
    unknown = sorted(
        {word for word in asked if word not in index.vocabulary and slips(word)},
        key=lambda word: (-len(word), word),
    )
    found = []
    for word in unknown[:_MISREAD]:
        near = process.extract(
            word, index.vocabulary.keys(), scorer=Levenshtein.distance, score_cutoff=slips(word), limit=3
        )
        found += [(word, printed) for printed, _, _ in near if slips(printed)]
    return found


def _regions(
    paper: Paper, meant: Mapping[str, str], length: int, page: int, count: int
) -> list[tuple[int, int]]:
    """Return ranges of words (on `page`) in which rare words of the query gather, best first."""
    index = paper.words
    total = len(index.words)
    often = {printed: index.vocabulary[printed] for printed in meant if printed in index.vocabulary}
    rare = {printed: n for printed, n in often.items() if n <= max(20, _RARE * total)} or often
    weights: dict[str, float] = {}
    for printed, n in rare.items():
        weights[meant[printed]] = max(log(1 + total / n), weights.get(meant[printed], 0.0))
    width = max(16, length)
    buckets: dict[int, set[str]] = defaultdict(set)
    for place in index.places(rare, _on_page(paper, page)):
        buckets[place // width].add(meant[index.words[place]])
    empty: set[str] = set()
    scored = [
        (fsum(weights[word] for word in words | buckets.get(bucket + 1, empty)), bucket)
        for bucket, words in buckets.items()
    ]
    best = sorted(scored, key=lambda one: (-one[0], one[1]))[:count]
    return [(max(0, b * width - length), min(total, (b + 2) * width + length)) for _, b in best]


def _on_page(paper: Paper, page: int) -> list[tuple[int, int]]:
    """Return the ranges of words of the paragraphs that touch the page; one of all where `page` is 0."""
    index = paper.words
    if not page:
        return [(0, len(index.words))]
    ends = [*index.borders[1:], len(index.words)]
    return [
        (begin, end)
        for begin, end, i in zip(index.borders, ends, paper.reading, strict=True)
        if paper.paragraphs[i].page <= page <= paper.paragraphs[i].page_end
    ]


def best_windows(
    index: WordIndex,
    meant: Mapping[str, str],
    asked: Sequence[str],
    first: int,
    last: int,
    least: float = 0.0,
) -> list[WordWindow]:
    """Return the window in `first:last` with the best score, and the one with most words in order.

    None where there is no word of the query, or too few for a score of `least`.
    """
    hits = [
        (place, meant[word]) for place, word in enumerate(index.words[first:last], first) if word in meant
    ]
    need = Counter(asked)
    common = Counter(word for _, word in hits)
    best = (common & need).total() / len(asked)  # of a window that holds these and nothing else
    if not hits or best < least:
        return []
    rarest = min(range(len(hits)), key=lambda at: common[hits[at][1]])
    grown = [_grown(hits, need, *seed) for seed in (_densest(hits, need), (rarest, rarest))]
    low, high, score = max(grown, key=lambda one: one[2])
    start = _diagonal(hits, asked)
    ordered = [hit for hit in hits if -_DRIFT <= hit[0] - start < len(asked) + _DRIFT]
    begin, end = ordered[0][0], ordered[-1][0]
    held = (Counter(word for _, word in ordered) & need).total()
    return [
        WordWindow(hits[low][0], hits[high][0], score),
        WordWindow(begin, end, _score(held, len(asked), end - begin + 1)),
    ]


def _score(held: int, total: int, words: int) -> float:
    """Return coverage x tightness of a window of `words` that holds `held` of the query's `total` words."""
    return held / total * log(held + 1) / log(words + 1)


def _diagonal(hits: Sequence[tuple[int, str]], asked: Sequence[str]) -> int:
    """Return where the query begins by the places of most of its words, to within _DRIFT words."""
    at = defaultdict(list)
    for i, word in enumerate(asked):
        at[word].append(i)
    votes = Counter(place - i for place, word in hits for i in at[word])
    most = [start for start, _ in votes.most_common(_DIAGONALS)]
    near = range(-_DRIFT, _DRIFT + 1)
    return max(most, key=lambda start: (sum([votes.get(start + d, 0) for d in near]), -start))


def _grown(
    hits: Sequence[tuple[int, str]], need: Counter[str], low: int, high: int
) -> tuple[int, int, float]:
    """Return the hits `low` and `high`, moved one at a time as long as the score rises, and the score."""
    score = 0.0
    while True:
        low, _ = _best_end(hits, need, high, range(high, -1, -1))
        high, better = _best_end(hits, need, low, range(low, len(hits)))
        if better <= score:
            return low, high, score
        score = better


def _best_end(
    hits: Sequence[tuple[int, str]], need: Counter[str], fixed: int, ends: range
) -> tuple[int, float]:
    """Return which of `ends`, in order away from the hit `fixed`, makes the best window; and its score."""
    left, total = dict(need), need.total()
    origin, held = hits[fixed][0], 0
    best, best_score = fixed, 0.0
    for end in ends:
        place, word = hits[end]
        if left[word]:  # a window that holds no more than a smaller one is not better
            left[word] -= 1
            held += 1
            score = _score(held, total, abs(place - origin) + 1)
            if score > best_score:
                best, best_score = end, score
    return best, best_score


def _densest(hits: Sequence[tuple[int, str]], need: Counter[str]) -> tuple[int, int]:
    """Return the run of hits with the greatest sum, by Kadane's algorithm.

    Each hit is worth 1, less the cost of the words since the hit before.
    """
    best, best_run = 0.0, (0, 0)
    total, start = 0.0, 0
    held: Counter[str] = Counter()
    for at, (place, word) in enumerate(hits):
        cost = _PER_WORD * (place - hits[at - 1][0]) if at > start else 0.0
        if total <= cost:
            total, start, cost = 0.0, at, 0.0
            held.clear()
        held[word] += 1
        total += (held[word] <= need[word]) - cost
        if total > best:
            best, best_run = total, (start, at)
    return best_run


def _without_overlaps(found: Iterable[AlignedWindow]) -> list[AlignedWindow]:
    """Return the windows, best first, without those that overlap a better one."""
    kept: list[AlignedWindow] = []
    for one in sorted(found, key=lambda one: (-one.score, one.span)):
        here = one.span
        if all(
            (here.last, here.end) <= (other.span.first, other.span.start)
            or (here.first, here.start) >= (other.span.last, other.span.end)
            for other in kept
        ):
            kept.append(one)
    return kept
