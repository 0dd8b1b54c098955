"""The layout from beginning to end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pipeline.layout import measures
from pipeline.layout.cutting import cut, style
from pipeline.layout.furniture import furniture
from pipeline.layout.kinds import Body, classify
from pipeline.layout.order import Column, columns
from pipeline.layout.passage import Passage
from pipeline.layout.printed import printed_lines
from pipeline.layout.run_in import split_run_ins
from pipeline.layout.stitching import stitch
from pipeline.layout.turned import Turn, turns_of
from pipeline.layout.zones import zones
from pipeline.reading import Page


def passages(pages: Sequence[Page]) -> list[Passage]:
    """The paragraphs of a document in reading order; each word of each line is in exactly one of them."""
    turns = turns_of(pages)
    pages = [turns[page.number].page(page) if page.number in turns else page for page in pages]
    aside = furniture(pages)
    laid = [(page, _laid_out(page, aside)) for page in pages]
    running = [
        column
        for page, page_columns in laid
        for column in page_columns
        if not column.zone and page.number not in turns
    ] or [column for _, page_columns in laid for column in page_columns]
    text = measures.before_references([line for column in running for line in column.lines])
    size = measures.body_size(text)
    usual = style(running, size)
    sideways_tables = 2 * len(turns) < len(pages)
    cut_passages: list[Passage] = []
    for page, page_columns in laid:
        for column in page_columns:
            found = cut(column, usual)
            if sideways_tables and page.number in turns:
                found = [replace(one, zone=one.zone or "table") for one in found]
            cut_passages += found
        cut_passages += [Passage("furniture", (line,)) for line in page.lines if id(line) in aside]
    classified = classify(
        split_run_ins(cut_passages),
        Body(size, measures.body_font(text), measures.line_width(text)),
        {page.number: page.height for page in pages},
    )
    return [_turned_back(passage, turns) for passage in stitch(classified)] if turns else stitch(classified)


def _turned_back(passage: Passage, turns: Mapping[int, Turn]) -> Passage:
    lines = (turns[line.page].back(line) if line.page in turns else line for line in passage.lines)
    return replace(passage, lines=tuple(lines))


def _laid_out(page: Page, aside: set[int]) -> list[Column]:
    lines = printed_lines([line for line in page.lines if id(line) not in aside])
    return columns(lines, zones(page, lines, [line for line in page.lines if id(line) in aside]))
