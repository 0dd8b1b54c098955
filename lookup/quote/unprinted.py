"""What is said of words that are not printed where they were looked for.

On which other pages they are, and in which other papers; that no reader sees them; else the passages nearest
in meaning, and the next step.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from lookup.errors import NextStep
from lookup.limits import PageName
from lookup.papers.library import Library
from lookup.papers.paper import Paper, Paragraph
from lookup.quote.cascade import Asked, NearestPassages, Outcome, by_words, printed
from lookup.quote.certify import Candidate
from lookup.quote.exact import ExactSearch
from lookup.quote.query import Query
from lookup.release.schema import OF_PAGE, PUT_ON
from lookup.results.answer import short
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Elsewhere

_OTHER_PAPERS = 5  # Other papers named, at most, that print the words.


def unprinted(asked: Asked, found: Sequence[Candidate]) -> Outcome:
    """Return what to say where tiers 1 and 2 `found` no more than this.

    Without `nearest` tier 3 does not run.
    """
    library, search, query, _, page, n, nearest = asked
    paper = search.paper
    if found and found[0].verdict == "near":
        if nearest and len(found) < n:  # what tier 3 finds comes after, where more is wanted
            passages = nearest(paper, query, page, found, n)
            there = [one for one in found if one.verdict == "near"]
            also = [one for one in passages.found if one not in there]
            found = [*there, *also] if passages.near else found
        said = _not_on_page(asked, _other_pages(asked)), library.reservations(paper.key)
        return Outcome(paper, tuple(found[:n]), hint=" ".join(filter(None, said)))
    others = elsewhere(library, paper.key, query)
    pages = _other_pages(asked, or_near=True)
    unseen = [] if pages else printed(ExactSearch(paper.unseen), query, page)
    if any(one.verdict in PRINTED for one in unseen):
        places = [paper.unseen.paragraphs[one.span.first] for one in unseen]
        return Outcome(paper, (), others, _not_seen(library, paper.key, places, others))
    passages = NearestPassages()
    if nearest and paper.paragraphs and not (others or pages):
        passages = nearest(paper, query, page, found, n)
    weak = passages.found[0] if passages.found and not passages.near and not found else None
    found = (passages.found if passages.near else found)[:n]
    unread, reserved = library.pages_without_text(paper.key), library.reservations(paper.key)
    covered = len(unread) < library.page_count(paper.key) or not all(one.page for one in paper.paragraphs)
    step = None
    if not covered:
        parts = [_NOT_COVERED.format(repr(paper.key)), reserved]
    else:
        text, step = (_not_on_page(asked, pages), None) if pages else _next_step(asked, found, others, weak)
        parts = [text, _unread(unread) if unread else "", reserved]
    text = " ".join(filter(None, parts))
    if passages.by_words_alone:
        text = f"{text} Searched by words alone, not by meaning: {passages.by_words_alone}"
        second = passages.by_words_alone.next_step
        step = replace(step, also=second.kind) if step and second else step or second
    return Outcome(paper, tuple(found), others, text, covered, step)


def elsewhere(library: Library, key: str, query: Query) -> tuple[Elsewhere, ...]:
    """Return other papers than `key` that print the words."""
    if query.whole.short or library.count("papers") < 2:
        return ()  # every paper has such short words: they do not show who is quoted
    from lookup.quote.which_papers import places_with_words  # a quote that is printed does without  # noqa: PLC0415

    found: list[Elsewhere] = []
    for place in places_with_words(library, query):
        paper, there = place, [] if place.key == key else _printing(place, query)
        # What may be a citation mark, and what lies between pieces or paragraphs, the whole paper tells.
        alone = there and there[0].verdict == PRINTED[0] and not there[0].omitted
        if there and not (alone and there[0].span.first == there[0].span.last):
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


def _other_pages(asked: Asked, *, or_near: bool = False) -> list[int]:
    """Return the pages other than that asked for that print the words, or with `or_near` nearly do.

    That if none does; none where any page is asked for.
    """
    search, query = asked.search, asked.query
    found = printed(search, query, wanted=3) if asked.page else []
    if not found and or_near and asked.page:
        found = [one for one in by_words(search, query, wanted=3) if one.verdict == "near"]
    pages = asked.library.word_pages(search.paper, [one.span for one in found])
    return sorted({each.start for each in pages} - {asked.page})


_NAMED = 8  # Pages without text, or runs of them, that an answer names, at most.

_NOT_COVERED = (
    "not covered: {} has no text to judge by. Where its pages are scans, read them, or build the corpus "
    "again with OCR; the build says what it lacks."
)


def _not_on_page(asked: Asked, pages: Sequence[int]) -> str:
    """Return a hint that the words are on `pages`, not on the page asked for; '' if they are on none."""
    if not pages:
        return ""
    page, given = asked.page, asked.request.page
    if page in asked.library.pages_without_text(asked.request.key):
        return cannot_read(given, f"page {', '.join(map(str, pages))}")
    here, there = f"page {page}", f"page {', '.join(map(str, pages))}"
    if str(given).strip() != str(page):
        here, there = f"page {given} (the PDF's {here})", f"the PDF's {there}"
    return f"Not on {here}, but on {there}: drop the page hint or correct it."


IN_THE_FILE = "these words are in the file"
_UNSEEN = "no reader sees them"
_NOT_SEEN = {
    "note": "they are in a note or stamp that was put on the page later",
    "covered": "they are covered by what was put on the page later",
}
"""Why words of the file are not printed, by the kind of their paragraph, where nothing more is known."""


def _not_seen(library: Library, key: str, places: Sequence[Paragraph], others: Sequence[Elsewhere]) -> str:
    """Return a hint that the words are in these places of the paper's file, but are no print of its own."""
    pages = sorted({one.page for one in places})
    where = f"page{'s' if len(pages) > 1 else ''} {', '.join(map(str, pages))}"
    hidden_by = library.hidden_by(key)
    whys = set()
    for one in places:
        by = hidden_by.get(one.row_number)
        if by in PUT_ON:
            whys.add(f"they are covered by {PUT_ON[by]} that was put on the page later")
        else:
            seen = f": they are {OF_PAGE[by]}" if by in OF_PAGE else ""
            whys.add(_NOT_SEEN.get(one.kind, f"{_UNSEEN}{seen}"))
    why = whys.pop() if len(whys) == 1 else _UNSEEN
    text = f"Not printed in {key!r}: {IN_THE_FILE}, on {where}, but {why}."
    return f"{text} Printed in {_where(others)}." if others else text


