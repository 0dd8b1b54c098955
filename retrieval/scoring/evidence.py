"""Kinds of evidence that a paragraph answers a query, weighed together: the rankings of tier 3 and of search.

Each kind is divided by its standard deviation over the paragraphs that are ranked, so that what tells them
apart weighs alike. The weighted mean gives the same order as a sum of standard scores, on a scale from 0 to
1.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice, repeat
from math import sqrt

from retrieval.scoring.relevance import Relevance

MASS, BM25, BESIDE, SIMILARITY, PASSAGE, EXPANDED = 2.0, 0.25, 0.5, 1.5, 0.5, 0.75
"""What a standard deviation of each kind of evidence weighs within a paper: terms near each other, all terms,
those of the paragraphs before and after, the nearest sentence, the whole paragraph, and weighted words; those
by words once more times what `by_words` says, 0.69 for half of the questions (docs/decisions/0071)."""

ALIGNED = 0.05  # What the score of tier 2 adds to that of a paragraph (docs/decisions/0071).

Evidence = list[tuple[float, Sequence[float]]]
"""Kinds of evidence: each has what a standard deviation of it weighs, and a value for each paragraph."""


# Kinds with sentences that say something by themselves.
QUOTABLE = frozenset({"body", "quote", "list", "caption", "footnote"})

_BEGINNING = re.compile(r"(?<![^\W_])(?<!')[^\W\d_]")  # The first letter of a word.
_SENTENCE_WORDS = 5  # Words, at least, of what is taken for a sentence; labels and cells are often shorter.

_FRAGMENT, _CAPTION, _REFERENCE = 0.65, 0.9, 0.3
"""Factors of scores: a heading comes after a sentence with the same words, a work that is cited last. Of
captions 0.8 loses answers to questions, 1 the first ones to citing sentences (docs/decisions/0071)."""

_CITED_WORK = (
    re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b"),
    re.compile(r"\b[a-z]\.,? ?(?:[a-z]\.|and\b|&|[a-z])|\b[a-z] ?[a-z]?, |\bet al"),
    re.compile(
        r"\b\d+ ?(?:\([\d-]+\) ?)?[:,;] ?(?:pp?\.? ?)?\d+ ?- ?\d|\bpp?\. ?\d|\bdoi ?[:.]|\barxiv:|\bin proc"
    ),
)
"""A year, a name with initials, and a place in a journal or book, in folded text."""

_LONGEST_WORK = 500  # Characters of a cited work, at most.

_LISTED, _LISTED_EACH = 3, 400
"""Works of a list that stands in one longer paragraph, at least, and characters of each on average, at most:
of 4,800 paragraphs of running text with more than 500 characters none has as many (docs/decisions/0071)."""


@lru_cache(8192)
def quotability(kind: str, text: str) -> float:
    """Return the factor of the score of a paragraph (folded): 1 for what says something by itself.

    What the text says to be a work that is cited is one, and what is too short for a sentence a fragment,
    whatever kind the layout gave them; what was taken for a list of works need not be one.
    """
    works = 1 if len(text) <= _LONGEST_WORK else max(_LISTED, len(text) / _LISTED_EACH)
    if all(len(one.findall(text)) >= works for one in _CITED_WORK):
        return _REFERENCE
    words = islice(_BEGINNING.finditer(text), _SENTENCE_WORDS)
    if (kind not in QUOTABLE and kind != "reference") or sum(1 for _ in words) < _SENTENCE_WORDS:
        return _FRAGMENT
    return _CAPTION if kind == "caption" else 1.0


def by_words(held: Sequence[Relevance], mass: float, bm25: float, beside: float = 0.0) -> Evidence:
    """Return the evidence by words, its weights times the greatest share of the query that one text holds.

    With `beside`, that of the texts before and after each, too.

    Without that share, a word or two that a question in another language has in common with some paragraphs
    would decide, as they are all that tells the paragraphs apart (docs/decisions/0071).
    """
    share = max((max(one.mass, one.bm25) for one in held), default=0.0)
    whole = [one.bm25 for one in held]
    around = [before + after for before, after in zip([0.0, *whole], [*whole[1:], 0.0], strict=False)]
    found: Evidence = [(mass * share, [one.mass for one in held]), (bm25 * share, whole)]
    return [*found, (beside * share, around)] if beside else found


def weighed(evidence: Evidence, factors: Iterable[float] = repeat(1.0)) -> list[float]:
    """Return the mean of the kinds of evidence, each with its weight divided by its standard deviation.

    Times the factor of each text.
    """
    weights = [
        weight / deviation if (deviation := _deviation(values)) else 0.0
        for weight, values in evidence
        if values
    ]
    if not any(weights):  # nothing tells them apart: it is a single one, mostly
        weights = [weight for weight, _ in evidence]
    total = sum(weights) or 1.0
    columns = [values for _, values in evidence]
    return [
        factor * sum(weight * value for weight, value in zip(weights, each, strict=True)) / total
        for factor, *each in zip(factors, *columns, strict=False)
    ]


def _deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a whole population."""
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))
