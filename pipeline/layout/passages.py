"""The layout from beginning to end."""

from collections.abc import Sequence

from pipeline.layout.cutting import cut
from pipeline.layout.furniture import furniture
from pipeline.layout.kinds import Body, classify
from pipeline.layout.measures import body_font, body_size, line_width, pitch
from pipeline.layout.order import columns, usual_gutters
from pipeline.layout.passage import Passage
from pipeline.layout.stitching import stitch
from pipeline.reading import Page


def passages(pages: Sequence[Page]) -> list[Passage]:
    """The paragraphs of a document in reading order; each word of each line is in exactly one of them."""
    aside = furniture(pages)
    lines = [[line for line in page.lines if id(line) not in aside] for page in pages]
    usual_gutter = usual_gutters(lines)
    laid = [(page, columns(kept, usual_gutter)) for page, kept in zip(pages, lines, strict=True)]
    text = [line for _, page_columns in laid for column in page_columns for line in column.lines]
    usual = pitch(text)
    cut_passages: list[Passage] = []
    for page, page_columns in laid:
        cut_passages += [Passage("", tuple(lines)) for column in page_columns for lines in cut(column, usual)]
        cut_passages += [Passage("furniture", (line,)) for line in page.lines if id(line) in aside]
    classified = classify(
        cut_passages,
        Body(body_size(text), body_font(text), line_width(text)),
        {page.number: page.height for page in pages},
    )
    return stitch(classified)
