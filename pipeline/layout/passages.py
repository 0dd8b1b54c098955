"""The layout from beginning to end."""

from collections.abc import Sequence

from pipeline.layout import measures
from pipeline.layout.cutting import cut, style
from pipeline.layout.furniture import furniture
from pipeline.layout.kinds import Body, classify
from pipeline.layout.order import Column, columns
from pipeline.layout.passage import Passage
from pipeline.layout.printed import printed_lines
from pipeline.layout.run_in import split_run_ins
from pipeline.layout.stitching import stitch
from pipeline.layout.zones import zones
from pipeline.reading import Page


def passages(pages: Sequence[Page]) -> list[Passage]:
    """The paragraphs of a document in reading order; each word of each line is in exactly one of them."""
    aside = furniture(pages)
    laid = [(page, _laid_out(page, aside)) for page in pages]
    running = [column for _, page_columns in laid for column in page_columns if not column.zone]
    text = measures.before_references([line for column in running for line in column.lines])
    size = measures.body_size(text)
    usual = style(running, size)
    cut_passages: list[Passage] = []
    for page, page_columns in laid:
        for column in page_columns:
            cut_passages += cut(column, usual)
        cut_passages += [Passage("furniture", (line,)) for line in page.lines if id(line) in aside]
    classified = classify(
        split_run_ins(cut_passages),
        Body(size, measures.body_font(text), measures.line_width(text)),
        {page.number: page.height for page in pages},
    )
    return stitch(classified)


def _laid_out(page: Page, aside: set[int]) -> list[Column]:
    lines = printed_lines([line for line in page.lines if id(line) not in aside])
    return columns(lines, zones(page, lines, [line for line in page.lines if id(line) in aside]))
