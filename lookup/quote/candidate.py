"""The place in a paper that a tier finds, and the verdict on it."""

from dataclasses import dataclass

from lookup.papers.stretch import Stretch
from lookup.results.quote_answer import Difference, Verdict


@dataclass(frozen=True)
class Candidate:
    """A stretch of a paper that answers a query.

    `omitted` are the stretches within it that the query leaves out. `through` are the paragraphs that it
    reads, without those that merely stand between them; empty where pieces of the query stand apart.
    """

    stretch: Stretch
    score: float
    tier: int
    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    omitted: tuple[Stretch, ...] = ()
    through: tuple[int, ...] = ()
