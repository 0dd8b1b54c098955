"""The cascade: each tier is asked only when the ones before it found nothing."""

from lookup.papers.paper import Paper
from lookup.quote import ellipsis, exact, proximity
from lookup.quote.exact import Places
from lookup.quote.finding import Finding
from lookup.quote.query import Query


def findings(places: Places, query: Query, page: int = 0, wanted: int = 1) -> list[Finding]:
    """What the first tier that finds anything finds, best first; with a `page`, in paragraphs that touch that page only.

    Places that are not found at once are looked for further while there are fewer than `wanted`.
    """
    found = printed(places, query, page, wanted) or proximity.find(places.paper, query, page, wanted)
    return sorted(found, key=lambda finding: (-finding.score, _rank(places.paper, finding)))


def printed(places: Places, query: Query, page: int = 0, wanted: int = 1) -> list[Finding]:
    """Tier 1: by the query as it stands, else as its writer may have changed it, in reading order."""
    for reading in query.readings:
        if len(reading.pieces) == 1:
            found = exact.find(places, reading.pieces[0], page, wanted)
        else:
            found = ellipsis.find(places, reading, page)
        if found:
            return found
    return []


def _rank(paper: Paper, finding: Finding) -> tuple[int, int, int]:
    where = finding.stretch
    return max(paper.paragraphs[i].rank for i in (where.first, where.last)), where.first, where.start
