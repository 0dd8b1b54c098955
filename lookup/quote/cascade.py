"""The cascade: from a query to its answer. A tier runs only when the ones before it found nothing.

parse       query.py       the words as given, and as their writer may have changed them
by words    by_words.py    tier 1 and tier 2
  exact     exact.py       the words are printed as given
  ellipsis  by_words.py    the pieces between ellipses and brackets are printed, close together
  proximity proximity.py   most words stand close together; aligned_window.py places the query's pieces
certify     certify.py     the verdict on whatever was found
unprinted   unprinted.py   other pages and papers that print the words, else tier 3 and the next step
match       match.py       the printed characters of what was found, with page and boxes
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from lookup.errors import PageQuoteError
from lookup.limits import PageName
from lookup.papers.library import Library
from lookup.papers.paper import Paper, Paragraph
from lookup.quote.by_words import by_words, misread, printed
from lookup.quote.candidate import Candidate
from lookup.quote.exact import ExactSearch, as_given
from lookup.quote.match import Extent, match, needed
from lookup.quote.outcome import Outcome, Tier3
from lookup.quote.query import Query, parse
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import QuoteAnswer

_TOGETHER = 8  # Papers read by one statement; as many are kept at a time, of usual length.


class QuoteRequest(NamedTuple):
    """The words of a query, and where to look for them; `page` 0 is any.

    `cited` are the pages of which one should print the words: of places with the best verdict, those there
    come first. `cased` says that case counts in words without capitals too, `beside` what a manuscript says
    right before and after the words (see `parse`).
    """

    key: str
    words: str
    page: PageName = 0
    cited: frozenset[int] = frozenset()
    cased: bool = False
    beside: tuple[str, str] = ("", "")


def answer(
    library: Library, request: QuoteRequest, n: int, extent: Extent, nearest: Tier3 | None = None
) -> QuoteAnswer:
    """Return the answer to one request; without `nearest` tier 3 does not run.

    Raise QueryError, UnknownKeyError or PageNotFoundError.
    """
    return _shown(library, [request], [_outcome(library, request, n, nearest)], extent)[0]


def answers(
    library: Library,
    requests: Sequence[QuoteRequest],
    n: int,
    extent: Extent,
    nearest: Tier3 | None = None,
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
        asked = [requests[i] for i in numbers]
        outcomes = [_outcome_or_error(library, one, n, nearest) for one in asked]
        answered.update(zip(numbers, _shown(library, asked, outcomes, extent), strict=True))
    return [answered[i] for i in range(len(requests))]


def _asked_of(library: Library, request: QuoteRequest) -> Iterator[Paragraph]:
    """Yield the paragraphs that print the words of a request, as far as they are found at once."""
    with suppress(PageQuoteError):  # it is raised again where it is answered
        paper = library.paper(request.key)
        for piece in parse(request.words, cased=request.cased).readings[0].pieces:
            for first in islice(as_given(paper, piece), 1):
                yield from (paper.paragraphs[i] for i in first.flow.between(first.span))


def _outcome_or_error(library: Library, request: QuoteRequest, n: int, nearest: Tier3 | None) -> Outcome:
    try:
        return _outcome(library, request, n, nearest)
    except PageQuoteError as error:
        return Outcome(None, hint=str(error), covered=False, next_step=error.next_step)


def _outcome(library: Library, request: QuoteRequest, n: int, nearest: Tier3 | None) -> Outcome:
    """Return what the tiers find, on the first page with the words that the page number may mean."""
    paper = library.paper(request.key)
    query = parse(request.words, cased=request.cased, beside=request.beside)
    if not request.page:
        return _on_page(library, paper, query, request, 0, n, nearest)
    library.page_number(request.key, request.page)  # raises for a page that is not there
    found = [
        _on_page(library, paper, query, request, page, n, nearest)
        for page in library.pages_meant(request.key, request.page) or ()
    ]
    return next((one for one in found if one.candidates and one.candidates[0].verdict != "related"), found[0])


def _on_page(
    library: Library,
    paper: Paper,
    query: Query,
    request: QuoteRequest,
    page: int,
    n: int,
    nearest: Tier3 | None,
) -> Outcome:
    search = ExactSearch(paper)
    found = by_words(search, query, page, n)
    if request.cited:
        found = _cited_first(library, search, query, found, request.cited, n)
    verdict = found[0].verdict if found else None
    if verdict in PRINTED:
        return Outcome(paper, tuple(found[:n]))
    from lookup.quote.unprinted import unprinted  # not on the way to a quote that is printed  # noqa: PLC0415

    return unprinted(library, search, query, request.page, page, found, n, nearest)


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
        pages = library.word_pages(search.paper, [one.span for one in best])
        return [one for one, each in zip(best, pages, strict=True) if not cited.isdisjoint(each)]

    first = there(found)
    for page in sorted(cited) if not first else ():
        tier_1 = found[0].tier == 1
        first += there(printed(search, query, page, wanted) if tier_1 else misread(search, query, page))
    return list(dict.fromkeys([*first, *found]))


def _shown(
    library: Library, requests: Sequence[QuoteRequest], outcomes: Sequence[Outcome], extent: Extent
) -> list[QuoteAnswer]:
    """Return the outcomes of requests as answers; the rows that they show are read at once."""
    found = [
        (one.paper, needed(one.paper, each, extent))
        for one in outcomes
        if one.paper
        for each in one.candidates
    ]
    rows = iter(library.rows(found) if found else ())
    answers = []
    for request, one in zip(requests, outcomes, strict=True):
        matches = [
            match(library, request.key, each, next(rows), extent, request.words) for each in one.candidates
        ]
        said = one.hint, one.elsewhere, one.covered, one.next_step
        answers.append(QuoteAnswer(request.key, request.words, tuple(matches), *said))
    return answers
