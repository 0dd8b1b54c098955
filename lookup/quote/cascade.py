"""The cascade: from a query to its answer. A tier runs only when the ones before it found nothing.

parse       query.py       the words as given, and as their writer may have changed them
by words    here           tier 1 and tier 2
  exact     exact.py       the words are printed as given
  ellipsis  here           the pieces between ellipses and brackets are printed, close together
  proximity proximity.py   most words stand close together; aligned_window.py places the query's pieces
certify     certify.py     the verdict on whatever was found
unprinted   unprinted.py   other pages and papers that print the words, else tier 3 and the next step
match       match.py       the printed characters of what was found, with page and boxes
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lookup.errors import NextStep, PageQuoteError
from lookup.limits import PageName
from lookup.papers.library import Library
from lookup.papers.paper import Paper, Paragraph
from lookup.quote.certify import Candidate, Examined, certify, examine
from lookup.quote.exact import ExactSearch, as_given, by_letters, distinct, find, ways
from lookup.quote.match import Extent, match, needed
from lookup.quote.query import Query, parse
from lookup.quote.reading import Elision, Piece, Reading, long_enough
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Elsewhere, QuoteAnswer
from lookup.text.folding import fold, fold_with_offsets
from lookup.text.regex import regex
from lookup.text.words import STOP_WORDS, words_in

if TYPE_CHECKING:
    from lookup.errors import ModelError


def by_words(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, else what tier 2 finds, best first; only what touches `page` (0: any).

    Places that are not found at once are looked for further while there are fewer than `wanted`.
    """
    paragraphs = search.paper.paragraphs

    def order(one: Candidate) -> tuple[float, int, int, int]:
        first, last = one.span.first, one.span.last
        return -one.score, max(paragraphs[first].rank, paragraphs[last].rank), first, one.span.start

    found = printed(search, query, page, wanted) or over_pages(search, query) or misread(search, query, page)
    if not any(one.verdict in ("near", *PRINTED) for one in found):
        found = spaced_otherwise(search, query, page) or found
    return sorted(found, key=order)


