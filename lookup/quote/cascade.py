"""From queries to answers: every finding first, then all the rows that they need at once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lookup.errors import ModelError, PageQuoteError
from lookup.next_step import NextStep
from lookup.papers.paper import Paper
from lookup.papers.reader import Reader
from lookup.quote import semantic
from lookup.quote.exact import Places
from lookup.quote.finding import Finding
from lookup.quote.hints import elsewhere, hint, other_page
from lookup.quote.match import Extent, match, needed
from lookup.quote.query import Query, parse
from lookup.quote.thresholds import NEAR_SCORE
from lookup.quote.tiers import findings
from lookup.results.quote_answer import Elsewhere, QuoteAnswer

_TOGETHER = 8
"""Papers read by one statement; as many are kept at a time, of usual length."""


@dataclass(frozen=True)
class Asked:
    """A query, and where to look for it."""

    key: str
    words: str
    page: int = 0


@dataclass(frozen=True)
class _Found:
    """What was found of one query, before it is shown."""

    asked: Asked
    paper: Paper | None
    findings: tuple[Finding, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    hint: str = ""
    covered: bool = True
    next_step: NextStep | None = None


def answer(
    reader: Reader, asked: Asked, n: int, extent: Extent, *, printed_only: bool = False
) -> QuoteAnswer:
    """The answer to one query; with `printed_only` what is merely near in meaning is none.

    Raises QueryError, UnknownKeyError or PageNotFoundError.
    """
    return _shown(reader, [_find(reader, asked, n, printed_only=printed_only)], extent)[0]


def answers(
    reader: Reader, asked: Sequence[Asked], n: int, extent: Extent, *, printed_only: bool = False
) -> list[QuoteAnswer]:
    """The answers to many, in their order; a query that cannot be answered says why in its hint."""
    by_key: dict[str, list[int]] = {}
    for place, one in enumerate(asked):
        by_key.setdefault(one.key, []).append(place)
    answered: dict[int, QuoteAnswer] = {}
    keys = list(by_key)
    for first in range(0, len(keys), _TOGETHER):
        together = keys[first : first + _TOGETHER]
        reader.read_ahead(together)
        places = [place for key in together for place in by_key[key]]
        found = [_found(reader, asked[place], n, printed_only=printed_only) for place in places]
        answered.update(zip(places, _shown(reader, found, extent), strict=True))
    return [answered[place] for place in range(len(asked))]


def _found(reader: Reader, asked: Asked, n: int, *, printed_only: bool) -> _Found:
    try:
        return _find(reader, asked, n, printed_only=printed_only)
    except PageQuoteError as error:
        return _Found(asked, None, hint=str(error), covered=False, next_step=error.next_step)


def _find(reader: Reader, asked: Asked, n: int, *, printed_only: bool = False) -> _Found:
    query: Query = parse(asked.words)
    paper = reader.paper(asked.key)
    reader.check_page(paper, asked.page)
    places = Places(paper)
    found = findings(places, query, asked.page, n)[:n]
    if found and (found[0].verdict == "verbatim" or (found[0].verdict == "near" and not asked.page)):
        return _Found(asked, paper, tuple(found))
    if found and found[0].verdict == "near":
        return _Found(asked, paper, tuple(found), (), other_page(places, query, asked.page))
    others = elsewhere(reader, asked.key, query)
    on_page = other_page(places, query, asked.page, thorough=True) if asked.page else ""
    error = None
    if paper.covered and not (others or on_page or printed_only):  # it is known where the words are from
        nearest, error = _nearest(reader, paper, query, asked.page, n)
        found = _merged(found, nearest)[:n]
    text, step, covered = hint(reader, paper, asked.page, found, others, on_page)
    if error:
        text, step = f"{text} By words alone: {error}", _with(step, error.next_step)
    return _Found(asked, paper, tuple(found), others, text, covered, step)


def _with(step: NextStep | None, second: NextStep | None) -> NextStep | None:
    return replace(step, also=second.kind) if step and second else step or second


def _nearest(
    reader: Reader, paper: Paper, query: Query, page: int, n: int
) -> tuple[list[Finding], ModelError | None]:
    """What tier 3 finds, and why words alone decided if they did."""
    if query.whole.short:
        return [], None
    why = None
    try:
        nearest = reader.nearest_sentences(paper.key, query.asked)
    except ModelError as error:
        nearest, why = {}, error
    ranked = semantic.rank(paper, query, nearest, page, n)
    if shown := [one.paragraph for one in ranked if one.sentence is not None]:
        reader.read_texts(shown)
    return [semantic.finding(paper, one) for one in ranked], why


def _merged(related: Sequence[Finding], nearest: Sequence[Finding]) -> list[Finding]:
    """What tier 2 found related and the passages of tier 3, best first.

    Where tier 2 is not sure, tier 3 ranks; of a passage that both found, the words that tier 2 aligned are shown.
    """
    if not nearest:
        return list(related)
    sure = [one for one in related if one.score >= NEAR_SCORE]
    aligned = {one.stretch.first: one for one in reversed(related)}
    merged = [*sure, *(aligned.get(one.stretch.first, one) for one in nearest)]
    return list(dict.fromkeys(merged))


def _shown(reader: Reader, found: Sequence[_Found], extent: Extent) -> list[QuoteAnswer]:
    wanted = [
        (one.paper, needed(one.paper, each, extent)) for one in found if one.paper for each in one.findings
    ]
    rows = iter(reader.rows(wanted) if wanted else ())
    return [
        QuoteAnswer(
            one.asked.key,
            one.asked.words,
            tuple(match(reader, one.asked.key, each, next(rows), extent) for each in one.findings),
            one.hint,
            one.elsewhere,
            one.covered,
            one.next_step,
        )
        for one in found
    ]
