"""All steps of the layout, from the lines of pages to paragraphs in reading order.

A page on which a step fails is kept as its lines, in the order of the PDF, and said so.
"""

import traceback
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.layout import measures
from pipeline.layout.direction import Direction, find_directions
from pipeline.layout.footnotes import set_notes_apart
from pipeline.layout.furniture import find_furniture
from pipeline.layout.headings import before_references
from pipeline.layout.kinds import Body, Classifier
from pipeline.layout.line_features import LineTable
from pipeline.layout.line_merging import merge_pages, with_drop_caps
from pipeline.layout.page_columns import find_columns
from pipeline.layout.paragraph_breaks import break_into_paragraphs
from pipeline.layout.printed_paragraph import PrintedParagraph, set_aside
from pipeline.layout.reading_order import TextColumn, columns
from pipeline.layout.run_in import split_run_ins
from pipeline.layout.stitching import stitch
from pipeline.layout.zones import Zone, around, find_zones
from pipeline.pdf.reading import Line, PdfPage
from pipeline.pdf.sheets import Sheets, find_sheets


class Step(NamedTuple):
    """A step that may be left out: what it calls, and what is called in its place without it."""

    run: Callable[..., Any]
    without: Callable[..., Any]

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Return what the step does with what it is given."""
        return self.run(*given, **named)


STEPS = {
    "furniture": Step(find_furniture, lambda _pages: set()),
    "line_merging": Step(merge_pages, lambda pages: [list(page.fragments) for page in pages]),
    "zones": Step(find_zones, lambda _page, lines, _furniture: ([], lines)),
    "footnotes": Step(set_notes_apart, lambda laid_out, _size: [columns for _, columns in laid_out]),
    "run_in": Step(split_run_ins, lambda paragraphs: paragraphs),
    "stitching": Step(stitch, lambda paragraphs: paragraphs),
}
"""The steps of the layout that may be left out, by name: `benchmarks/prices.py` says what each is worth."""


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


def find_paragraphs(pages: Sequence[PdfPage]) -> list[PrintedParagraph]:
    """Return the paragraphs of a document in reading order. Each word of each line is in exactly one.

    What is no part of a page's text comes last, as one paragraph a page.
    """
    directions = find_directions(pages)
    level = [directions[page.number].page(page) if page.number in directions else page for page in pages]
    sheets = find_sheets(level)
    sideways = {number for number, direction in directions.items() if direction.sideways}
    turned = sideways if 2 * len(sideways) < len(pages) else set()
    tables = {page.number for number in turned for page in sheets.printed[number]}
    furniture = STEPS["furniture"](sheets.pages)
    found = STEPS["stitching"](_classified(sheets.pages, furniture, tables))
    if directions or len(sheets.pages) > len(pages):
        found = [_turned_back(paragraph, directions, sheets) for paragraph in found]
    return [*found, *set_aside(pages)]


def _classified(
    pages: Sequence[PdfPage], furniture: Container[Line], tables: Container[int]
) -> list[PrintedParagraph]:
    """Return the paragraphs of level pages with their kinds; `tables` are the numbers of pages of tables."""
    aside = [[line for line in page.lines if line in furniture] for page in pages]
    texts = [[line for line in page.lines if line not in furniture] for page in pages]
    recognised = (page.recognised or page.source == "ocr" for page in pages)
    white = find_columns(zip(map(with_drop_caps, texts), recognised, strict=True))
    laid_out: list[tuple[PdfPage, list[TextColumn]]] = []
    for page, heads, lines, its in zip(pages, aside, STEPS["line_merging"](white), white, strict=True):
        zones, text = STEPS["zones"](page, lines, heads)
        found = columns(text, its.strips, zones, page.drawings)
        if page.number in tables:
            found = [replace(one, zone=Zone(around(one.lines), one.lines, "table")) for one in found]
        laid_out.append((page, found))
    running = [column for _, found in laid_out for column in found if not column.zone or column.boxed]
    text = before_references([line for column in running for line in column.lines])
    # Notes at the foot may be longer than the text; a line alone is no column.
    halves = (one.lines[: 1 + len(one.lines) // 2] for one in running if len(one.lines) > 1)
    upper = [line for lines in halves for line in lines]
    size = max(measures.body_size(part) for part in (text, before_references(upper)))
    ready = LineTable([*STEPS["footnotes"](laid_out, size)])
    paragraphs: list[PrintedParagraph] = []
    for heads, of_page in zip(aside, break_into_paragraphs(ready, size), strict=True):
        paragraphs += of_page
        paragraphs += [PrintedParagraph("furniture", (line,)) for line in heads]
    body = Body(size, measures.body_font(text), measures.line_width(text))
    return [*Classifier(STEPS["run_in"](paragraphs), body, {page.number: page.height for page in pages})]


def _turned_back(
    paragraph: PrintedParagraph, directions: Mapping[int, Direction], sheets: Sheets
) -> PrintedParagraph:
    lines = map(sheets.back, paragraph.lines)
    turned = (directions[line.page].back(line) if line.page in directions else line for line in lines)
    return replace(paragraph, lines=tuple(turned))
