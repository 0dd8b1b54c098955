"""Measure how much of a query the words of each text hold, in any order: the one scorer of words.

A text is given as its stems, in one string: the index of words holds them of each paragraph, so that none is
computed when it is asked. Snippets, excerpts, keyword windows, relevant spans, searches and tier 3 call it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from math import fsum, log
from typing import NamedTuple, TypeVar

from lookup.text.folding import fold
from lookup.text.words import STOP_WORDS, spans, words_in

Term = TypeVar("Term", str, int)

WINDOW = 25  # Words among which the terms of a query are counted: about a sentence.

_CODE = re.compile(r"(?<![\w-])([^\W\d_]{2,})(\d{2,})(?![\w-])")
"""An abbreviation and its number. With one digit it is more often a variable, or a word and its footnote."""


class Saturation(NamedTuple):
    """How soon repetitions of a word stop counting, and how much length costs a text: k1 and b of BM25."""

    k1: float = 1.2
    b: float = 0.75


PARAGRAPHS, SEGMENTS, WINDOWS = Saturation(), Saturation(b=0.5), Saturation(b=0.0)
"""The settings of BM25: the usual ones for paragraphs; segments of a snippet differ less in what they say
than in length; windows of keywords are all of one length."""


class Relevance(NamedTuple):
    """What a text holds of a query, from 0 to 1.

    `mass` is the share of the query's terms, weighted by idf, that stand within WINDOW words of each other;
    `bm25` is the BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009, equation 3.15)
    of the whole text, as a share of its maximum; `share` that of the terms that it holds. `first` and `last`
    are the places of the first and last term in the best window.
    """

    mass: float = 0.0
    bm25: float = 0.0
    share: float = 0.0
    first: int = 0
    last: int = 0


Above = Sequence[tuple[Collection[str], float]]
"""The terms of the headings that a text is under, each heading with its weight beside the text's own."""


class Statistics(NamedTuple):
    """What weighs the terms: the number of texts, their mean length in words, and how many hold each term."""

    texts: int
    mean: float
    holding: Mapping[str, int]


def terms(folded: str) -> list[str]:
    """Return the words and numbers of folded text as they are compared, in order."""
    return [stem(word) for word in words_in(folded) if word[0].isalnum()]


def stems_of(folded: str) -> str:
    """Return the terms of folded text as one string, as the index of words holds them."""
    return " ".join(terms(folded))


def term_spans(folded: str) -> list[tuple[int, int]]:
    """Return start and end of each of the terms of folded text."""
    return [(start, end) for start, end in spans(folded) if folded[start].isalnum()]


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


def asked_of(folded: str, stems: Sequence[str]) -> list[str]:
    """Return the terms that a query (folded) asks for, its codes spelled as these texts have them."""
    return asked_terms(spelled(folded, lambda code: any(_places(stem(code), text) for text in stems)))


def relevance(
    stems: Sequence[str],
    asked: Collection[str],
    statistics: Statistics | None = None,
    above: Iterable[Above] = repeat(()),
    saturation: Saturation = PARAGRAPHS,
) -> list[Relevance]:
    """Return the relevance of each text, given by its stems, to the terms `asked`.

    Terms weigh what `statistics` say, else what these texts hold. Headings `above` a text count for BM25,
    each term as often as its heading weighs. Places are numbers of terms of the text.
    """
    held = [[(place, term) for term in asked for place in _places(term, text)] for text in stems]
    sizes = [text.count(" ") + bool(text) for text in stems]
    if statistics is None:
        holding = dict.fromkeys(asked, 0)
        for hits in held:
            for term in {term for _, term in hits}:
                holding[term] += 1
        statistics = Statistics(len(stems), sum(sizes) / max(1, len(sizes)), holding)
    weights = {term: idf(statistics.texts, statistics.holding.get(term, 0)) for term in asked}
    most = fsum(weights.values())
    found = []
    for hits, size, headings in zip(held, sizes, above, strict=False):
        counts: dict[str, float] = {}  # a Counter takes twice the time
        for _, term in hits:
            counts[term] = counts.get(term, 0.0) + 1.0
        share = len(counts) / len(weights) if counts else 0.0
        for heading, weight in headings:
            for term in weights.keys() & heading:
                counts[term] = counts.get(term, 0.0) + weight
        if not counts:
            found.append(Relevance())
            continue
        mass, first, last = _best_window(sorted(hits), weights) if hits else (0.0, 0, 0)
        whole = bm25(counts, weights, size / (statistics.mean or 1.0), saturation)
        found.append(Relevance(mass / most, whole / most, share, first, last))
    return found


def _places(term: str, stems: str) -> list[int]:
    """Return the numbers of the terms of a text that are `term`."""
    if term not in stems:
        return []
    text, word = f" {stems} ", f" {term} "
    found: list[int] = []
    at, number = text.find(word), 0
    before = 0
    while at >= 0:
        number += text.count(" ", before, at)
        found.append(number)
        before, at = at, text.find(word, at + 1)
    return found


def idf(texts: int, holding: int) -> float:
    """Return the weight of a term that so many of the texts hold; never negative, as in Lucene."""
    return log(1 + (texts - holding + 0.5) / (holding + 0.5))


def bm25(
    counts: Mapping[Term, float], idf: Mapping[Term, float], length: float, saturation: Saturation
) -> float:
    """Return the BM25 of a text that holds each term so many times, without the constant factor k1 + 1.

    `length` is that of the text as a multiple of the mean. At most the sum of `idf`.
    """
    enough = saturation.k1 * (1 - saturation.b + saturation.b * length)
    # fsum is the same in any order: a set has another order in each process.
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


_ENDINGS = re.compile(r"(?:ation|ingly|ment|ing|edly|ied|ion|ness|ally|er|ed|ly|al|e|y)\Z")
_SHORTEST_STEM = 4


@lru_cache(1 << 16)
def singular(word: str) -> str:
    """Return the word without the ending of a plural or a genitive.

    This is the S stemmer of Harman, "How effective is suffixing?", 1991. The index of words is made with it.
    """
    word = word.removesuffix("'s")
    if len(word) > 3 and word.endswith("s"):
        if word.endswith("ies") and not word.endswith(("eies", "aies")):
            return word[:-3] + "y"
        if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
            return word[:-1]
        if not word.endswith(("us", "ss", "es")):
            return word[:-1]
    return word


@lru_cache(1 << 15)
def stem(word: str) -> str:
    """Return the word without any English ending, so that "infected" and "infections" are one.

    Snippets compare words by it: so they hold 0.584 of 611 answers, by whole words 0.575, by `singular` 0.570
    (benchmarks/results/snippets.md). Words of other languages mostly stay as they are.
    """
    word = singular(word)
    if len(word) > _SHORTEST_STEM and (ending := _ENDINGS.search(word, _SHORTEST_STEM)):
        return word[: ending.start()]
    return word


_HELD_HEADINGS = 4096  # Titles and headings whose terms are kept: some 1 MiB.


def heading_terms(title: str | None, kind: str, section: str | None) -> tuple[tuple[str, ...], ...]:
    """Return the terms of the title and of the section that a paragraph of this kind is under.

    No heading is under itself. `title` is folded, `section` as printed.
    """
    above = "" if kind == "title" else title or ""
    section = "" if kind in {"title", "heading"} else section or ""
    return _terms(above), _terms(section)


_terms = lru_cache(_HELD_HEADINGS)(lambda heading: tuple(terms(fold(heading))))
