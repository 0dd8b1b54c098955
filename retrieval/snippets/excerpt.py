"""Find the passage of a text that answers a query by its words and by its meaning."""

import logging
import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from lookup.errors import ModelError, QueryError
from lookup.limits import at_least
from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from retrieval.passages.hit_snippet import snippet_span
from retrieval.passages.passage_ranking import ReleaseEvidence, ranked_whole, without_citations
from retrieval.raw_text.paragraphs import split_paragraphs
from retrieval.scoring.evidence import BM25, MASS, SIMILARITY, by_words, weighed
from retrieval.scoring.relevance import asked_of, asked_terms, relevance, stems_of
from retrieval.snippets.answering import TextEncoder, encoder_of, similarities
from retrieval.snippets.extractor import extract_snippet

if TYPE_CHECKING:
    import numpy.typing as npt

_log = logging.getLogger(__name__)

_ENCODED = 2000
"""Characters of the paragraphs, the best by words, that are encoded, but two paragraphs at least: 4,000 take
twice as long (docs/decisions/0071)."""


def extract_relevant_excerpt(
    query_embedding: "npt.ArrayLike",
    content: str,
    encoder: TextEncoder | str | os.PathLike[str] | None = None,
    max_chars: int = 500,
    *,
    query: str = "",
    by_sentences: bool = False,
    generator: Any = None,
) -> str:
    """Return the paragraph of `content` that answers a query best, cut at a sentence.

    It has at most `max_chars` characters. Where `query` is given, its words choose a few paragraphs, and
    words and meaning decide among them; else the paragraph is that nearest to the vector `query_embedding`.
    With `by_sentences` it begins and ends where the sentences come nearer and go further away.

    `encoder`, or `generator`, is the model that made the vector: an encoder, the folder of a model, or what
    makes the vector of one text: an object with `generate` or `embed`, or a callable. Where there is none, or
    it fails, the excerpt is the snippet for the words of `query` (without words, the beginning of `content`);
    where that fails, the first `max_chars` characters. Each time a warning is logged. Raise TypeError if it
    is none of these; never anything else.
    """
    room = max(0, max_chars)
    given = _vectors_of(generator if encoder is None else encoder)
    try:
        model = encoder_of(given)
        if model is None:
            raise ValueError("there is no encoder")  # noqa: TRY301  # told below
        nearest = _best_paragraph(query_embedding, content, model, query)
        if by_sentences:
            nearest = _nearest_sentences(query_embedding, nearest, model, room)
        return extract_snippet(nearest, max_length=room)
    except Exception as error:  # noqa: BLE001  # an excerpt comes whatever a model does; the log says why
        _log.warning("No excerpt by meaning, taking one by words: %s", error)
    try:
        return extract_snippet(content, query, room)
    except Exception as error:  # noqa: BLE001
        _log.warning("No excerpt by words, taking the beginning: %s", error)
    return content[:room]


class _OfOneText:
    """An encoder by what makes the vector of one text."""

    def __init__(self, make: Callable[[str], Any]) -> None:
        self._make = make

    def encode(self, texts: Sequence[str], /) -> "npt.NDArray[Any]":
        import numpy as np  # noqa: PLC0415  # loaded with the first vectors

        vectors = np.array([np.ravel(self._make(text)) for text in texts], float)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        of_length_1: npt.NDArray[Any] = vectors / np.maximum(lengths, np.finfo(float).tiny)
        return of_length_1


def _vectors_of(given: Any) -> TextEncoder | str | os.PathLike[str] | None:
    """Return what is given for a model, as an encoder where it makes vectors. Raise TypeError."""
    if given is None or isinstance(given, str | os.PathLike) or hasattr(given, "encode"):
        known: TextEncoder | str | os.PathLike[str] | None = given
        return known
    for make in (getattr(given, "generate", None), getattr(given, "embed", None), given):
        if callable(make):
            return _OfOneText(make)
    raise TypeError(
        f"encoder= takes an encoder, the folder of a model, an object with generate or embed, or a callable, "
        f"got {type(given).__name__}."
    )


def _best_paragraph(query_embedding: "npt.ArrayLike", content: str, encoder: TextEncoder, query: str) -> str:
    """Return the best paragraph by words and meaning; the content itself if it has at most one."""
    paragraphs = split_paragraphs(content)
    if len(paragraphs) < 2:
        return content
    stems = [stems_of(fold(one)) for one in paragraphs]
    words = relevance(stems, asked_of(fold(query), stems))
    likely = weighed(by_words(words, MASS, BM25))
    ranked = sorted(range(len(paragraphs)), key=lambda number: -likely[number])
    characters = list(accumulate(len(paragraphs[number]) for number in ranked))
    some = any(one.bm25 for one in words)
    chosen = sorted(ranked[: max(2, bisect_right(characters, _ENCODED))] if some else ranked)
    similar = similarities(encoder, query_embedding, [paragraphs[number] for number in chosen]).tolist()
    evidence = by_words([words[number] for number in chosen], MASS, BM25)
    scores = weighed([*evidence, (SIMILARITY, [max(0.0, one) for one in similar])])
    return paragraphs[chosen[max(range(len(chosen)), key=lambda i: (scores[i], similar[i]))]]


def _nearest_sentences(query_embedding: "npt.ArrayLike", text: str, encoder: TextEncoder, room: int) -> str:
    """Return the run of sentences, at most `room` characters, that is nearest to the query in all.

    What counts is the sum by which its sentences are nearer than those of the text on average.
    """
    spans = sentence_spans(text)
    if len(spans) < 2:
        return text
    similar = similarities(encoder, query_embedding, [text[start:end] for start, end in spans]).tolist()
    mean = sum(similar) / len(similar)
    sums = list(accumulate((one - mean for one in similar), initial=0.0))
    ends = [end for _, end in spans]
    runs = (
        (sums[last + 1] - sums[first], -first, -last)
        for first, (start, _) in enumerate(spans)
        for last in range(first, bisect_right(ends, start + room))
    )
    best = max(runs, default=None)
    if best is None:  # no sentence fits
        first = last = max(range(len(spans)), key=similar.__getitem__)
    else:
        first, last = -best[1], -best[2]
    return text[spans[first][0] : spans[last][1]]


def paper_excerpt(here: ReleaseEvidence, key: str, query: str, max_chars: int) -> str:
    """See `Corpus.excerpt`."""
    if not query.strip():
        raise QueryError("The query is empty. Say what the excerpt is to be about.")
    at_least(1, max_chars=max_chars)
    library = here.library
    paper = library.paper(key)
    try:
        nearest = here.vectors.nearest(key, query)
    except ModelError as error:
        _log.warning("No excerpt of %r by meaning, taking one by words: %s", key, error)
        nearest = {}
    if not nearest:
        return extract_snippet("\n\n".join(library.texts(key)), query, max_chars)
    ranked = ranked_whole(here, paper, without_citations(query), nearest)
    best = next(one for one in ranked if one.sentence is not None)
    text, _ = paper.read(best.paragraph)
    start, end = snippet_span(text, frozenset(asked_terms(fold(query))), best.sentence, max_chars)
    return text[start:end]
