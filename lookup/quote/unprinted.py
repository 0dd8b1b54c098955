"""What is said of words that are not printed where they were looked for.

On which other pages they are, and in which other papers; that no reader sees them; else the passages nearest
in meaning, and the next step.
"""

from collections.abc import Sequence
from dataclasses import replace

from lookup.limits import PageName
from lookup.papers.library import Library
from lookup.papers.paper import Paper
from lookup.quote.by_words import by_words, printed
from lookup.quote.candidate import Candidate
from lookup.quote.exact import ExactSearch
from lookup.quote.hints import hint, not_on_page, not_seen
from lookup.quote.outcome import NearestPassages, Outcome, Tier3
from lookup.quote.query import Query
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Elsewhere

_OTHER_PAPERS = 5  # Other papers named, at most, that print the words.


def unprinted(
    library: Library,
    search: ExactSearch,
    query: Query,
    asked: PageName,
    page: int,
    found: Sequence[Candidate],
    n: int,
    nearest: Tier3 | None,
) -> Outcome:
    """Return what to say where tiers 1 and 2 `found` no more than this on `page`, which `asked` means.

    `page` 0 is any. Without `nearest` tier 3 does not run.
    """
    paper = search.paper
    if found and found[0].verdict == "near":
        if nearest and len(found) < n:  # what tier 3 finds comes after, where more is wanted
            passages = nearest(paper, query, page, found, n)
            there = [one for one in found if one.verdict == "near"]
            also = [one for one in passages.found if one not in there]
            found = [*there, *also] if passages.near else found
        pages = other_pages(library, search, query, page) if page else []
        said = not_on_page(library, paper.key, asked, page, pages), library.reservations(paper.key)
        return Outcome(paper, tuple(found[:n]), hint=" ".join(filter(None, said)))
    others = elsewhere(library, paper.key, query)
    pages = other_pages(library, search, query, page, or_near=True) if page else []
    unseen = [] if pages else printed(ExactSearch(paper.unseen), query, page)
    if any(one.verdict in PRINTED for one in unseen):
        places = [paper.unseen.paragraphs[one.span.first] for one in unseen]
        return Outcome(paper, (), others, not_seen(library, paper.key, places, others))
    passages = NearestPassages()
    if nearest and paper.covered and not (others or pages):
        passages = nearest(paper, query, page, found, n)
    weak = passages.found[0] if passages.found and not passages.near and not found else None
    found = (passages.found if passages.near else found)[:n]
    text, step, covered = hint(library, paper, asked, page, found, others, pages, weak)
    if passages.by_words_alone:
        text = f"{text} Searched by words alone, not by meaning: {passages.by_words_alone}"
        second = passages.by_words_alone.next_step
        step = replace(step, also=second.kind) if step and second else step or second
    return Outcome(paper, tuple(found), others, text, covered, step)


def elsewhere(library: Library, key: str, query: Query) -> tuple[Elsewhere, ...]:
    """Return other papers than `key` that print the words."""
    if query.whole.short or library.papers < 2:
        return ()  # every paper has such short words: they do not show who is quoted
    from lookup.quote.which_papers import places_with_words  # a quote that is printed does without  # noqa: PLC0415

    found: list[Elsewhere] = []
    for place in places_with_words(library, query):
        paper, there = place, [] if place.key == key else _printing(place, query)
        if there and not _judged_alone(there[0]):
            paper = library.paper(place.key)
            there = _printing(paper, query)
        if there:
            page = library.word_pages(paper, [there[0].span])[0].start
            found.append(Elsewhere(paper.key, page, library.page_label(paper.key, page)))
        if len(found) == _OTHER_PAPERS:
            break
    return tuple(found)


def _printing(paper: Paper, query: Query) -> list[Candidate]:
    return [one for one in printed(ExactSearch(paper), query) if one.verdict in PRINTED]


def _judged_alone(one: Candidate) -> bool:
    """Return whether the paragraph alone tells that it prints the words, whatever else the paper has.

    What may be a citation mark, and what lies between pieces or paragraphs, is told by the whole paper.
    """
    return one.verdict == PRINTED[0] and one.span.first == one.span.last and not one.omitted


def other_pages(
    library: Library, search: ExactSearch, query: Query, page: int, *, or_near: bool = False
) -> list[int]:
    """Return the pages other than `page` that print the words, or with `or_near` nearly do if none does."""
    found = printed(search, query, wanted=3)
    if not found and or_near:
        found = [one for one in by_words(search, query, wanted=3) if one.verdict == "near"]
    pages = library.word_pages(search.paper, [one.span for one in found])
    return sorted({each.start for each in pages} - {page})
