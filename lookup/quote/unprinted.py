"""What is said of words that are not printed where they were looked for.

On which other pages they are, and in which other papers; that no reader sees them; else the passages nearest
in meaning, and the next step.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lookup.errors import ModelError
from lookup.papers.library import Library
from lookup.papers.paper import Paper
from lookup.quote import semantic
from lookup.quote.by_words import by_words, printed
from lookup.quote.candidate import Candidate
from lookup.quote.exact import ExactSearch
from lookup.quote.hints import hint, not_on_page, not_seen
from lookup.quote.outcome import Outcome
from lookup.quote.query import Query
from lookup.quote.thresholds import ANY_MODEL, BOUNDS, COMPARED, COMPARED_EXPANDED, WITHOUT_EXPANDED
from lookup.results.difference import PRINTED
from lookup.results.papers import PageName
from lookup.results.quote_answer import Elsewhere
from lookup.text.folding import fold
from lookup.text.relevance import asked_terms, says_something

if TYPE_CHECKING:
    from lookup.embedding.sentence_vectors import SentenceVectors

_OTHER_PAPERS = 5  # Other papers named, at most, that print the words.


def unprinted(
    library: Library,
    search: ExactSearch,
    query: Query,
    asked: PageName,
    page: int,
    found: Sequence[Candidate],
    n: int,
    vectors: "Callable[[], SentenceVectors] | None",
) -> Outcome:
    """Return what to say where tiers 1 and 2 `found` no more than this on `page`, which `asked` means.

    `page` 0 is any. Without `vectors` tier 3 does not run.
    """
    paper = search.paper
    if found and found[0].verdict == "near":
        if vectors and len(found) < n:  # what tier 3 finds comes after, where more is wanted
            nearest, near, _ = _nearest(library, paper, query, page, found, n, vectors)
            there = [one for one in found if one.verdict == "near"]
            found = [*there, *(one for one in nearest if one not in there)] if near else found
        pages = other_pages(library, search, query, page) if page else []
        said = not_on_page(library, paper.key, asked, page, pages), library.reservations(paper.key)
        return Outcome(paper, tuple(found[:n]), hint=" ".join(filter(None, said)))
    others = elsewhere(library, paper.key, query)
    pages = other_pages(library, search, query, page, or_near=True) if page else []
    unseen = [] if pages else printed(ExactSearch(paper.unseen), query, page)
    if any(one.verdict in PRINTED for one in unseen):
        places = [paper.unseen.paragraphs[one.span.first] for one in unseen]
        return Outcome(paper, (), others, not_seen(library, paper.key, places, others))
    by_words_alone, weak = None, None
    if vectors and paper.covered and not (others or pages) and says_something(fold(query.asked)):
        nearest, near, by_words_alone = _nearest(library, paper, query, page, found, n, vectors)
        weak = nearest[0] if nearest and not near and not found else None
        found = nearest if near else found
    found = found[:n]
    text, step, covered = hint(library, paper, asked, page, found, others, pages, weak)
    if by_words_alone:
        text = f"{text} Searched by words alone, not by meaning: {by_words_alone}"
        second = by_words_alone.next_step
        step = replace(step, also=second.kind) if step and second else step or second
    return Outcome(paper, tuple(found), others, text, covered, step)


def _nearest(
    library: Library,
    paper: Paper,
    query: Query,
    page: int,
    found: Sequence[Candidate],
    n: int,
    vectors: "Callable[[], SentenceVectors]",
) -> tuple[list[Candidate], bool, ModelError | None]:
    """Return the passages that tier 3 ranks first, whether they are near, and why words alone decide.

    Of a paragraph in which tier 2 aligned words, these are shown: what it `found`.
    """
    aligned = {one.span.first: one for one in reversed(found)}
    asked = semantic.without_citations(query.asked)
    meant, error = semantic.Meant({}, aligned=aligned), None
    try:
        sentences = vectors()
        nearest = sentences.nearest(paper.key, asked)
        expanded = library.expanded.within(paper.key, asked, len(paper.paragraphs))
        beyond = sentences.elsewhere(paper.key, asked) if nearest else None
        bounds, nearer = BOUNDS.get(sentences.made_by, ANY_MODEL), None
        if beyond is not None:
            by_terms, others = library.lexical.nearer(asked_terms(fold(asked)), paper.key)
            by_expanded = max(expanded.values(), default=WITHOUT_EXPANDED)
            by_expanded -= library.expanded.greatest(others, asked)
            similarity = max(one.similarity for one in nearest.values()) - beyond
            nearer = bounds.scale * similarity + COMPARED * by_terms + COMPARED_EXPANDED * by_expanded
        meant = semantic.Meant(nearest, expanded, nearer, bounds, aligned)
    except ModelError as without:
        error = without
    ranked, near = semantic.rank(paper, asked, meant, page, n)
    library.read_texts([one.paragraph for one in ranked if one.sentence is not None])
    passages = [aligned.get(one.paragraph.paragraph) or semantic.candidate(paper, one) for one in ranked]
    return passages, near, error


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
