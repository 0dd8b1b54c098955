"""The place in a paper that a tier finds with the verdict on it, and all that is found for a query."""

from typing import NamedTuple

from lookup.next_step import NextStep
from lookup.papers.paper import Paper, Stretch
from lookup.results.quote_answer import Difference, Elsewhere, Verdict


class Candidate(NamedTuple):
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


class Outcome(NamedTuple):
    """What is found for a query, before it is shown: the places, or what to say instead.

    `paper` is None where there is no such paper; the rest is as in `QuoteAnswer`.
    """

    paper: Paper | None
    candidates: tuple[Candidate, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    hint: str = ""
    covered: bool = True
    next_step: NextStep | None = None
