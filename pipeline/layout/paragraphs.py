"""The layout from beginning to end."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from pipeline.layout import measures
from pipeline.layout.furniture import furniture
from pipeline.layout.kinds import Body, classify
from pipeline.layout.line_merging import merge_fragments
from pipeline.layout.paragraph_breaks import cut, style
from pipeline.layout.printed_paragraph import PrintedParagraph
from pipeline.layout.reading_order import TextColumn, columns
from pipeline.layout.rotation import Rotation, find_rotations
from pipeline.layout.run_in import split_run_ins
from pipeline.layout.stitching import stitch
from pipeline.layout.zones import zones
from pipeline.pdf.reading import PdfPage


def find_paragraphs(pages: Sequence[PdfPage]) -> list[PrintedParagraph]:
    """The paragraphs of a document in reading order; each word of each line is in exactly one of them."""
    rotations = find_rotations(pages)
    read = [rotations[page.number].page(page) if page.number in rotations else page for page in pages]
    found = stitch(_classified(read, rotations if 2 * len(rotations) < len(pages) else {}))
    return [_rotated_back(paragraph, rotations) for paragraph in found] if rotations else found


def _classified(pages: Sequence[PdfPage], tables: Container[int]) -> list[PrintedParagraph]:
    """The paragraphs of pages with level text, with their kinds; the numbers of those that hold but a table are in `tables`."""
    aside = furniture(pages)
    laid = [(page, _laid_out(page, aside)) for page in pages]
    running = [
        column for page, found in laid if page.number not in tables for column in found if not column.zone
    ]
    text = measures.before_references([line for column in running for line in column.lines])
    size = measures.body_size(text)
    usual = style(running, size)
    cut_paragraphs: list[PrintedParagraph] = []
    for page, found in laid:
        for column in found:
            paragraphs = cut(column, usual)
            if page.number in tables:
                paragraphs = [replace(one, zone=one.zone or "table") for one in paragraphs]
            cut_paragraphs += paragraphs
        cut_paragraphs += [PrintedParagraph("furniture", (line,)) for line in page.lines if id(line) in aside]
    return classify(
        split_run_ins(cut_paragraphs),
        Body(size, measures.body_font(text), measures.line_width(text)),
        {page.number: page.height for page in pages},
    )


def _rotated_back(paragraph: PrintedParagraph, rotations: Mapping[int, Rotation]) -> PrintedParagraph:
    lines = (rotations[line.page].back(line) if line.page in rotations else line for line in paragraph.lines)
    return replace(paragraph, lines=tuple(lines))


def _laid_out(page: PdfPage, aside: set[int]) -> list[TextColumn]:
    lines = merge_fragments([line for line in page.lines if id(line) not in aside])
    return columns(lines, zones(page, lines, [line for line in page.lines if id(line) in aside]))
