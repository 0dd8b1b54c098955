"""Kinds of evidence that a paragraph answers a query, weighed together: the rankings of tier 3 and of search.

Each kind is divided by its standard deviation over the paragraphs that are ranked, so that what tells them
apart weighs alike. The weighted mean gives the same order as a sum of standard scores, on a scale from 0 to
1.
"""

from collections.abc import Sequence
from math import sqrt

MASS, BM25, SIMILARITY = 1.0, 0.5, 1.0
"""What a standard deviation of each kind of evidence weighs within a paper (docs/decisions/0012)."""


def weighed(evidence: Sequence[tuple[float, Sequence[float]]]) -> list[float]:
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
