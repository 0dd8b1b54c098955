"""The cascade: from a query to its answer. A tier runs only when the ones before it found nothing.

parse       query.py       the words as given, and as their writer may have changed them
exact       exact.py       tier 1: the words are printed as given
ellipsis    ellipsis.py    tier 1: the pieces between ellipses and brackets are printed, close together
proximity   proximity.py   tier 2: most words stand close together; verdict.py compares and judges them
elsewhere   (below)        pages and papers that print what this page or paper does not
semantic    semantic.py    tier 3: the passages nearest in meaning
hints       hints.py       the next step, where nothing was found or only a related passage
match       match.py       the printed characters of what was found, with page and boxes
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from lookup.embedding.sentence_vectors import SentenceVectors
from lookup.errors import ModelError, PageQuoteError
from lookup.next_step import NextStep
from lookup.papers.library import Library
from lookup.papers.paper import Paper, Paragraph
from lookup.papers.word_pages import word_pages
from lookup.quote import ellipsis, exact, proximity, semantic
from lookup.quote.candidate import Candidate
from lookup.quote.exact import ExactSearch, paragraphs_with
from lookup.quote.hints import hint, not_on_page, not_seen
from lookup.quote.match import Extent, match, needed
from lookup.quote.query import Query, parse
from lookup.quote.thresholds import NEAR_SCORE
from lookup.results.papers import PageName
from lookup.results.quote_answer import PRINTED, Elsewhere, QuoteAnswer

_TOGETHER = 8
"""Papers read by one statement; as many are kept at a time, of usual length."""

_OTHER_PAPERS = 5
"""Other papers named, at most, that print the words."""

_TRIED = 20
"""Other papers looked into, at most: those that print most pieces of the quote, some 5 ms each."""


@dataclass(frozen=True)
class QuoteRequest:
    """The words of a query, and where to look for them; `page` 0 is any.

    `cited` are the pages of which one should print the words: of places with the best verdict, those there
    come first. `cased` says that case counts in words without capitals too (see `parse`).
    """

    key: str
    words: str
    page: PageName = 0
    cited: frozenset[int] = frozenset()
    cased: bool = False


@dataclass(frozen=True)
class _Outcome:
    """What the tiers found for a request, before it is shown."""

    request: QuoteRequest
    paper: Paper | None
    candidates: tuple[Candidate, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    hint: str = ""
    covered: bool = True
    next_step: NextStep | None = None


def answer(
    library: Library, request: QuoteRequest, n: int, extent: Extent, vectors: SentenceVectors | None = None
) -> QuoteAnswer:
    """Return the answer to one request; without `vectors` tier 3 does not run.

    Raise QueryError, UnknownKeyError or PageNotFoundError.
    """
    return _shown(library, [_outcome(library, request, n, vectors)], extent)[0]


def answers(
    library: Library,
    requests: Sequence[QuoteRequest],
    n: int,
    extent: Extent,
    vectors: SentenceVectors | None = None,
) -> list[QuoteAnswer]:
    """Return the answers to many requests, in order; the hint of one that raises an error is its message."""
    by_key: dict[str, list[int]] = {}
    for i, request in enumerate(requests):
        by_key.setdefault(request.key, []).append(i)
    answered: dict[int, QuoteAnswer] = {}
    keys = list(by_key)
    for first in range(0, len(keys), _TOGETHER):
        together = keys[first : first + _TOGETHER]
        library.read_ahead(together)
        numbers = [i for key in together for i in by_key[key]]
        library.read_ahead_texts([one for i in numbers for one in _asked_of(library, requests[i])])
        outcomes = [_outcome_or_error(library, requests[i], n, vectors) for i in numbers]
        answered.update(zip(numbers, _shown(library, outcomes, extent), strict=True))
    return [answered[i] for i in range(len(requests))]


def _asked_of(library: Library, request: QuoteRequest) -> Iterator[Paragraph]:
    """Yield the paragraphs that print the words of a request, as far as they are found at once."""
    with suppress(PageQuoteError):  # it is raised again where it is answered
        paper = library.paper(request.key)
        for piece in parse(request.words, cased=request.cased).readings[0].pieces:
            yield from (paper.paragraphs[i] for i in paragraphs_with(paper, piece))


def _outcome_or_error(
    library: Library, request: QuoteRequest, n: int, vectors: SentenceVectors | None
) -> _Outcome:
    try:
        return _outcome(library, request, n, vectors)
    except PageQuoteError as error:
        return _Outcome(request, None, hint=str(error), covered=False, next_step=error.next_step)


def _outcome(library: Library, request: QuoteRequest, n: int, vectors: SentenceVectors | None) -> _Outcome:
    """Return what the tiers find, on the first page with the words that the page number may mean."""
    paper = library.paper(request.key)
    query = parse(request.words, cased=request.cased)
    if not request.page:
        return _on_page(library, paper, query, request, 0, n, vectors)
    library.page_number(request.key, request.page)  # raises for a page that is not there
    found = [
        _on_page(library, paper, query, request, page, n, vectors)
        for page in library.pages_meant(request.key, request.page)
    ]
    return next((one for one in found if one.candidates and one.candidates[0].verdict != "related"), found[0])


def _on_page(
    library: Library,
    paper: Paper,
    query: Query,
    request: QuoteRequest,
    page: int,
    n: int,
    vectors: SentenceVectors | None,
) -> _Outcome:
    search = ExactSearch(paper)
    found = by_words(search, query, page, n)
    if request.cited:
        found = _cited_first(library, search, query, found, request.cited, n)
    found = found[:n]
    verdict = found[0].verdict if found else None
    if verdict in PRINTED or (verdict == "near" and not page):
        return _Outcome(request, paper, tuple(found))
    if verdict == "near":
        pages = other_pages(library, search, query, page)
        return _Outcome(request, paper, tuple(found), hint=not_on_page(request.page, page, pages))
    others = elsewhere(library, request.key, query)
    pages = other_pages(library, search, query, page, or_near=True) if page else []
    unseen = [] if pages else printed(ExactSearch(paper.unseen), query, page)
    if any(one.verdict in PRINTED for one in unseen):
        on = sorted({paper.unseen.paragraphs[one.stretch.first].page for one in unseen})
        return _Outcome(request, paper, (), others, not_seen(paper.key, on, others))
    by_words_alone = None
    if vectors and paper.covered and not others and not pages:
        nearest, by_words_alone = _by_meaning(library, vectors, paper, query, page, n)
        found = _merged(found, nearest)[:n]
    text, step, covered = hint(library, paper, request.page, page, found, others, pages)
    if by_words_alone:
        text, step = (
            f"{text} Searched by words alone, not by meaning: {by_words_alone}",
            _with(step, by_words_alone.next_step),
        )
    return _Outcome(request, paper, tuple(found), others, text, covered, step)


def _with(step: NextStep | None, second: NextStep | None) -> NextStep | None:
    return replace(step, also=second.kind) if step and second else step or second


def _cited_first(
    library: Library,
    search: ExactSearch,
    query: Query,
    found: list[Candidate],
    cited: frozenset[int],
    wanted: int,
) -> list[Candidate]:
    """Return what `by_words` found, after the places on the pages `cited` with the verdict of its best one.

    These pages are searched one by one where none of the places found is on them: a phrase may be printed
    more often than places are looked for.
    """
    if not found or found[0].verdict == "related":
        return found

    def there(candidates: Sequence[Candidate]) -> list[Candidate]:
        best = [one for one in candidates if one.verdict == found[0].verdict]
        pages = word_pages(library, search.paper, [one.stretch for one in best])
        return [one for one, each in zip(best, pages, strict=True) if not cited.isdisjoint(each)]

    first = there(found)
    for page in sorted(cited) if not first else ():
        if found[0].tier == 1:
            first += there(printed(search, query, page, wanted))
        else:
            first += there(proximity.find(search.paper, query, page, wanted))
    return list(dict.fromkeys([*first, *found]))


def by_words(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, else what tier 2 finds, best first; only what touches `page` (0: any).

    Places that are not found at once are looked for further while there are fewer than `wanted`.
    """
    paper = search.paper
    found = printed(search, query, page, wanted) or proximity.find(paper, query, page, wanted)
    return sorted(
        found, key=lambda one: (-one.score, _rank(paper, one), one.stretch.first, one.stretch.start)
    )


