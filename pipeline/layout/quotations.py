"""Block quotations: lines set in from both edges of their column become a column of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from pipeline.layout import measures
from pipeline.layout.paragraph_breaks import LIST_MARK
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.zones import around, is_prose
from pipeline.pdf.reading import Line

_INSET = 0.8
"""Em from the column's edges to those of a block quotation, at least."""

_INDENT = 4.5
"""Em by which first lines of its paragraphs may be set in further."""

_SAME_EDGE = 2.0
"""Points by which the left edges of its lines may differ."""

_LEAST_LINES = 2
"""Lines of running text in it, at least."""

_LEAST_WIDTH = 0.55
"""Share of the column's width: a narrower block is a cell, an address or a formula."""


_WHITE = 1.15
"""Times its own line pitch: the least step to it from the line above, and from it to the line below. The
lines of a list with hanging indentation stand no further apart than their entries."""


def set_quotations_apart(column: TextColumn) -> Iterator[TextColumn]:
    """Return the parts of a column, from top to bottom: its block quotations, which are `inset`, and the rest."""
    start = 0  # of the lines that are not given yet
    runs = [] if column.zone else groupby(enumerate(column.lines), key=lambda one: _is_inside(one[1], column))
    for inside, group in runs:
        places = [place for place, _ in group]
        first, end = places[0], places[-1] + 1
        if inside and _is_quotation(column, first, end):
            if start < first:
                yield replace(column, lines=column.lines[start:first])
            box = around(column.lines[first:end])
            yield TextColumn(box.x0, box.x1, column.lines[first:end], inset=True)
            start = end
    if start < len(column.lines):
        yield replace(column, lines=column.lines[start:])


def _is_inside(line: Line, column: TextColumn) -> bool:
    inset = _INSET * line.size
    return line.x0 > column.x0 + inset and line.x1 < column.x1 - inset


def _is_quotation(column: TextColumn, first: int, end: int) -> bool:
    """Whether lines inside a column are running text at one left edge, apart from what is above and below."""
    lines = column.lines[first:end]
    left = min(line.x0 for line in lines)
    right = max(line.x1 for line in lines)
    return (
        sum(map(is_prose, lines)) >= _LEAST_LINES
        and right - left >= _LEAST_WIDTH * (column.x1 - column.x0)
        and sum(line.x0 <= left + _SAME_EDGE for line in lines) > len(lines) / 2
        and all(line.x0 <= left + _INDENT * line.size for line in lines)
        and not any(LIST_MARK.match(line.text + " ") for line in column.lines[max(0, first - 1) : end])
        and min(_steps(column.lines, first, end)) >= _WHITE * measures.pitch(lines)
    )


def _steps(lines: Sequence[Line], first: int, end: int) -> list[float]:
    """Return the steps to the lines from `first` to `end` from the line above, and from them to that below."""
    outer = [(place - 1, place) for place in (first, end) if 0 < place < len(lines)]
    return [lines[lower].y1 - lines[upper].y1 for upper, lower in outer] or [0.0]
