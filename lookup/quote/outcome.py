"""All that is found for a query, before it is shown."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lookup.errors import NextStep
from lookup.papers.paper import Paper
from lookup.quote.candidate import Candidate
from lookup.results.quote_answer import Elsewhere

if TYPE_CHECKING:
    from lookup.errors import ModelError
    from lookup.quote.query import Query


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


class NearestPassages(NamedTuple):
    """The passages that tier 3 ranks first, whether they are near, and why words alone decided."""

    found: Sequence[Candidate] = ()
    near: bool = False
    by_words_alone: "ModelError | None" = None


Tier3 = Callable[[Paper, "Query", int, Sequence[Candidate], int], NearestPassages]
"""Returns the passages of a paper nearest to a query, on a page (0: any), beside what tier 2 found there: so
many, where they are wanted."""