def printed(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, in reading order: by the query as given, else by its other readings."""
    nearest: list[Candidate] = []
    for reading in query.readings:
        if reading.abridges:
            found = ellipsis.find(search, reading, page)
        else:
            found = exact.find(search, reading, page, wanted)
        if any(one.verdict in PRINTED for one in found):
            return found
        nearest = nearest or found
    return nearest


def _rank(paper: Paper, candidate: Candidate) -> int:
    return max(paper.paragraphs[i].rank for i in (candidate.stretch.first, candidate.stretch.last))


def elsewhere(library: Library, key: str, query: Query) -> tuple[Elsewhere, ...]:
    """Return other papers than `key` that print the words."""
    if query.whole.short or library.papers < 2:
        return ()  # every paper has such short words: they do not show who is quoted
    from lookup.quote.which_papers import papers_with_words  # a quote that is printed does without  # noqa: PLC0415

    found: list[Elsewhere] = []
    for other in islice((one for one in papers_with_words(library, query) if one != key), _TRIED):
        paper = library.paper(other)
        there = [one for one in printed(ExactSearch(paper), query) if one.verdict in PRINTED]
        if there:
            page = word_pages(library, paper, [there[0].stretch])[0].start
            found.append(Elsewhere(other, page, library.page_label(other, page)))
        if len(found) == _OTHER_PAPERS:
            break
    return tuple(found)


def other_pages(
    library: Library, search: ExactSearch, query: Query, page: int, *, or_near: bool = False
) -> list[int]:
    """Return the pages other than `page` that print the words, or with `or_near` nearly do if none does."""
    found = printed(search, query, wanted=3)
    if not found and or_near:
        found = [one for one in by_words(search, query, wanted=3) if one.verdict == "near"]
    pages = word_pages(library, search.paper, [one.stretch for one in found])
    return sorted({each.start for each in pages} - {page})


def _by_meaning(
    library: Library, vectors: SentenceVectors, paper: Paper, query: Query, page: int, n: int
) -> tuple[list[Candidate], ModelError | None]:
    """Return what tier 3 finds, and the error because of which words alone decided, if they did."""
    by_words_alone = None
    try:
        nearest = vectors.nearest(paper.key, query.asked)
    except ModelError as error:
        nearest, by_words_alone = {}, error
    ranked = semantic.rank(paper, query, nearest, page, n)
    if shown := [one.paragraph for one in ranked if one.sentence is not None]:
        library.read_texts(shown)
    return [semantic.candidate(paper, one) for one in ranked], by_words_alone


def _merged(related: Sequence[Candidate], nearest: Sequence[Candidate]) -> list[Candidate]:
    """Return what tier 2 found related and the passages of tier 3, best first.

    Where tier 2 is not sure, tier 3 ranks; of a passage that both found, the words that tier 2 aligned are
    shown.
    """
    if not nearest:
        return list(related)
    sure = [one for one in related if one.score >= NEAR_SCORE]
    aligned = {one.stretch.first: one for one in reversed(related)}
    merged = [*sure, *(aligned.get(one.stretch.first, one) for one in nearest)]
    return list(dict.fromkeys(merged))


def _shown(library: Library, outcomes: Sequence[_Outcome], extent: Extent) -> list[QuoteAnswer]:
    """Return the outcomes as answers; the rows that they show are read at once."""
    wanted = [
        (one.paper, needed(one.paper, candidate, extent))
        for one in outcomes
        if one.paper
        for candidate in one.candidates
    ]
    rows = iter(library.rows(wanted) if wanted else ())
    return [
        QuoteAnswer(
            one.request.key,
            one.request.words,
            tuple(match(library, one.request.key, each, next(rows), extent) for each in one.candidates),
            one.hint,
            one.elsewhere,
            one.covered,
            one.next_step,
        )
        for one in outcomes
    ]
