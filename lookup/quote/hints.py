"""What an answer says when the words are not printed where they were looked for."""

from lookup.next_step import NextStep
from lookup.papers.paper import Paper
from lookup.papers.reader import Reader
from lookup.quote.exact import Places
from lookup.quote.finding import Finding
from lookup.quote.query import Query
from lookup.quote.tiers import findings, printed
from lookup.results.quote_answer import Elsewhere

_ELSEWHERE = 5
"""Other papers named, at most, when the words are not in the one asked for."""


_NAMED = 8
"""Pages without text that an answer names, at most."""

_NOT_COVERED = (
    "not covered: {} has no text to judge by. Where its pages are scans, read them, or install Tesseract "
    "(apt-get install tesseract-ocr) and build the corpus again."
)


def elsewhere(reader: Reader, key: str, query: Query) -> tuple[Elsewhere, ...]:
    """Other papers that print the words, in the order of their keys."""
    if query.whole.short:
        return ()  # three letters stand in every paper; that says nothing about who is quoted
    found: list[Elsewhere] = []
    for other in reader.keys_holding(query.probe):
        if other == key:
            continue
        paper = reader.paper(other)
        verbatim = [one for one in printed(Places(paper), query) if one.verdict == "verbatim"]
        if verbatim:
            page = paper.paragraphs[verbatim[0].stretch.first].page
            found.append(Elsewhere(other, page, reader.page_label(other, page)))
        if len(found) == _ELSEWHERE:
            break
    return tuple(found)


def hint(
    reader: Reader,
    paper: Paper,
    page: int,
    found: list[Finding],
    others: tuple[Elsewhere, ...],
    on_page: str,
) -> tuple[str, NextStep | None, bool]:
    """What to do where `found` holds nothing better than a related passage, in words and as data; whether the paper has text to judge by.

    `on_page` is what `other_page` says.
    """
    pages = reader.pages_without_text(paper.key)
    if len(pages) == reader.page_count(paper.key):
        return _NOT_COVERED.format(repr(paper.key)), None, False
    text, step = (on_page, None) if on_page else _next_step(paper, page, found, others)
    return (f"{text} {_unread(pages)}" if pages else text), step, True


def _unread(pages: list[int]) -> str:
    more = f" and {len(pages) - _NAMED} more" if len(pages) > _NAMED else ""
    named = ", ".join(map(str, pages[:_NAMED])) + more
    return f"Not covered: page{'s' if len(pages) > 1 else ''} {named}, without text to judge by."


def _next_step(
    paper: Paper, page: int, found: list[Finding], others: tuple[Elsewhere, ...]
) -> tuple[str, NextStep | None]:
    if others:
        where = ", ".join(f"{other.key} (page {other.page})" for other in others)
        return f"Not printed in {paper.key!r}, but in {where}.", None
    if found:
        nearest = paper.paragraphs[found[0].stretch.first].page
        text = f"Not printed in {paper.key!r} as asked. The nearest passage is on page {nearest}: read that page."
        return text, NextStep("get_page", paper.key, nearest)
    if page:
        text = f"Not printed in {paper.key!r}. Read page {page}, or ask for fewer words."
        return text, NextStep("get_page", paper.key, page)
    text = (
        f"Not printed in {paper.key!r} as asked. Ask for fewer words, or for the words as the paper has them."
    )
    return text, None


def other_page(places: Places, query: Query, page: int, *, thorough: bool = False) -> str:
    """The pages that print the words which are not on `page` as asked, or if `thorough` print them nearly; '' where none does."""
    found = printed(places, query, wanted=3)
    if not found and thorough:
        found = [one for one in findings(places, query, wanted=3) if one.verdict == "near"]
    pages = sorted({places.paper.paragraphs[one.stretch.first].page for one in found} - {page})
    if not pages:
        return ""
    return f"Not on page {page}, but on page {', '.join(map(str, pages))}: drop the page hint or correct it."
