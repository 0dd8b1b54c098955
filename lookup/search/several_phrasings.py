"""One ranking of the hits of several phrasings of a question."""

from collections.abc import Sequence
from dataclasses import replace

from lookup.search.search_answer import Hit, RetrievalAnswer

_RANK = 60
"""Added to a rank before it is turned round: the constant of reciprocal rank fusion (Cormack, Clarke and
Buettcher, SIGIR 2009), whose results hardly change between 20 and 100."""


def fused(answers: Sequence[RetrievalAnswer], n: int) -> RetrievalAnswer:
    """Return the `n` hits that stand highest in all answers together, each with its best snippet."""
    points: dict[tuple[str, int], float] = {}
    best: dict[tuple[str, int], Hit] = {}
    for answer in answers:
        for rank, hit in enumerate(answer.hits, start=1):
            place = hit.key, hit.paragraph
            points[place] = points.get(place, 0) + 1 / (_RANK + rank)
            best[place] = max(hit, best.get(place, hit), key=lambda one: one.score)
    order = sorted(points, key=lambda place: (-points[place], place))[:n]
    found = max(answers, key=lambda answer: (answer.answered, bool(answer)))
    query = " | ".join(answer.query for answer in answers)
    return replace(found, query=query, hits=tuple(best[place] for place in order))
