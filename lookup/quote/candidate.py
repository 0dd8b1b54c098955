"""The place in a paper that a tier finds, with the verdict on it."""

from typing import NamedTuple

from lookup.papers.paper import PassageSpan
from lookup.results.difference import Difference, Verdict


class Candidate(NamedTuple):
    """A span of a paper that answers a query.

    `omitted` are the spans within it that the query leaves out. `through` are the paragraphs that it
    reads, without those that merely stand between them; empty where pieces of the query stand apart.
    """

    span: PassageSpan
    score: float
    tier: int
    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    omitted: tuple[PassageSpan, ...] = ()
    through: tuple[int, ...] = ()