def cannot_read(page: PageName, where: str) -> str:
    """Return a hint that the page asked for may print the words, which are printed at another place, too."""
    return f"Page {page} cannot be read, and may print them, too: they are on {where}."


def _unread(pages: Sequence[int]) -> str:
    runs = [[page for _, page in run] for _, run in groupby(enumerate(pages), lambda at: at[1] - at[0])]
    named = [f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    several = "s" if len(pages) > 1 else ""
    return f"Not covered: page{several} {', '.join(named[:_NAMED])}{more} cannot be read."


def _next_step(
    asked: Asked, found: Sequence[Candidate], others: Sequence[Elsewhere], weak: Candidate | None
) -> tuple[str, NextStep | None]:
    """Return what to do, in words and as data.

    `found` holds nothing better than a related passage, `others` print the words. `weak` is the passage that
    comes nearest, where all are far.
    """
    library, paper, page = asked.library, asked.search.paper, asked.page
    if others:
        return f"Not printed in {paper.key!r}, but in {_where(others)}.", None
    if found:
        nearest = library.word_pages(paper, [found[0].span])[0].start
        if not nearest:
            return f"Not printed in {paper.key!r} as asked. See the nearest passage.", None
        text = f"Not printed in {paper.key!r} as asked. The nearest passage is on page {nearest}."
        return text, NextStep("get_page", paper.key, nearest)
    if page:
        text = f"Not printed in {paper.key!r}. Read page {page}, or ask for fewer words."
        return text, NextStep("get_page", paper.key, page)
    search = NextStep("search")
    if weak is None:
        return f"Not printed in {paper.key!r} as asked, and nothing near it. Search all papers.", search
    printed = paper.printed(weak.span.first)
    start, end = (printed.folded.starts[at] for at in (weak.span.start, weak.span.end - 1))
    words = short(printed.text[start : end + 1])
    where = library.word_pages(paper, [weak.span])[0].start
    on = f" (page {where})" if where else ""
    said = f"What comes nearest{on} is weak: {words!r}. Search all papers."
    return f"Not printed in {paper.key!r} as asked. {said}", search


def _where(others: Sequence[Elsewhere]) -> str:
    return ", ".join(f"{one.key} (page {one.page})" if one.page else one.key for one in others)
