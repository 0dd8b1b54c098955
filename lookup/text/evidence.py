"""Kinds of evidence that a paragraph answers a query, weighed together: the rankings of tier 3 and of search.

Each kind is divided by its standard deviation over the paragraphs that are ranked, so that what tells them
apart weighs alike. The weighted mean gives the same order as a sum of standard scores, on a scale from 0 to
1.
"""

from collections.abc import Sequence
from math import sqrt

from lookup.text.relevance import Relevance

MASS, BM25, SIMILARITY, PASSAGE, EXPANDED = 2.0, 0.25, 1.5, 0.5, 0.75
"""What a standard deviation of each kind of evidence weighs within a paper: terms near each other, all terms,
the nearest sentence, the whole paragraph, and weighted words; those by words once more times what `by_words`
says, 0.69 for half of the questions (docs/decisions/0062)."""

Evidence = list[tuple[float, Sequence[float]]]
"""Kinds of evidence: each has what a standard deviation of it weighs, and a value for each paragraph."""


def by_words(held: Sequence[Relevance], mass: float, bm25: float) -> Evidence:
    """Return the evidence by words, its weights times the greatest share of the query that one text holds.

    Without that share, a word or two that a question in another language has in common with some paragraphs
    would decide, as they are all that tells the paragraphs apart (docs/decisions/0049).
    """
    share = max((max(one.mass, one.bm25) for one in held), default=0.0)
    return [(mass * share, [one.mass for one in held]), (bm25 * share, [one.bm25 for one in held])]


def weighed(evidence: Evidence) -> list[float]:
    """Return the mean of the kinds of evidence, each with its weight divided by its standard deviation."""
    weights = [
        weight / deviation if (deviation := _deviation(values)) else 0.0
        for weight, values in evidence
        if values
    ]
    total = sum(weights)
    if not total:
        return [0.0] * len(evidence[0][1])
    columns = [values for _, values in evidence]
    return [
        sum(weight * value for weight, value in zip(weights, each, strict=True)) / total
        for each in zip(*columns, strict=True)
    ]


def _deviation(values: Sequence[float]) -> float:
    """Return the standard deviation of a whole population."""
    mean = sum(values) / len(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / len(values))
