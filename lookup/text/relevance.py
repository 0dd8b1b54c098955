"""Measure how much of a query the words of each paragraph hold, in any order."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log

from lookup.text.stems import singular
from lookup.text.words import WordIndex, words_in

WINDOW = 25
"""Words among which the terms of a query are counted: about a sentence."""

_K1, _B = 1.2, 0.75
"""How soon repetitions of a word stop counting, and how much length costs a paragraph: the usual values."""


@dataclass(frozen=True)
class Relevance:
    """What a paragraph holds of a query, from 0 to 1.

    `mass` is the share of the query's terms, weighted by idf, that stand within WINDOW words of each other;
    `bm25` is the BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, equation 3.15)
    of the whole paragraph, as a share of its maximum. `first` and `last` are the places of the first and last
    term in the best window.
    """

    mass: float = 0.0
    bm25: float = 0.0
    first: int = 0
    last: int = 0


NOTHING = Relevance()


@dataclass(frozen=True)
class Statistics:
    """What weighs the terms: the number of texts, their mean length in words, and how many hold each term."""

    texts: int
    mean: float
    holding: Mapping[str, int]


def terms(folded: str) -> list[str]:
    """Return the words and numbers of folded text as they are compared, in order."""
    return [singular(word) for word in words_in(folded) if any(map(str.isalnum, word))]


def relevance(
    index: WordIndex, asked: str, ranked: Iterable[int], statistics: Statistics | None = None
) -> Mapping[int, Relevance]:
    """Return the relevance of the `ranked` texts of `index`, by number, that hold terms of `asked` (folded).

    The terms are weighed by `statistics`, or by those of the ranked texts.
    """
    wanted = set(terms(asked))
    meant = {word: singular(word) for word in index.vocabulary if singular(word) in wanted}
    texts = set(ranked)
    hits: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for place in index.places(meant, [(0, len(index.words))]):
        number = bisect_right(index.borders, place) - 1
        if number in texts:
            hits[number].append((place, meant[index.words[place]]))
    sizes = _sizes(index)
    if statistics is None:
        holding = Counter(term for each in hits.values() for term in {term for _, term in each})
        mean = sum(sizes[number] for number in texts) / max(1, len(texts))
        statistics = Statistics(len(texts), mean, holding)
    idf = {term: _idf(statistics.texts, statistics.holding.get(term, 0)) for term in wanted}
    total = fsum(idf.values())  # the same in any order: a set has another order in each process
    result = {}
    for number, each in hits.items():
        mass, first, last = _best_window(each, idf)
        length = _K1 * (1 - _B + _B * sizes[number] / statistics.mean)
        counts = Counter(term for _, term in each)
        bm25 = fsum(idf[term] * count / (count + length) for term, count in counts.items())
        result[number] = Relevance(mass / total, bm25 / total, first, last)
    return result


def _idf(texts: int, holding: int) -> float:
    """Return the weight of a term that so many of the texts hold; never negative, as in Lucene."""
    return log(1 + (texts - holding + 0.5) / (holding + 0.5))


def _sizes(index: WordIndex) -> Sequence[int]:
    ends = [*index.borders[1:], len(index.words)]
    return [end - begin for begin, end in zip(index.borders, ends, strict=True)]


def _best_window(hits: Sequence[tuple[int, str]], idf: Mapping[str, float]) -> tuple[float, int, int]:
    """Return the greatest sum of idf of terms within WINDOW words, and the places of the first and last."""
    best = (0.0, hits[0][0], hits[0][0])
    held: Counter[str] = Counter()
    mass, low = 0.0, 0
    for place, term in hits:
        if not held[term]:
            mass += idf[term]
        held[term] += 1
        while place - hits[low][0] >= WINDOW or held[hits[low][1]] > 1:
            gone = hits[low][1]
            held[gone] -= 1
            if not held[gone]:
                mass -= idf[gone]
            low += 1
        if mass > best[0]:
            best = (mass, hits[low][0], place)
    return best
