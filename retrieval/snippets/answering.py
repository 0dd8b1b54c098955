"""The passages of any text that answer a query, and none where nothing answers.

Each passage has five kinds of evidence: the share of the query's words that it holds, its BM25 among the
passages of the text, what its neighbours hold (a word that is everywhere in a text tells nothing apart), and
by a model the similarity of the passage and of its nearest sentence. A logistic regression makes one chance
of them (docs/decisions/0073-the-passages-that-answer.md has the data and the figures).
"""

import os
from collections.abc import Collection, Sequence
from itertools import pairwise, repeat
from math import exp
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lookup.errors import ModelError, QueryError
from lookup.limits import check_text
from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from retrieval.raw_text.paragraphs import paragraph_spans
from retrieval.scoring.relevance import asked_of, asked_terms, relevance, stems_of

if TYPE_CHECKING:
    import numpy.typing as npt


class TextEncoder(Protocol):
    """Makes vectors of texts, such as `Corpus.encoder`."""

    def encode(self, texts: Sequence[str], /) -> "npt.NDArray[Any]":
        """Return a vector of length 1 for each of `texts`, as (n, dimensions)."""


class RelevantSpan(NamedTuple):
    """A passage `text[start:end]` that answers a query; `score` is the chance that it does, from 0 to 1."""

    start: int
    end: int
    score: float


class _Weights(NamedTuple):
    """What each kind of evidence weighs, in log odds, and the chance from which a passage answers.

    `evidence` are the share of words, BM25, the neighbours, the passage and its nearest sentence.
    """

    evidence: tuple[float, float, float, float, float]
    constant: float
    least: float


LEAST_ALONE, LEAST_BESIDE = 0.28, 0.15
"""Chance by words of a text's best passage from which others are shown with it in a snippet, and of these
(docs/decisions/0073-the-passages-that-answer.md)."""

_BY_WORDS = _Weights((3.84, 2.21, -3.17, 0.0, 0.0), -2.44, 0.28)
_BY_WORDS_AND_MEANING = _Weights((3.81, 4.23, -2.81, -2.19, 6.17), -6.1, 0.1)
"""The first fitted to 361 questions, 313 sentences of citing papers and 50 queries of another collection, the
second to 147 questions, its chance in folds by paper where no passage has most of the words
(docs/decisions/0073-the-passages-that-answer.md)."""

LONG = 1500
"""Characters from which a paragraph is taken by its sentences: printed ones are mostly shorter, and a text
without blank lines is one paragraph."""


def relevant_spans(
    text: str, query: str, model: str | os.PathLike[str] | TextEncoder | None = "auto"
) -> list[RelevantSpan]:
    """Return the passages of `text` that answer `query`, in order; none where nothing answers.

    A passage is a paragraph of the text, or of one longer than 1,500 characters its sentences; neighbours
    are one passage. `start` and `end` are offsets in `text`, and white space at the ends is left out.

    `model` is the name or folder of a model, or an encoder; None is words alone. "auto" is the default model
    where it is installed, else words alone. Raise QueryError where the query has no word, ModelError where a
    model that was named cannot be used.
    """
    check_text(query)
    asked = asked_terms(fold(query))
    if not asked:
        raise QueryError(f"The query {query!r} has no word. Say what the passages are to be about.")
    units = []
    for start, end in paragraph_spans(text, 0):
        whole = end - start <= LONG
        sentences = [(0, end - start)] if whole else sentence_spans(text[start:end])
        units += [(start + first, start + last) for first, last in sentences]
    if not units:
        return []
    passages = [text[start:end] for start, end in units]
    stems = [stems_of(fold(one)) for one in passages]
    words = word_evidence(stems, asked_of(fold(query), stems))
    encoder = encoder_of(model)
    similar = None if encoder is None else _similarities(encoder, query, passages)
    least = (_BY_WORDS if similar is None else _BY_WORDS_AND_MEANING).least
    return _joined(text, units, chances(words, similar), least)


