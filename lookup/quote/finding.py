"""What a tier finds: where in a paper, and what may be said of it."""

from dataclasses import dataclass

from lookup.results.quote_answer import Difference, Verdict


@dataclass(frozen=True, order=True)
class Stretch:
    """Where a match stands: the first and the last paragraph (indices), and offsets in the folded text of each."""

    first: int
    start: int
    last: int
    end: int


@dataclass(frozen=True)
class Finding:
    """A stretch of a paper that answers a query; `omitted` are the stretches within it that the query leaves out.

    `through` are the paragraphs that it reads, which leave out what merely stands between them; empty where pieces of the
    query stand apart.
    """

    stretch: Stretch
    score: float
    tier: int
    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    omitted: tuple[Stretch, ...] = ()
    through: tuple[int, ...] = ()
