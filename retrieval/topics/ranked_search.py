"""Rank the candidates found by words and by meaning (docs/decisions/0030)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from lookup.errors import ModelError, QueryError, SearchError
from lookup.index.release_index import ASIDE, ParagraphId
from lookup.limits import at_least, check_text
from lookup.text.folding import fold
from retrieval.embedding.sentence_vectors import Nearest
from retrieval.passages.hit_snippet import asked_words, snippet_span
from retrieval.passages.passage_ranking import ranked_whole, without_citations
from retrieval.scoring.evidence import QUOTABLE
from retrieval.scoring.lexical_index import Filters
from retrieval.scoring.relevance import asked_terms, says_something, spelled
from retrieval.topics.candidates import ParagraphRows, scores
from retrieval.topics.search_answer import Hit, Mode, SearchAnswer

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from lookup.errors import NextStep

    Vector = npt.NDArray[np.float32]

CANDIDATES = 100
"""Paragraphs found by words that are ranked, and as many found by meaning: 50 answer as many questions, and
find 0.002 less of what is relevant (docs/decisions/0030)."""

CANDIDATES_BY_WORDS = 50
"""The same where words alone decide: 100 find as many of the relevant papers in twice the time, 30 lose
answers (docs/decisions/0030)."""

_WIDER = 4  # Factor of the candidates in the next round, if too few papers are among those of this round.

_EACH = 4  # Candidates of a paper by words, at most, for each that is shown of it.
_ROUNDS = 4  # Most rounds.

_FUSED = 60
"""Added to a rank before it is turned round: the constant of reciprocal rank fusion (Cormack, Clarke and
Buettcher, SIGIR 2009), whose results hardly change between 20 and 100."""

ANSWERED: dict[Mode, float] = {"hybrid": 0.76, "lexical": 0.16, "semantic": 0.4}
"""Strength of the strongest candidate below which a corpus most likely has no answer: 98 to 100 % of
questions with one reach it (docs/decisions/0030)."""

_UNLIKELY = "Most likely no paper answers this: even the nearest passage is far from it"
_COMMON = "These words are everywhere, so none tells one passage from another"


class _Scored(NamedTuple):
    """A candidate: its row, paper, score and strength, and its nearest sentence if searched by meaning.

    Of those with the same `text`, one is shown; "" for a kind that is not quoted, such as a heading.
    """

    row: int
    key: str
    score: float
    strength: float
    sentence: int | None
    text: str


def search(
    here: ParagraphRows, query: str, n: int, mode: Mode, filters: Filters, per_paper: int
) -> SearchAnswer:
    """Return the `n` best paragraphs for `query`: see `Corpus.search`."""
    _check(n, per_paper)
    if mode not in {"hybrid", "lexical", "semantic"}:
        raise QueryError(f"There is no mode {mode!r}. Give 'hybrid', 'lexical' or 'semantic'.")
    check_text(query)
    asked = asked_terms(fold(query))
    if not asked:
        raise QueryError(f"The query {query!r} holds no letter or digit. Give the words to look for.")
    mode, vector, hint, step = _usable(here, query, mode)
    if mode != "semantic":
        asked = asked_terms(spelled(fold(query), here.lexical.holds))
    limit = max(CANDIDATES_BY_WORDS if mode == "lexical" else CANDIDATES, 2 * n)
    alone = filters.keys if filters.keys is not None and len(filters.keys) == 1 else ()
    per_paper = 0 if alone else per_paper
    for _ in range(_ROUNDS):
        if alone and mode == "hybrid" and filters == Filters(filters.keys):
            ranked, all_of_them = _ranked_within(here, without_citations(query), *alone), True
        else:
            ranked, all_of_them = _ranked(here, asked, vector, mode, filters, limit, _EACH * per_paper)
        found = _capped(ranked, n, per_paper)
        if len(found) == n or all_of_them:
            break
        limit *= _WIDER
    has_content = says_something(fold(query))
    answered = has_content and max((one.strength for one in ranked), default=0.0) >= ANSWERED[mode]
    if not answered:
        nothing = f"Nothing was found{' with these filters' if filters else ''}"
        said = _COMMON if not has_content else _UNLIKELY if found else nothing
        hint = f"{said}. Ask for other words{', or drop a filter' if filters else ''}. {hint}".rstrip()
    return SearchAnswer(query, mode, _hits(here, found, asked), answered, hint, step)


def fused(answers: Sequence[SearchAnswer], n: int) -> SearchAnswer:
    """Return the `n` hits that stand highest in all answers together, each with its best snippet."""
    points: dict[tuple[str, int], float] = {}
    best: dict[tuple[str, int], Hit] = {}
    for answer in answers:
        for rank_here, hit in enumerate(answer.hits, start=1):
            place = hit.key, hit.paragraph
            points[place] = points.get(place, 0) + 1 / (_FUSED + rank_here)
            best[place] = max(hit, best.get(place, hit), key=lambda one: one.score)
    order = sorted(points, key=lambda place: (-points[place], place))[:n]
    found = max(answers, key=lambda answer: (answer.answered, bool(answer)))
    query = " | ".join(answer.query for answer in answers)
    return replace(found, query=query, hits=tuple(best[place] for place in order))


def similar(
    here: ParagraphRows, place: ParagraphId, n: int, filters: Filters, per_paper: int
) -> SearchAnswer:
    """Return the `n` paragraphs of other papers nearest in meaning to this one: see `Corpus.similar`."""
    _check(n, per_paper)
    here.library.page_count(place.key)
    own_text = here.library.select(
        "SELECT text FROM printed_paragraphs WHERE key = ? AND paragraph = ?", [*place], place.key
    )
    if not own_text:
        count = len(here.library.texts(place.key))
        raise QueryError(
            f"{place.key!r} has paragraphs 0 to {count - 1}; there is no paragraph {place.paragraph}."
        )
    (row,) = here.rows_of([place])
    import numpy as np  # a search by words loads none  # noqa: PLC0415

    from retrieval.embedding.signs import products  # noqa: PLC0415

    (own,), (vector,) = here.passages([row], np.zeros(here.vectors.matrix.dimensions, np.float32))
    if own is None:
        raise QueryError(
            f"Paragraph {place.paragraph} of {place.key!r} has no vectors. "
            "Only titles, headings, running text, lists, captions and footnotes have vectors."
        )
    limit = max(CANDIDATES, 2 * n)
    for _ in range(_ROUNDS):
        nearest = here.nearest(vector, filters, limit)
        read = here.candidates(list(nearest))
        _, passages = here.passages(list(read), vector)
        alike = products(passages, vector).tolist()
        ranked = _sorted(read, alike, alike, [nearest[other] for other in read])
        found = _capped([one for one in ranked if one.key != place.key], n, per_paper)
        if len(found) == n or len(nearest) < limit:
            break
        limit *= _WIDER
    return SearchAnswer(
        own_text[0][0],
        "semantic",
        _hits(here, found, ()),
        hint="" if found else "No other paper has paragraphs to compare.",
    )


def _check(n: int, per_paper: int) -> None:
    at_least(1, limit=n)
    at_least(0, per_paper=per_paper)


def _usable(
    here: ParagraphRows, query: str, mode: Mode
) -> "tuple[Mode, npt.NDArray[np.float32] | None, str, NextStep | None]":
    """Return the mode that works here, the query's vector, and the answer's hint and next step."""
    vector, hint, step = None, "", None
    if mode != "lexical":
        try:
            here.vectors.warm()
            vector = here.vectors.query(query)
        except ModelError as error:
            mode, hint, step = "lexical", f"Searched by words alone: {error}", error.next_step
    if mode != "semantic":
        try:
            here.lexical.index.open()
        except SearchError as error:
            if mode == "lexical":
                raise
            mode, hint, step = "semantic", f"Searched by meaning alone: {error}", error.next_step
    return mode, vector, hint, step


def _ranked(
    here: ParagraphRows,
    asked: Sequence[str],
    vector: "Vector | None",
    mode: Mode,
    filters: Filters,
    limit: int,
    each: int,
) -> tuple[list[_Scored], bool]:
    """Return the candidates, best first, and whether they are all there are.

    By words, at most `each` are of one paper (0: any number).
    """
    nearest = {} if vector is None else here.nearest(vector, filters, limit)
    by_words = [] if mode == "semantic" else here.lexical.find(asked, limit, filters, each)
    full = each in Counter(place.key for place in by_words).values()
    everything = max(len(nearest), len(by_words)) < limit and not full
    rows = list(dict.fromkeys([*here.rows_of(by_words), *nearest]))
    if not rows:
        return [], True
    read = here.candidates(rows)
    if mode == "semantic":
        found = [nearest[row].similarity for row in read]
        return _sorted(read, found, found, [nearest[row] for row in read]), everything
    return _sorted(read, *scores(here, read, asked, filters, vector)), everything


def _ranked_within(here: ParagraphRows, query: str, key: str) -> list[_Scored]:
    """Return the paragraphs of the only paper that is searched as tier 3 ranks them, the best first."""
    paper = here.library.paper(key)
    nearest = here.vectors.nearest(key, query)
    far = min(nearest.values(), default=Nearest(0.0, 0))
    scored = []
    for one in ranked_whole(here, paper, query, nearest):
        number, _, _, kind, text, _, row = one.paragraph
        strength = one.words.mass + max(0.0, nearest.get(number, far).similarity)
        if kind not in ASIDE:
            text = text if kind in QUOTABLE else ""
            scored.append(_Scored(row, key, one.score, strength, one.sentence, text))
    return scored


def _sorted(
    read: Mapping[int, Mapping[str, Any]],
    scores: Iterable[float],
    strengths: Iterable[float],
    nearest: Iterable[Nearest | None],
) -> list[_Scored]:
    """Return the candidates, which were `read` by row, with the score, strength and sentence of each."""
    scored = [
        _Scored(
            row,
            one["key"],
            score,
            strength,
            sentence.sentence if sentence else None,
            one["text_norm"] if one["kind"] in QUOTABLE else "",
        )
        for (row, one), score, strength, sentence in zip(
            read.items(), scores, strengths, nearest, strict=True
        )
    ]
    return sorted(scored, key=lambda one: (-one.score, one.key, one.row))


def _capped(ranked: Sequence[_Scored], n: int, per_paper: int) -> list[_Scored]:
    """Return the first `n`, with at most `per_paper` of each paper (0: any number), and each text once."""
    taken: Counter[str] = Counter()
    texts: set[str] = set()
    found: list[_Scored] = []
    for one in ranked:
        if (one.text and one.text in texts) or (per_paper and taken[one.key] == per_paper):
            continue
        taken[one.key] += 1
        texts.add(one.text)
        found.append(one)
        if len(found) == n:
            break
    return found


def _hits(here: ParagraphRows, found: Sequence[_Scored], asked: Sequence[str]) -> tuple[Hit, ...]:
    if not found:
        return ()
    rows = here.candidates([one.row for one in found])
    wanted = frozenset(asked)
    papers = here.papers({one.key for one in found})
    hits = []
    for one in found:
        row = rows[one.row]
        start, end = snippet_span(row["text"], wanted, one.sentence)
        page, label = here.library.page_of(one.key, row, start)
        snippet = row["text"][start:end]
        hits.append(
            Hit(
                one.key,
                title=papers[one.key].known_as,
                page=page,
                page_label=label,
                score=one.score,
                text=snippet,
                cursor=row["cursor"] + start,
                spans=tuple(span for span, _ in asked_words(snippet, wanted)),
                **{name: row[name] for name in ("paragraph", "kind", "section_number", "section_title")},
            )
        )
    return tuple(hits)
