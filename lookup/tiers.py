"""The cascade: each tier is asked only when the ones before it found nothing."""

from typing import Protocol

from lookup import exact
from lookup.finding import Finding
from lookup.paper import Paper
from lookup.query import Query


class Tier(Protocol):
    """One way to find a query's words in a paper."""

    def __call__(self, paper: Paper, query: Query) -> list[Finding]:
        """All findings, in reading order; none where this way has nothing to say."""


CASCADE: tuple[Tier, ...] = (exact.find,)
"""The tiers in the order in which they are asked: the surest and cheapest first."""


def findings(paper: Paper, query: Query, page: int = 0) -> list[Finding]:
    """What the first tier that finds anything finds, best first; with a `page`, in paragraphs that touch that page only."""
    for tier in CASCADE:
        if found := [finding for finding in tier(paper, query) if not page or _touches(paper, finding, page)]:
            return sorted(found, key=lambda finding: (-finding.score, _rank(paper, finding)))
    return []


def _touches(paper: Paper, finding: Finding, page: int) -> bool:
    where = finding.stretch
    return paper.paragraphs[where.first].page <= page <= paper.paragraphs[where.last].page_end


def _rank(paper: Paper, finding: Finding) -> tuple[int, int, int]:
    where = finding.stretch
    return max(paper.paragraphs[i].rank for i in (where.first, where.last)), where.first, where.start