def printed(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, in reading order: by the query as given, else by its other readings."""
    nearest: list[Candidate] = []
    for reading in (*query.readings, *query.others):
        found = _in_pieces(search, reading, page) if reading.abridges else find(search, reading, page, wanted)
        if any(one.verdict in PRINTED for one in found):
            return found
        nearest = nearest or found
    return nearest


def misread(search: ExactSearch, query: Query, page: int = 0) -> list[Candidate]:
    """Return what tier 2 finds, best first.

    Nothing for a question, unless the paper prints one with half of its words.
    """
    if _QUESTION.fullmatch(query.whole.folded):
        words = set(words_in(query.whole.folded)) - STOP_WORDS
        asked = (one.text_norm for one in search.paper.paragraphs if "?" in one.text_norm)
        if not any(2 * len(words.intersection(words_in(text))) >= len(words) for text in asked):
            return []
    from lookup.quote import proximity  # a quote that is printed does without  # noqa: PLC0415

    return proximity.find(search.paper, query, page)


_QUESTION = regex(r"(?:what|which|who|whom|whose|when|where|why|how)\b.*\?\W*")


def over_pages(search: ExactSearch, query: Query) -> list[Candidate]:
    """Return the places of a query that has the head, foot or number of a page where it runs over pages."""
    asked, beside = query.whole, query.readings[0].beside
    begins = " ".join(asked.folded.split()[:_BEGINNING])
    for i, paragraph in enumerate(search.paper.paragraphs):
        text = paragraph.text_norm
        over = paragraph.page < paragraph.page_end and begins in text
        for at in search.paper.page_ends(i) if over else ():
            before, after = (" ".join(words) for words in (text[:at].split()[-2:], text[at:].split()[:2]))
            end = asked.folded.find(f"{before} ") + len(before)
            start = asked.folded.find(f" {after}", end) + 1
            if len(before) <= end < start:
                folded = fold_with_offsets(asked.asked)
                parts = asked.asked[: folded.ends[end - 1]], asked.asked[folded.starts[start] :]
                pieces = tuple(Piece(part, fold(part), asked.cased) for part in parts)
                between = Elision(furniture=asked.folded[end:start].strip())
                places = _in_pieces(search, Reading(pieces, (between,), beside=beside))
                if any(one.verdict in PRINTED for one in places):
                    return places
    return []


_BEGINNING = 3  # Words of a query that a paragraph has in which it may run over pages.


def spaced_otherwise(search: ExactSearch, query: Query, page: int = 0) -> list[Candidate]:
    """Return the places with the query's letters and digits, in other words: near, as none is printed so."""
    if query.whole.short:
        return []
    proposals = [one for one in by_letters(search.paper, query.whole) if search.paper.touches(one.span, page)]
    examined = [examine(search.paper, query.whole, one) for one in proposals[:_SPACED_OTHERWISE]]
    found = (certify(search.paper, query.readings[0], [one]) for one in distinct(examined))
    return [one for one in found if one]


_SPACED_OTHERWISE = 3  # Places with the same letters that are looked at, at most.


def _in_pieces(search: ExactSearch, reading: Reading, page: int = 0) -> list[Candidate]:
    """Return places that print the pieces of `reading` in order within the bounds, in reading order.

    Where what is left out or put in changes what is said, the place is near, and its differences say so.
    """
    if not long_enough(reading):
        return []
    found: dict[object, Candidate] = {}
    for thorough in (False, True):
        places = [_places(search, piece, thorough=thorough) for piece in reading.pieces]
        found = {}
        for chain in _chains(places):
            start = chain[0].span
            if start not in found and (candidate := certify(search.paper, reading, chain)):
                found[start] = candidate  # the nearest end for each beginning
        if any(one.verdict in PRINTED for one in found.values()):
            break
    return [one for one in found.values() if search.paper.touches(one.span, page)]


def _places(search: ExactSearch, piece: Piece, *, thorough: bool) -> list[Examined]:
    found: list[Examined] = []
    for way in ways(piece):
        if thorough or not found:
            found = distinct([*found, *search.by(way, piece)])
    return found


def _chains(places: Sequence[list[Examined]]) -> list[list[Examined]]:
    """For each place of the last piece the nearest places of the others before it, in order."""
    ends = [[(one.span.last, one.span.end) for one in each] for each in places]
    chains = []
    for last in places[-1]:
        chain = [last]
        for each, ended in zip(reversed(places[:-1]), reversed(ends[:-1]), strict=True):
            before = bisect_right(ended, (chain[0].span.first, chain[0].span.start))
            if not before:
                break
            chain.insert(0, each[before - 1])
        else:
            chains.append(chain)
    return chains


class Outcome(NamedTuple):
    """What is found for a query, before it is shown: the places, or what to say instead.

    `paper` is None where there is no such paper; the rest is as in `QuoteAnswer`.
    """

    paper: Paper | None
    candidates: tuple[Candidate, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    hint: str = ""
    covered: bool = True
    next_step: NextStep | None = None


class NearestPassages(NamedTuple):
    """The passages that tier 3 ranks first, whether they are near, and why words alone decided."""

    found: Sequence[Candidate] = ()
    near: bool = False
    by_words_alone: "ModelError | None" = None


Tier3 = Callable[[Paper, "Query", int, Sequence[Candidate], int], NearestPassages]
"""Returns the passages of a paper nearest to a query, on a page (0: any), beside what tier 2 found there: so
many, where they are wanted."""


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
        library.read_texts([one for i in numbers for one in _asked_of(library, requests[i])])
        asked = [requests[i] for i in numbers]
        outcomes = []
        for one in asked:
            try:
                outcomes.append(_outcome(library, one, n, nearest))
            except PageQuoteError as error:
                outcomes.append(Outcome(None, (), (), str(error), covered=False, next_step=error.next_step))
        answered.update(zip(numbers, _shown(library, asked, outcomes, extent), strict=True))
    return [answered[i] for i in range(len(requests))]


def _asked_of(library: Library, request: QuoteRequest) -> Iterator[Paragraph]:
    """Yield the paragraphs that print the words of a request, as far as they are found at once."""
    with suppress(PageQuoteError):  # it is raised again where it is answered
        paper = library.paper(request.key)
        for piece in parse(request.words, cased=request.cased).readings[0].pieces:
            for first in islice(as_given(paper, piece), 1):
                yield from (paper.paragraphs[i] for i in first.flow.between(first.span))


class Asked(NamedTuple):
    """A request on its way through the tiers, on a page that it may mean (0: any); `n` places are wanted."""

    library: Library
    search: ExactSearch
    query: Query
    request: QuoteRequest
    page: int
    n: int
    nearest: Tier3 | None


def _outcome(library: Library, request: QuoteRequest, n: int, nearest: Tier3 | None) -> Outcome:
    """Return what the tiers find, on the first page with the words that the page number may mean."""
    paper = library.paper(request.key)
    query = parse(request.words, cased=request.cased, beside=request.beside)
    pages = [0]
    if request.page:
        library.page_number(request.key, request.page)  # raises for a page that is not there
        pages = library.pages_meant(request.key, request.page) or []
    found = [_on_page(Asked(library, ExactSearch(paper), query, request, page, n, nearest)) for page in pages]
    return next((one for one in found if one.candidates and one.candidates[0].verdict != "related"), found[0])


def _on_page(asked: Asked) -> Outcome:
    found = by_words(asked.search, asked.query, asked.page, asked.n)
    if asked.request.cited:
        found = _cited_first(asked, found)
    verdict = found[0].verdict if found else None
    if verdict in PRINTED:
        return Outcome(asked.search.paper, tuple(found[: asked.n]))
    from lookup.quote.unprinted import unprinted  # not on the way to a quote that is printed  # noqa: PLC0415

    return unprinted(asked, found)


def _cited_first(asked: Asked, found: list[Candidate]) -> list[Candidate]:
    """Return what `by_words` found, after the places on the pages cited with the verdict of its best one.

    These pages are searched one by one where none of the places found is on them: a phrase may be printed
    more often than places are looked for.
    """
    if not found or found[0].verdict == "related":
        return found
    search, cited = asked.search, asked.request.cited

    def there(candidates: Sequence[Candidate]) -> list[Candidate]:
        best = [one for one in candidates if one.verdict == found[0].verdict]
        pages = asked.library.word_pages(search.paper, [one.span for one in best])
        return [one for one, each in zip(best, pages, strict=True) if not cited.isdisjoint(each)]

    first = there(found)
    for page in sorted(cited) if not first else ():
        if found[0].tier == 1:
            first += there(printed(search, asked.query, page, asked.n))
        else:
            first += there(misread(search, asked.query, page))
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
