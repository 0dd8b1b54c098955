"""All that is found for a query, before it is shown."""

from typing import NamedTuple

from lookup.next_step import NextStep
from lookup.papers.paper import Paper
from lookup.quote.candidate import Candidate
from lookup.results.quote_answer import Elsewhere


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
