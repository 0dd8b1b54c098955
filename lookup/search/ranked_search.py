"""Rank the candidates found by words and by meaning, by the same evidence as tier 3 (docs/decisions/0013)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lookup.embedding.sentence_vectors import Nearest, SentenceVectors
from lookup.errors import ModelError, QueryError, SearchError
from lookup.papers.library import Library
from lookup.results.search_answer import Hit, Mode, RetrievalAnswer
from lookup.search.candidates import nearest_paragraphs, nearest_sentences, paragraph_rows, vectors_of
from lookup.search.filters import Filters
from lookup.search.hit_snippet import snippet_span
from lookup.search.lexical_index import LexicalIndex, ParagraphId
from lookup.text.evidence import BM25, MASS, SIMILARITY, weighed
from lookup.text.folding import fold
from lookup.text.relevance import NOTHING, relevance, terms
from lookup.text.words import index_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lookup.next_step import NextStep

CANDIDATES = 100
"""Paragraphs found by words that are ranked, and as many found by meaning: 50 and 200 answer as many
questions."""

_WIDER = 4
"""Factor of the candidates in the next round, if too few papers are among those of this round."""

_ROUNDS = 4
"""Most rounds."""

_ROW = (
    "page", "kind", "section_number", "section_title", "text", "cursor", "lines",
)  # fmt: skip


@dataclass(frozen=True)
class SearchParts:
    """What a search reads of a release."""

    library: Library
    vectors: SentenceVectors
    lexical: LexicalIndex


@dataclass(frozen=True)
class _Scored:
    """A candidate: its score, and its nearest sentence if the search was by meaning."""

    place: ParagraphId
    score: float
    sentence: int | None = None


def search(
    parts: SearchParts, query: str, n: int, mode: Mode, filters: Filters, per_paper: int
) -> RetrievalAnswer:
    """Return the `n` best paragraphs for `query`: see `Corpus.search`."""
    _check(n, per_paper)
    if mode not in {"hybrid", "lexical", "semantic"}:
        raise QueryError(f"There is no mode {mode!r}. Give 'hybrid', 'lexical' or 'semantic'.")
    asked = dict.fromkeys(terms(fold(query)))
    if not asked:
        raise QueryError(f"The query {query!r} holds no letter or digit. Give the words to look for.")
    mode, vector, hint, step = _usable(parts, query, mode)
    found: list[_Scored] = []
    limit = max(CANDIDATES, 2 * n)
    for _ in range(_ROUNDS):
        ranked, all_of_them = _ranked(parts, query, vector, mode, filters, limit)
        found = _capped(ranked, n, 0 if filters.keys is not None and len(filters.keys) == 1 else per_paper)
        if len(found) == n or all_of_them:
            break
        limit *= _WIDER
    if not found:
        filtered = "Nothing was found with these filters. Ask for other words, or drop a filter."
        nothing = filtered if filters else "Nothing was found. Ask for other words."
        hint = f"{nothing} {hint}".rstrip()
    return RetrievalAnswer(query, mode, _hits(parts, found, asked), hint, step)


def similar(
    parts: SearchParts, place: ParagraphId, n: int, filters: Filters, per_paper: int
) -> RetrievalAnswer:
    """Return the `n` paragraphs of other papers nearest in meaning to this one: see `Corpus.similar`."""
    _check(n, per_paper)
    parts.library.page_count(place.key)
    own_text = parts.library.select(
        "SELECT text FROM printed_paragraphs WHERE key = ? AND paragraph = ?", [*place]
    )
    if not own_text:
        count = len(parts.library.texts(place.key))
        raise QueryError(
            f"{place.key!r} has paragraphs 0 to {count - 1}; there is no paragraph {place.paragraph}."
        )
    vectors = parts.vectors.meaning.vectors
    own = vectors_of(parts.library, [place]).get(place)
    if own is None:
        raise QueryError(
            f"Paragraph {place.paragraph} of {place.key!r} has no vectors. "
            "Only titles, headings, running text, lists, captions and footnotes have vectors."
        )
    vector = vectors.mean(own)
    found: list[_Scored] = []
    limit = max(CANDIDATES, 2 * n)
    for _ in range(_ROUNDS):
        nearest = nearest_paragraphs(parts.library, parts.vectors, vector, filters, limit)
        numbers = vectors_of(parts.library, [other for other in nearest if other.key != place.key])
        scored = [
            _Scored(other, float(vectors.mean(each) @ vector), nearest[other].sentence)
            for other, each in numbers.items()
        ]
        found = _capped(_sorted(scored), n, per_paper)
        if len(found) == n or len(nearest) < limit:
            break
        limit *= _WIDER
    return RetrievalAnswer(
        own_text[0][0],
        "semantic",
        _hits(parts, found, ()),
        "" if found else "No other paper has paragraphs to compare.",
    )


def _check(n: int, per_paper: int) -> None:
    if n < 1:
        raise QueryError(f"n must be at least 1, got {n}.")
    if per_paper < 0:
        raise QueryError(f"per_paper must be at least 0 (any number), got {per_paper}.")


def _usable(
    parts: SearchParts, query: str, mode: Mode
) -> "tuple[Mode, npt.NDArray[np.float32] | None, str, NextStep | None]":
    """Return the mode that works here, the query's vector, and the answer's hint and next step."""
    vector, hint, step = None, "", None
    if mode != "lexical":
        try:
            parts.vectors.meaning.warm()
            vector = parts.vectors.meaning.query(query)
        except ModelError as error:
            mode, hint, step = "lexical", f"Searched by words alone: {error}", error.next_step
    if mode != "semantic":
        try:
            parts.lexical.open()
        except SearchError as error:
            if mode == "lexical":
                raise
            mode, hint, step = "semantic", f"Searched by meaning alone: {error}", error.next_step
    return mode, vector, hint, step


def _ranked(
    parts: SearchParts,
    query: str,
    vector: "npt.NDArray[np.float32] | None",
    mode: Mode,
    filters: Filters,
    limit: int,
) -> tuple[list[_Scored], bool]:
    """Return the candidates, best first, and whether they are all there are."""
    nearest: dict[ParagraphId, Nearest] = {}
    if vector is not None:
        nearest = nearest_paragraphs(parts.library, parts.vectors, vector, filters, limit)
    if mode == "semantic":
        return [_Scored(place, *one) for place, one in nearest.items()], len(nearest) < limit
    folded = fold(query)
    asked = list(dict.fromkeys(terms(folded)))
    by_words = parts.lexical.find(asked, limit, filters)
    everything = len(nearest) < limit and len(by_words) < limit
    if vector is not None:
        nearest |= nearest_sentences(
            parts.library, parts.vectors, vector, [place for place in by_words if place not in nearest]
        )
    places = list(dict.fromkeys([*by_words, *nearest]))
    if not places:
        return [], True
    rows = paragraph_rows(parts.library, places, ["text_norm"])
    index = index_of([rows[place]["text_norm"] for place in places])
    held = relevance(index, folded, range(len(places)), parts.lexical.statistics(asked, filters.kinds))
    words = [held.get(number, NOTHING) for number in range(len(places))]
    evidence = [(MASS, [one.mass for one in words]), (BM25, [one.bm25 for one in words])]
    if nearest:
        far = min(nearest.values())  # a paragraph without vectors counts as the farthest
        evidence.append((SIMILARITY, [max(0.0, nearest.get(place, far).similarity) for place in places]))
    # A single candidate has no standard deviation.
    scores = weighed(evidence) if len(places) > 1 else [_mean(evidence)]
    scored = [
        _Scored(place, score, nearest[place].sentence if place in nearest else None)
        for place, score in zip(places, scores, strict=True)
    ]
    return _sorted(scored), everything


def _mean(evidence: Sequence[tuple[float, Sequence[float]]]) -> float:
    """Return the weighted mean of the evidence of one candidate."""
    return sum(weight * value for weight, (value,) in evidence) / sum(weight for weight, _ in evidence)


def _sorted(scored: Iterable[_Scored]) -> list[_Scored]:
    return sorted(scored, key=lambda one: (-one.score, one.place))


def _capped(ranked: Sequence[_Scored], n: int, per_paper: int) -> list[_Scored]:
    """Return the first `n`, with at most `per_paper` of each paper (0: any number)."""
    taken: Counter[str] = Counter()
    found: list[_Scored] = []
    for one in ranked:
        if per_paper and taken[one.place.key] == per_paper:
            continue
        taken[one.place.key] += 1
        found.append(one)
        if len(found) == n:
            break
    return found


def _hits(parts: SearchParts, found: Sequence[_Scored], asked: Iterable[str]) -> tuple[Hit, ...]:
    if not found:
        return ()
    terms_asked = set(asked)
    rows = paragraph_rows(parts.library, [one.place for one in found], _ROW)
    keys = list({one.place.key for one in found})
    query = f"SELECT key, title FROM papers WHERE key IN ({', '.join('?' * len(keys))})"
    titles = dict(parts.library.select(query, keys))
    hits = []
    for one in found:
        row = rows[one.place]
        start, end = snippet_span(row["text"], terms_asked, one.sentence)
        page = next((line["page"] for line in row["lines"] if line["end"] > start), row["page"])
        hits.append(
            Hit(
                *one.place,
                titles[one.place.key],
                page,
                parts.library.page_label(one.place.key, page),
                row["kind"],
                row["section_number"],
                row["section_title"],
                one.score,
                row["text"][start:end],
                row["cursor"] + start,
            )
        )
    return tuple(hits)
