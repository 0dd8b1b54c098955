"""Whether a paper prints a quote, and where."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from heapq import nlargest
from itertools import pairwise
from typing import Literal

from lookup.errors import QueryError
from lookup.limits import PageName
from lookup.papers.library import Library
from lookup.quote.cascade import QuoteRequest, answer, answers, by_words, printed
from lookup.quote.exact import ExactSearch
from lookup.quote.match import Extent
from lookup.quote.query import Query, parse
from lookup.quote.unprinted import cannot_read, elsewhere
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Match, QuoteAnswer, Verification
from lookup.text.folding import fold
from lookup.text.words import words_in

_PLACES = 20  # Places, at most, that are looked at to find all pages that print a quote.

_NO_PAGE = -1

_LIKELIEST, _LEAST = 3, 0.5
"""Papers, at most, that are read whole for a quote without a key that none prints as it is given, and the
share of its words that one of their paragraphs and the next have at least."""

_SENTENCE = Extent("sentence", 0, 1)


def verify(
    library: Library, quote: str, key: str, page: PageName, beside: tuple[str, str] = ("", "")
) -> Verification:
    """Return the verdict on a quote, with what is said `beside` it: see `Corpus.verify`."""
    if not key:
        return _anywhere(library, quote, page, beside)
    cited = _cited(library, key, page)
    asked = QuoteRequest(key, quote, cited=cited, cased=True, beside=beside)
    found = answer(library, asked, _PLACES, _SENTENCE)
    return _verification(library, found, cited, page)


def _cited(library: Library, key: str, page: PageName | Collection[int]) -> frozenset[int]:
    """Return the PDF's pages that are cited: of a name those that it may mean, or none that there is.

    No pages where none is given, and where what is given is not understood.
    """
    if isinstance(page, Collection) and not isinstance(page, str):
        return frozenset(page)
    if not isinstance(page, int | str):
        raise QueryError(f"page must be a number or a text, got {page!r}.")
    meant = library.pages_meant(key, page) if page else None
    return frozenset() if meant is None else frozenset(meant or {_NO_PAGE})


def verify_all(
    library: Library, quotes: Sequence[tuple[str, str, PageName | Collection[int], tuple[str, str]]]
) -> list[Verification]:
    """Return `verify` for many: a quote, a key, the page (or pages) for it, and the words beside it each.

    0 or no pages mean any. Otherwise as `Corpus.verify_all`, which takes a quarter of the time.
    """
    given = [page if isinstance(page, int | str) else min(page, default=0) for _, _, page, _ in quotes]
    asked = {
        number: QuoteRequest(key, quote, cited=_cited(library, key, page), cased=True, beside=beside)
        for number, (quote, key, page, beside) in enumerate(quotes)
        if key
    }
    judged: dict[int, Verification] = {}
    waiting = list(asked)
    for places in (1, _PLACES):  # more are looked at where the first one is on another page
        found = answers(library, [asked[number] for number in waiting], places, _SENTENCE)
        for number, one in zip(waiting, found, strict=True):
            judged[number] = _verification(library, one, asked[number].cited, given[number])
        waiting = [number for number in waiting if judged[number].page_is_right is False]
    return [
        judged[number] if key else _anywhere(library, quote, given[number], beside)
        for number, (quote, key, _, beside) in enumerate(quotes)
    ]


def _anywhere(library: Library, quote: str, page: PageName, beside: tuple[str, str]) -> Verification:
    """Return the verdict on a quote in the paper that prints it best; its key is empty where none does."""
    query = parse(quote, cased=True)
    key = None if query.whole.short else _best_paper(library, query)
    if key is None:
        hint = (
            "So few words do not show which paper is quoted. Give more of them, or name the paper."
            if query.whole.short
            else "No paper prints this, nor nearly this. Ask for fewer words, or search for what it says."
        )
        return Verification("", quote, page, "not found", None, (), None, (), hint)
    found = verify(library, quote, key, page, beside)
    if found.verdict in PRINTED:  # who else prints it is known for the others
        found = replace(found, elsewhere=elsewhere(library, key, query))
    return found


def _best_paper(library: Library, query: Query) -> str | None:
    """Return the key of a paper that prints the query, else of the one that nearly does; None for none."""
    from lookup.quote.which_papers import places_with_words  # the index: not for a known key  # noqa: PLC0415

    words = set(words_in(fold(query.asked)))
    for misread in (False, True):
        held: dict[str, int] = {}
        for place in places_with_words(library, query, misread=misread):
            if any(one.verdict in PRINTED for one in printed(ExactSearch(place), query)):
                return place.key
            held[place.key] = max(
                sum(word in one.text_norm or word in other.text_norm for word in words)
                for one, other in pairwise((*place.paragraphs, place.paragraphs[-1]))
            )
        likely = [key for key in held if held[key] >= _LEAST * len(words)]
        # How much words weigh that are near each other depends on the whole paper.
        whole = {
            key: by_words(ExactSearch(library.paper(key)), query)
            for key in nlargest(_LIKELIEST, likely, key=held.__getitem__)
        }
        near = {key: found[0].score for key, found in whole.items() if found and found[0].verdict == "near"}
        if near:
            return max(near, key=near.__getitem__)
    return None


def _verification(
    library: Library, found: QuoteAnswer, pages_given: Collection[int], page: PageName
) -> Verification:
    quote, key = found.query, found.key
    if page and not pages_given and library.has(key):
        answer = _verification(library, found, pages_given, 0)
        return replace(answer, page=page, hint=f"{_UNREAD_PAGE.format(page)} {answer.hint}".rstrip())
    if not found.matches:
        none: Literal["not found", "not covered", "unknown key"]
        none = "not found" if found.covered else "not covered" if library.has(key) else "unknown key"
        return Verification(
            key, quote, page, none, None, (), None, found.elsewhere, found.hint, found.next_step
        )
    best = [one for one in found.matches if one.verdict == found.matches[0].verdict]
    here = [one for one in best if not _pages(one).isdisjoint(pages_given)]
    match = (here or best)[0]
    pages = tuple(sorted({one.page for one in best} - {0})) if match.verdict != "related" else ()
    right = None if not page or not match.page or match.verdict == "related" else bool(here)
    if right is False and not set(library.pages_without_text(key)).isdisjoint(pages_given):
        right = None  # that page may print it as well
    others = found.elsewhere if match.verdict != "near" else elsewhere(library, key, parse(quote, cased=True))
    hint, step = _hint(match, page, right=right), None
    if hint and match.verdict in {"near", "related"}:
        read = _READ_BY_OCR if library.read_by_ocr(key, match.page) else ""
        hint = " ".join(filter(None, (hint, read, library.reservations(key))))
    if not hint:
        hint, step = found.hint, found.next_step
    return Verification(key, quote, page, match.verdict, right, pages, match, others, hint, step)


def _pages(match: Match) -> set[int]:
    return {match.page, *(box.page for box in match.boxes)}


def _hint(match: Match, page: PageName, *, right: bool | None) -> str:
    where = f"page {match.page}" + (f" (printed {match.page_label})" if match.page_label else "")
    if right is False:
        return f"Not on page {page}, but on {where}."
    if right is None and page and match.page and match.verdict in PRINTED:
        return cannot_read(page, where)
    if match.verdict == "near":
        return "Compare the words that differ with the page before you quote it."
    if page and not match.page:
        return f"No page is known for these words: they are from markup, at #{match.anchor}."
    if right and page not in _pages(match) and (match.page_label or "").casefold() == str(page).casefold():
        return f"Page {page} is the printed number of the PDF's page {match.page}."
    return ONLY_THERE.get(match.kind, "") or _BESIDE_TEXT.get(match.kind, "")


_UNREAD_PAGE = (
    "The page {!r} was not understood, so it was not compared. Give its number, or what is printed on it: "
    "'6', 'p. 6' or 'pp. 6-7'."
)

_READ_BY_OCR = "OCR read this page, and may have misread it."

_BESIDE_TEXT = {
    "caption": "Printed in a caption.",
    "table": "Printed in a table.",
    "footnote": "Printed in a footnote.",
    "front": "Printed in the front matter, among authors, affiliations, dates and licences.",
}
"""What is said of words that are printed beside the text."""

ONLY_THERE = {
    "reference": "Printed in the paper's list of references: the words may be another work's title.",
    "furniture": "Printed in the paper's running heads or margins, not in its text.",
    "struck": "Printed, but struck through.",
}
"""What is said of words that are printed where no paper says anything itself."""
