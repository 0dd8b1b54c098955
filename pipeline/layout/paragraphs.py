"""All steps of the layout, from the lines of pages to paragraphs in reading order."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pipeline.layout import measures
from pipeline.layout.direction import Direction, find_directions
from pipeline.layout.footnotes import set_notes_apart
from pipeline.layout.furniture import SplitPage, set_furniture_aside
from pipeline.layout.headings import before_references
from pipeline.layout.kinds import Body, classify
from pipeline.layout.line_features import LineTable
from pipeline.layout.line_merging import merge_pages, with_drop_caps
from pipeline.layout.page_columns import Strip, find_columns
from pipeline.layout.paragraph_breaks import break_into_paragraphs, style
from pipeline.layout.printed_paragraph import PrintedParagraph, set_aside
from pipeline.layout.reading_order import TextColumn, columns
from pipeline.layout.run_in import split_run_ins
from pipeline.layout.stitching import stitch
from pipeline.layout.zones import find_zones
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
    "furniture": Step(set_furniture_aside, lambda pages: [SplitPage(page, page.lines, ()) for page in pages]),
    "line_merging": Step(merge_pages, lambda pages: [list(page.fragments) for page in pages]),
    "zones": Step(find_zones, lambda _page, lines, _furniture: ([], lines)),
    "footnotes": Step(set_notes_apart, lambda laid_out, _size: [columns for _, columns in laid_out]),
    "run_in": Step(split_run_ins, lambda paragraphs: paragraphs),
    "stitching": Step(stitch, lambda paragraphs: paragraphs),
}
"""The steps of the layout that may be left out, by name: `benchmarks/prices.py` says what each is worth."""


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
    found = STEPS["stitching"](_classified(STEPS["furniture"](sheets.pages), tables))
    if directions or len(sheets.pages) > len(pages):
        found = [_turned_back(paragraph, directions, sheets) for paragraph in found]
    return [*found, *set_aside(pages)]


def _classified(pages: Sequence[SplitPage], tables: Container[int]) -> list[PrintedParagraph]:
    """Return the paragraphs of level pages with their kinds; `tables` are the numbers of pages of tables."""
    read = ((with_drop_caps(one.text), one.page.recognised or one.page.source == "ocr") for one in pages)
    white = find_columns(read)
    merged = zip(pages, STEPS["line_merging"](white), white, strict=True)
    laid_out = [(one, _columns(one, lines, page.strips)) for one, lines, page in merged]
    running = [
        column
        for one, found in laid_out
        if one.page.number not in tables
        for column in found
        if not column.zone or column.boxed
    ]
    text = before_references([line for column in running for line in column.lines])
    # Notes at the foot may be longer than the text; a line alone is no column.
    halves = (one.lines[: 1 + len(one.lines) // 2] for one in running if len(one.lines) > 1)
    upper = [line for lines in halves for line in lines]
    size = max(measures.body_size(part) for part in (text, before_references(upper)))
    apart = STEPS["footnotes"]([(one.page, found) for one, found in laid_out], size)
    ready = LineTable([*apart])
    usual = style(ready, size, [place for place, one in enumerate(pages) if one.page.number in tables])
    paragraphs: list[PrintedParagraph] = []
    for one, of_page in zip(pages, break_into_paragraphs(ready, usual), strict=True):
        if one.page.number in tables:
            paragraphs += [replace(each, zone=each.zone or "table") for each in of_page]
        else:
            paragraphs += of_page
        paragraphs += [PrintedParagraph("furniture", (line,)) for line in one.furniture]
    return classify(
        STEPS["run_in"](paragraphs),
        Body(size, measures.body_font(text), measures.line_width(text)),
        {one.page.number: one.page.height for one in pages},
    )


def _columns(split: SplitPage, lines: Sequence[Line], strips: Sequence[Strip]) -> list[TextColumn]:
    zones, text = STEPS["zones"](split.page, lines, split.furniture)
    return columns(text, strips, zones, split.page.drawings)


def _turned_back(
    paragraph: PrintedParagraph, directions: Mapping[int, Direction], sheets: Sheets
) -> PrintedParagraph:
    lines = map(sheets.back, paragraph.lines)
    turned = (directions[line.page].back(line) if line.page in directions else line for line in lines)
    return replace(paragraph, lines=tuple(turned))
