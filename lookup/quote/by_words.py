"""What a paper prints of a query, by its words: tier 1, else tier 2."""

from lookup.papers.paper import Paper
from lookup.quote import ellipsis, exact
from lookup.quote.candidate import Candidate
from lookup.quote.exact import ExactSearch
from lookup.quote.query import Query
from lookup.results.quote_answer import PRINTED


def by_words(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, else what tier 2 finds, best first; only what touches `page` (0: any).

    Places that are not found at once are looked for further while there are fewer than `wanted`.
    """
    paper = search.paper
    found = printed(search, query, page, wanted) or misread(search, query, page, wanted)
    return sorted(
        found, key=lambda one: (-one.score, _rank(paper, one), one.stretch.first, one.stretch.start)
    )


def printed(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, in reading order: by the query as given, else by its other readings."""
    nearest: list[Candidate] = []
    for reading in query.readings:
        if reading.abridges:
            found = ellipsis.find(search, reading, page)
        else:
            found = exact.find(search, reading, page, wanted)
        if any(one.verdict in PRINTED for one in found):
            return found
        nearest = nearest or found
    return nearest


def misread(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 2 finds, best first."""
    from lookup.quote import proximity  # a quote that is printed does without  # noqa: PLC0415

    return proximity.find(search.paper, query, page, wanted)


def _rank(paper: Paper, candidate: Candidate) -> int:
    return max(paper.paragraphs[i].rank for i in (candidate.stretch.first, candidate.stretch.last))
