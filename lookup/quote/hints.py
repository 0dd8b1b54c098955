"""What an answer says when the words are not printed where they were looked for."""

from collections.abc import Sequence

from lookup.papers.library import Library
from lookup.papers.paper import Paper
from lookup.quote.candidate import Candidate
from lookup.results.quote_answer import Elsewhere

_NAMED = 8
"""Pages without text that an answer names, at most."""

_NOT_COVERED = (
    "not covered: {} has no text to judge by. Where its pages are scans, read them, or install Tesseract "
    "(apt-get install tesseract-ocr) and build the corpus again."
)


def hint(
    library: Library,
    paper: Paper,
    page: int,
    found: Sequence[Candidate],
    others: Sequence[Elsewhere],
    pages: Sequence[int],
) -> tuple[str, bool]:
    """Return the next step where `found` holds nothing better than a related passage, and whether the paper has text to judge by.

    `others` are papers, `pages` are pages of this paper other than `page`, that print the words.
    """
    unread = library.pages_without_text(paper.key)
    if len(unread) == library.page_count(paper.key):
        return _NOT_COVERED.format(repr(paper.key)), False
    next_step = not_on_page(page, pages) or _next_step(paper, page, found, others)
    return (f"{next_step} {_unread(unread)}" if unread else next_step), True


def not_on_page(page: int, pages: Sequence[int]) -> str:
    """Return that the words are on other `pages` than the one asked for; '' where there are none."""
    if not pages:
        return ""
    return f"Not on page {page}, but on page {', '.join(map(str, pages))}: drop the page hint or correct it."


def _unread(pages: Sequence[int]) -> str:
    more = f" and {len(pages) - _NAMED} more" if len(pages) > _NAMED else ""
    named = ", ".join(map(str, pages[:_NAMED])) + more
    return f"Not covered: page{'s' if len(pages) > 1 else ''} {named}, without text to judge by."


def _next_step(paper: Paper, page: int, found: Sequence[Candidate], others: Sequence[Elsewhere]) -> str:
    if others:
        where = ", ".join(f"{other.key} (page {other.page})" for other in others)
        return f"Not printed in {paper.key!r}, but in {where}."
    if found:
        nearest = paper.paragraphs[found[0].stretch.first].page
        return (
            f"Not printed in {paper.key!r} as asked. The nearest passage is on page {nearest}: "
            f"read it with `pagequote page {paper.key} {nearest}`."
        )
    if page:
        return f"Not printed in {paper.key!r}. Read the page: `pagequote page {paper.key} {page}`; or ask for fewer words."
    return (
        f"Not printed in {paper.key!r} as asked. Ask for fewer words, or for the words as the paper has them."
    )
