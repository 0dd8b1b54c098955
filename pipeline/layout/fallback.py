"""A page on which a step of the layout fails is kept as its lines, in the order of the PDF, and said so."""

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.layout.paragraphs import find_paragraphs
from pipeline.layout.printed_paragraph import PrintedParagraph, set_aside
from pipeline.pdf.reading import PdfPage


@dataclass(frozen=True)
class LaidOut:
    """A document's paragraphs in reading order.

    `errors` are the pages that are kept as lines, by number, and why: "IndexError in run_in.py:82".
    """

    paragraphs: list[PrintedParagraph]
    errors: Mapping[int, str]


def lay_out(pages: Sequence[PdfPage]) -> LaidOut:
    """Return the paragraphs of a document. A page on which a rule fails is one paragraph of its lines."""
    try:
        return LaidOut(find_paragraphs(pages), {})
    except Exception:  # noqa: BLE001, S110  # no error of a rule may lose the text; its page is looked for
        pass
    causes = {page.number: cause for page in pages if (cause := _error_on(page))}
    able = [page for page in pages if page.number not in causes]
    try:
        found = find_paragraphs(able)
    except Exception as error:  # noqa: BLE001  # each page is well by itself
        found, causes = [], {page.number: causes.get(page.number, _cause(error)) for page in pages}
    failed = [page for page in pages if page.number in causes]
    in_lines = [page for page in failed if page.lines]
    kept = [PrintedParagraph("body", page.lines) for page in in_lines]
    kept += set_aside(failed)
    ordered = sorted([*found, *kept], key=lambda paragraph: (paragraph.hidden, paragraph.page))
    return LaidOut(ordered, {page.number: causes[page.number] for page in in_lines})


def _error_on(page: PdfPage) -> str:
    try:
        find_paragraphs([page])
    except Exception as error:  # noqa: BLE001  # it is told with the page
        return _cause(error)
    return ""


def _cause(error: Exception) -> str:
    """Return which error it is, and the module and line that raised it."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
