"""The passages of a paper nearest to a query, by a release's vectors, weighted words and index of words."""

from collections.abc import Sequence

from lookup.errors import ModelError
from lookup.papers.paper import Paper
from lookup.quote.cascade import NearestPassages
from lookup.quote.certify import Candidate
from lookup.quote.query import Query
from lookup.text.folding import fold
from retrieval.passages.passage_ranking import Meant, candidate, rank, without_citations
from retrieval.passages.release_evidence import ReleaseEvidence
from retrieval.passages.thresholds import ANY_MODEL, BOUNDS, COMPARED, COMPARED_EXPANDED, WITHOUT_EXPANDED
from retrieval.scoring.relevance import asked_terms, says_something


def nearest_passages(
    here: ReleaseEvidence, paper: Paper, query: Query, page: int, found: Sequence[Candidate], wanted: int
) -> NearestPassages:
    """Return the `wanted` passages of the paper nearest to the query, on `page` (0: any).

    Of a paragraph in which tier 2 aligned words, these are shown: what it `found`. Words that are frequent
    everywhere find nothing.
    """
    if not says_something(fold(query.asked)):
        return NearestPassages()
    aligned = {one.span.first: one for one in reversed(found)}
    asked = without_citations(query.asked)
    meant, error = Meant({}, aligned=aligned, stems=here.stems(paper.key)), None
    try:
        meant = _meant(here, paper, asked, aligned)
    except ModelError as without:
        error = without
    ranked, near = rank(paper, asked, meant, page, wanted)
    here.library.read_texts([one.paragraph for one in ranked if one.sentence is not None])
    passages = [aligned.get(one.paragraph.paragraph) or candidate(paper, one) for one in ranked]
    return NearestPassages(passages, near, error)


def _meant(here: ReleaseEvidence, paper: Paper, asked: str, aligned: dict[int, Candidate]) -> Meant:
    nearest = here.vectors.nearest(paper.key, asked)
    expanded = here.expanded.within(paper.key, asked, len(paper.paragraphs))
    beyond = here.vectors.elsewhere(paper.key, asked) if nearest else None
    bounds, nearer = BOUNDS.get(here.vectors.made_by, ANY_MODEL), None
    if beyond is not None:
        by_terms, others = here.lexical.nearer(asked_terms(fold(asked)), paper.key)
        by_expanded = max(expanded.values(), default=WITHOUT_EXPANDED)
        by_expanded -= here.expanded.greatest(others, asked)
        similarity = max(one.similarity for one in nearest.values()) - beyond
        nearer = bounds.scale * similarity + COMPARED * by_terms + COMPARED_EXPANDED * by_expanded
    return Meant(nearest, expanded, nearer, bounds, aligned, here.stems(paper.key))
