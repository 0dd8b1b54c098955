"""Score candidates by all evidence that they answer a query (docs/decisions/0030)."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lookup.index.release_index import SECTION_WORDS, TITLE_WORDS
from retrieval.embedding.sentence_vectors import Nearest
from retrieval.scoring.evidence import by_words, quotability, weighed
from retrieval.scoring.lexical_index import Filters, heading_weights
from retrieval.scoring.relevance import Above, heading_terms, relevance
from retrieval.topics.candidates import ParagraphRows

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]

TOGETHER, BM25 = 0.75, 1.05
"""What a standard deviation of each kind of evidence by words weighs: of terms near each other, and of the
paragraph under its headings; both once more times what `by_words` says."""

SENTENCE, PASSAGE, LIKENESS = 0.7, 0.7, 0.5
"""The same by meaning: of the nearest sentence, of the paragraph under its title, and of the likeness to the
candidates that the other kinds put first (Rocchio, "Relevance feedback in information retrieval", 1971)."""

FIRST = 2  # Candidates that are taken to be right, for the likeness to them.


def scores(
    rows: ParagraphRows,
    read: Mapping[int, Mapping[str, Any]],
    asked: Collection[str],
    filters: Filters,
    vector: "Vector | None",
) -> tuple[list[float], list[float], Sequence[Nearest | None]]:
    """Return the score of each candidate, its strength, and its nearest sentence, where it has vectors.

    The score, from 0 to 1, is for the order, since it depends on the other candidates. The strength is what
    the words that stand together and the nearest sentence say alone; without vectors it is the score.
    `read` are the candidates by row, as ParagraphRows has them; `vector` is the query's, None for words
    alone. Raise ModelError.
    """
    weights = heading_weights(filters)
    papers = rows.papers({one["key"] for one in read.values()})
    above = [_above(papers[one["key"]].title, one, weights) for one in read.values()]
    words = relevance(rows.stems(read), asked, rows.lexical.statistics(asked, filters), above)
    kinds = [quotability(one["kind"], one["text_norm"]) for one in read.values()]
    evidence = by_words(words, TOGETHER, BM25)
    if vector is None:
        found = weighed(evidence, kinds)
        # What has the words in the headings above it alone comes after what has one itself.
        least = min((score for score, one in zip(found, words, strict=True) if one.mass), default=1.0)
        found = [score if one.mass else least * score for score, one in zip(found, words, strict=True)]
        return found, found, [None] * len(read)
    from retrieval.embedding.signs import products, unit_length  # by words no numpy is loaded  # noqa: PLC0415

    titles = [papers[one["key"]].title_row for one in read.values()]
    nearest, passages = _under_titles(rows, list(read), titles, vector)
    far = min((one.similarity for one in nearest if one), default=0.0)  # what has no vectors is the farthest
    similar = [max(0.0, one.similarity if one else far) for one in nearest]
    evidence.append((SENTENCE, similar))
    evidence.append((PASSAGE, products(passages, vector).clip(0).tolist()))
    first = sorted(range(len(read)), key=dict(enumerate(weighed(evidence, kinds))).__getitem__)[-FIRST:]
    likeness = products(passages, unit_length(passages[first].sum(axis=0)))
    evidence.append((LIKENESS, likeness.clip(0).tolist()))
    strengths = [one.mass + similarity for one, similarity in zip(words, similar, strict=True)]
    return weighed(evidence, kinds), strengths, nearest


def _above(title: str | None, one: Mapping[str, Any], weights: Mapping[str, float]) -> Above:
    """Return the headings above a candidate, each with its weight."""
    headings = zip(
        (TITLE_WORDS, SECTION_WORDS), heading_terms(title, one["kind"], one["section_title"]), strict=True
    )
    return [(found, weights[field]) for field, found in headings if field in weights]


def _under_titles(
    rows: ParagraphRows, wanted: Sequence[int], titles: Sequence[int | None], vector: "Vector"
) -> "tuple[Sequence[Nearest | None], Vector]":
    """Return the nearest sentences of paragraphs, and their vectors with those of their titles."""
    from retrieval.embedding.signs import unit_length  # noqa: PLC0415

    every = list(dict.fromkeys([*wanted, *(title for title in titles if title is not None)]))
    nearest, vectors = rows.passages(every, vector)
    at = {row: i for i, row in enumerate(every)}
    passages = vectors[: len(wanted)].copy()
    for i, title in enumerate(titles):
        if title is not None and title != wanted[i]:
            passages[i] += vectors[at[title]]
    return nearest[: len(wanted)], unit_length(passages)
