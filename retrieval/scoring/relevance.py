"""Measure how much of a query the words of each paragraph hold, in any order."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress
from math import fsum, log
from typing import NamedTuple

from lookup.text.words import STOP_WORDS, WordIndex, words_in
from retrieval.scoring.stems import stem

WINDOW = 25  # Words among which the terms of a query are counted: about a sentence.

_HELD_TEXTS = 8192
"""Paragraphs whose terms are kept, some 15 MiB: searches one after the other rank the same ones."""

_CODE = re.compile(r"(?<![\w-])([^\W\d_]{2,})(\d{2,})(?![\w-])")
"""An abbreviation and its number. With one digit it is more often a variable, or a word and its footnote."""

K1, B = 1.2, 0.75
"""How soon repetitions of a word stop counting, and how much length costs a paragraph: the usual values."""


class Relevance(NamedTuple):
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


Above = Sequence[tuple[Sequence[str], float]]
"""The terms of the headings that a text is under, each heading with its weight beside the text's own."""


class Statistics(NamedTuple):
    """What weighs the terms: the number of texts, their mean length in words, and how many hold each term."""

    texts: int
    mean: float
    holding: Mapping[str, int]


def terms(folded: str) -> list[str]:
    """Return the words and numbers of folded text as they are compared, in order."""
    return [stem(word) for word in words_in(folded) if word[0].isalnum()]


def says_something(folded: str) -> bool:
    """Return whether a query (folded) has a word that is not frequent everywhere."""
    return not STOP_WORDS.issuperset(words_in(folded))


def asked_terms(folded: str) -> list[str]:
    """Return the different terms that a query (folded) asks for, in order.

    Words that are too frequent to say anything are left out, unless there are no others.
    """
    words = [word for word in words_in(folded) if word[0].isalnum()]
    content = [word for word in words if word not in STOP_WORDS]
    return list(dict.fromkeys(map(stem, content or words)))


def spelled(folded: str, is_printed: Callable[[str], bool]) -> str:
    """Return a query in which a code that is not printed so has a hyphen before its digits: "covid-19"."""
    return _CODE.sub(lambda code: code[0] if is_printed(code[0]) else "-".join(code.groups()), folded)


def relevance(index: WordIndex, asked: str, ranked: Iterable[int]) -> Mapping[int, Relevance]:
    """Return the relevance of the `ranked` texts of `index`, by number, that hold terms of `asked` (folded).

    The terms are weighed by what the ranked texts hold. Places are those of the index.
    """
    wanted = frozenset(asked_terms(spelled(asked, index.vocabulary.__contains__)))
    meant = {word: stem(word) for word in index.vocabulary if stem(word) in wanted}
    texts = set(ranked)
    hits: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for place in index.places(meant, [(0, len(index.words))]):
        number = bisect_right(index.borders, place) - 1
        if number in texts:
            hits[number].append((place, meant[index.words[place]]))
    ends = [*index.borders[1:], len(index.words)]
    sizes = [end - begin for begin, end in zip(index.borders, ends, strict=True)]
    holding = Counter(term for each in hits.values() for term in {term for _, term in each})
    mean = sum(sizes[number] for number in texts) / max(1, len(texts))
    weights = _Weights.of(wanted, Statistics(len(texts), mean, holding))
    return {number: weights.relevance(each, sizes[number]) for number, each in hits.items()}


def relevance_of_texts(
    texts: Iterable[tuple[str, Above]], asked: Collection[str], statistics: Statistics
) -> list[Relevance]:
    """Return the relevance of each text: its words (folded), and the terms of the headings that it is under.

    The headings count for BM25, each term as often as its heading weighs. Places are numbers of terms of the
    text.
    """
    wanted = frozenset(asked)
    weights = _Weights.of(wanted, statistics)
    found = []
    for text, above in texts:
        here = held_terms(text)
        hits = list(compress(enumerate(here), map(wanted.__contains__, here)))
        beside = [(term, weight) for heading, weight in above for term in wanted.intersection(heading)]
        found.append(weights.relevance(hits, len(here), beside) if hits or beside else NOTHING)
    return found


@lru_cache(_HELD_TEXTS)
def held_terms(text: str) -> Sequence[str]:
    """Return the terms of a text (folded), which are kept."""
    return terms(text)


class _Weights(NamedTuple):
    """What the terms of a query weigh: idf, and their sum."""

    idf: Mapping[str, float]
    total: float
    mean: float

    @classmethod
    def of(cls, wanted: Collection[str], statistics: Statistics) -> "_Weights":
        weights = {term: idf(statistics.texts, statistics.holding.get(term, 0)) for term in wanted}
        # fsum is the same in any order: a set has another order in each process.
        return cls(weights, fsum(weights.values()), statistics.mean)

    def relevance(
        self, hits: Sequence[tuple[int, str]], size: int, beside: Sequence[tuple[str, float]] = ()
    ) -> Relevance:
        """Return the relevance of a text of `size` terms, from the places of terms in it, and others."""
        mass, first, last = _best_window(hits, self.idf) if hits else (0.0, 0, 0)
        counts: dict[str, float] = {}  # a Counter takes twice the time
        for term, weight in chain(((term, 1.0) for _, term in hits), beside):
            counts[term] = counts.get(term, 0.0) + weight
        whole = bm25(counts, self.idf, size / self.mean)
        return Relevance(mass / self.total, whole / self.total, first, last)


def idf(texts: int, holding: int) -> float:
    """Return the weight of a term that so many of the texts hold; never negative, as in Lucene."""
    return log(1 + (texts - holding + 0.5) / (holding + 0.5))


def bm25(
    counts: Mapping[str, float], idf: Mapping[str, float], length: float, k1: float = K1, b: float = B
) -> float:
    """Return the BM25 of a text that holds each term so many times, without the constant factor k1 + 1.

    `length` is that of the text as a multiple of the mean. At most the sum of `idf`.
    """
    enough = k1 * (1 - b + b * length)
    return fsum(idf[term] * count / (count + enough) for term, count in counts.items())


def _best_window(hits: Sequence[tuple[int, str]], idf: Mapping[str, float]) -> tuple[float, int, int]:
    """Return the greatest sum of idf of terms within WINDOW words, and the places of the first and last."""
    best = (0.0, hits[0][0], hits[0][0])
    held = dict.fromkeys(idf, 0)
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
