"""The layout from beginning to end."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from pipeline.layout import measures
from pipeline.layout.furniture import furniture
from pipeline.layout.kinds import Body, classify
from pipeline.layout.line_merging import printed_lines
from pipeline.layout.paragraph_breaks import cut, style
from pipeline.layout.passage import Passage
from pipeline.layout.reading_order import Column, columns
from pipeline.layout.rotation import Turn, turns_of
from pipeline.layout.run_in import split_run_ins
from pipeline.layout.stitching import stitch
from pipeline.layout.zones import zones
from pipeline.pdf.reading import Page


def find_paragraphs(pages: Sequence[Page]) -> list[Passage]:
    """The paragraphs of a document in reading order; each word of each line is in exactly one of them."""
    turns = turns_of(pages)
    read = [turns[page.number].page(page) if page.number in turns else page for page in pages]
    found = stitch(_classified(read, turns if 2 * len(turns) < len(pages) else {}))
    return [_turned_back(passage, turns) for passage in found] if turns else found


def _classified(pages: Sequence[Page], tables: Container[int]) -> list[Passage]:
    """The passages of pages with level text, with their kinds; the numbers of those that hold but a table are in `tables`."""
    aside = furniture(pages)
    laid = [(page, _laid_out(page, aside)) for page in pages]
    running = [
        column for page, found in laid if page.number not in tables for column in found if not column.zone
    ]
    text = measures.before_references([line for column in running for line in column.lines])
    size = measures.body_size(text)
    usual = style(running, size)
    cut_passages: list[Passage] = []
    for page, found in laid:
        for column in found:
            passages = cut(column, usual)
            if page.number in tables:
                passages = [replace(one, zone=one.zone or "table") for one in passages]
            cut_passages += passages
        cut_passages += [Passage("furniture", (line,)) for line in page.lines if id(line) in aside]
    return classify(
        split_run_ins(cut_passages),
        Body(size, measures.body_font(text), measures.line_width(text)),
        {page.number: page.height for page in pages},
    )


def _turned_back(passage: Passage, turns: Mapping[int, Turn]) -> Passage:
    lines = (turns[line.page].back(line) if line.page in turns else line for line in passage.lines)
    return replace(passage, lines=tuple(lines))


def _laid_out(page: Page, aside: set[int]) -> list[Column]:
    lines = printed_lines([line for line in page.lines if id(line) not in aside])
    return columns(lines, zones(page, lines, [line for line in page.lines if id(line) in aside]))
