"""Whether a paper prints a quote, and where."""

from collections.abc import Collection, Sequence

from lookup.papers.reader import Reader
from lookup.quote.cascade import Asked, answer, answers
from lookup.quote.hints import elsewhere
from lookup.quote.match import Extent
from lookup.quote.query import parse
from lookup.results.quote_answer import Match, QuoteAnswer, Verification

_PLACES = 20
"""Places that are looked at, at most, to tell on which pages a quote stands."""


def verify(reader: Reader, quote: str, key: str, page: int, extent: Extent) -> Verification:
    """What may be said of `quote` in the paper `key`, as printed on `page` (0 where none is given)."""
    found = answer(reader, Asked(key, quote), _PLACES, extent, printed_only=True)
    return _verification(reader, found, (page,) if page else ())


def verify_all(
    reader: Reader, asked: Sequence[tuple[str, str, Collection[int]]], extent: Extent
) -> list[Verification]:
    """`verify` for many: each of `asked` is a quote, a key, and the pages of which one at least should print it; none for any.

    Where a quote's first place is on a right page, or none is given, it is not looked for in others: `pages` are those of that place
    alone, which takes a quarter of the time. One that cannot be answered (an unknown key, a quote without a letter) is "not
    covered", and the hint says why.
    """
    queries = [Asked(key, quote) for quote, key, _ in asked]
    first = answers(reader, queries, 1, extent, printed_only=True)
    judged = [_verification(reader, one, pages) for one, (_, _, pages) in zip(first, asked, strict=True)]
    again = [i for i, one in enumerate(judged) if one.page_is_right is False]
    thorough = answers(reader, [queries[i] for i in again], _PLACES, extent, printed_only=True)
    for i, one in zip(again, thorough, strict=True):
        judged[i] = _verification(reader, one, asked[i][2])
    return judged


def _verification(reader: Reader, found: QuoteAnswer, pages_given: Collection[int]) -> Verification:
    quote, key, page = found.query, found.key, min(pages_given, default=0)
    if not found.covered:
        return Verification(
            key, quote, page, "not covered", None, (), None, found.elsewhere, found.hint, found.next_step
        )
    if not found.matches:
        return Verification(
            key, quote, page, "not found", None, (), None, found.elsewhere, found.hint, found.next_step
        )
    best = [one for one in found.matches if one.verdict == found.matches[0].verdict]
    here = [one for one in best if not _pages(one).isdisjoint(pages_given)]
    match = (here or best)[0]
    verdict = match.verdict
    pages = tuple(sorted({one.page for one in best})) if verdict != "related" else ()
    right = None if not page or verdict == "related" else bool(here)
    others = found.elsewhere if verdict != "near" else elsewhere(reader, key, parse(quote))
    hint = _hint(match, page, right=right)
    return Verification(
        key,
        quote,
        page,
        verdict,
        right,
        pages,
        match,
        others,
        hint or found.hint,
        None if hint else found.next_step,
    )


def _pages(match: Match) -> set[int]:
    return {match.page, *(box.page for box in match.boxes)}


def _hint(match: Match, page: int, *, right: bool | None) -> str:
    if right is False:
        label = f" (printed {match.page_label})" if match.page_label else ""
        if match.page_label == str(page):
            return f"Page {page} is the printed number of page {match.page}: pages are counted from the first of the PDF."
        return f"Not on page {page}, but on page {match.page}{label}."
    if match.verdict == "near":
        return "Printed with differences: compare them with the page before you quote it."
    return ""
