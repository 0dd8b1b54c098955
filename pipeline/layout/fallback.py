"""A page on which a step of the layout fails is kept as its lines, in the order of the PDF."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.layout.paragraphs import find_paragraphs
from pipeline.layout.printed_paragraph import PrintedParagraph
from pipeline.pdf.reading import PdfPage


@dataclass(frozen=True)
class LaidOut:
    """A document's paragraphs in reading order, and the numbers of its pages that are kept as lines."""

    paragraphs: list[PrintedParagraph]
    in_lines: frozenset[int]


def lay_out(pages: Sequence[PdfPage]) -> LaidOut:
    """Return the paragraphs of a document. A page on which a rule fails is one paragraph of its lines."""
    if (found := _found(pages)) is not None:
        return LaidOut(found, frozenset())
    able = [page for page in pages if _found([page]) is not None]
    together = _found(able)
    if together is None:  # each page is well by itself
        able, together = [], []
    numbers = {page.number for page in able}
    in_lines = [page for page in pages if page.number not in numbers and page.lines]
    kept = [PrintedParagraph("body", page.lines) for page in in_lines]
    ordered = sorted([*together, *kept], key=lambda paragraph: paragraph.page)
    return LaidOut(ordered, frozenset(page.number for page in in_lines))


def _found(pages: Sequence[PdfPage]) -> list[PrintedParagraph] | None:
    """Return the paragraphs of pages; None where a step fails. No error of a rule may lose the text."""
    try:
        return find_paragraphs(pages)
    except Exception:  # noqa: BLE001
        return None