def word_evidence(stems: Sequence[str], terms: Collection[str]) -> list[tuple[float, float, float]]:
    """Return of each passage the share of the terms that it holds, its BM25, and its neighbours' share.

    Passages are in the order of their text, each given by its stems.
    """
    held = relevance(stems, terms)
    shares = [one.share for one in held]
    around = [(before + after) / 2 for before, after in zip([0.0, *shares], [*shares[1:], 0.0], strict=False)]
    return [(one.share, one.bm25, beside) for one, beside in zip(held, around, strict=False)]


def chances(
    words: Sequence[tuple[float, float, float]], similar: Sequence[tuple[float, float]] | None = None
) -> list[float]:
    """Return the chance of each passage that it answers, from 0 to 1.

    From its `word_evidence`, and by meaning from the similarity of the query to it and to its nearest
    sentence.
    """
    weights = _BY_WORDS if similar is None else _BY_WORDS_AND_MEANING
    found = []
    for by_words, by_meaning in zip(words, similar or repeat((0.0, 0.0)), strict=False):
        odds = weights.constant
        for weight, value in zip(weights.evidence, (*by_words, *by_meaning), strict=True):
            odds += weight * value
        found.append(1 / (1 + exp(-odds)))
    return found


def _joined(
    text: str, units: Sequence[tuple[int, int]], chances: Sequence[float], least: float
) -> list[RelevantSpan]:
    """Return the units with a chance of at least `least`; sentences that follow each other as one span."""
    found: list[RelevantSpan] = []
    for (start, end), chance in zip(units, chances, strict=True):
        if chance < least:
            continue
        if found and "\n\n" not in text[found[-1].end : start] and not text[found[-1].end : start].strip():
            found[-1] = RelevantSpan(found[-1].start, end, max(found[-1].score, chance))
        else:
            found.append(RelevantSpan(start, end, chance))
    return found


def encoder_of(model: str | os.PathLike[str] | TextEncoder | None) -> TextEncoder | None:
    """Return the encoder that is named or given; of "auto" the default one where it is installed."""
    if model is None or not isinstance(model, str | os.PathLike):
        return model
    from retrieval.embedding.encoder import shared_encoder  # noqa: PLC0415  # loaded with the first model
    from retrieval.embedding.model import DEFAULT_MODEL, default_models, find_model  # noqa: PLC0415

    if model != "auto":
        return shared_encoder(find_model(model))
    try:
        encoder = shared_encoder(find_model(default_models() / DEFAULT_MODEL))
        encoder.warm()
    except ModelError:
        return None
    return encoder


def _similarities(encoder: TextEncoder, query: str, passages: Sequence[str]) -> list[tuple[float, float]]:
    """Return the similarity of the query to each passage, and to its nearest sentence."""
    import numpy as np  # noqa: PLC0415  # loaded with the first vectors

    sentences = [[one[start:end] for start, end in sentence_spans(one)] or [one] for one in passages]
    texts = [*passages, *(sentence for each in sentences for sentence in each)]
    similar = similarities(encoder, encoder.encode([query])[0], texts)
    ends = np.cumsum([len(passages), *map(len, sentences)])
    return [
        (float(similar[number]), float(similar[first:last].max()))
        for number, (first, last) in enumerate(pairwise(ends.tolist()))
    ]


def similarities(encoder: TextEncoder, vector: "npt.ArrayLike", texts: Sequence[str]) -> "npt.NDArray[Any]":
    """Return the similarity of a vector to each text. Raise ValueError where it is not known of each."""
    import numpy as np  # noqa: PLC0415  # loaded with the first vectors

    from retrieval.embedding.signs import products  # noqa: PLC0415

    similar = products(np.asarray(encoder.encode(texts)), np.asarray(vector))
    if similar.shape != (len(texts),) or not np.isfinite(similar).all():
        raise ValueError(f"the encoder gave no vector for each of {len(texts)} texts")
    return similar
