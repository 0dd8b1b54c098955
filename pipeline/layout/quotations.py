"""Block quotations: lines set in from both edges of their column become a column of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from pipeline.layout import measures
from pipeline.layout.line_features import is_finished
from pipeline.layout.list_marks import item_mark
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.zones import around, is_prose
from pipeline.pdf.reading import Line

_INSET = 0.8  # Em from the column's edges to those of a block quotation, at least.
_LEAST_LINES = 2  # Lines of running text in it, at least.
_LEAST_WIDTH = 0.55  # Share of the column's width: a narrower block is a cell, an address or a formula.

_WHITE = 1.15
"""Times its own line pitch: the least step to it from the line above, and from it to the line below. The
lines of a list with hanging indentation stand no further apart than their entries."""


def set_quotations_apart(columns: Sequence[TextColumn]) -> Iterator[TextColumn]:
    """Return a page's columns, with block quotations as columns of their own, which are `inset`."""
    for place, column in enumerate(columns):
        above, below = columns[max(0, place - 1) : place], columns[place + 1 : place + 2]
        around_it = [*above, *below] if are_full(column.lines) else below
        if not column.zone and any(_is_set_into(column, other) for other in around_it if not other.zone):
            yield replace(column, inset=True)
        else:
            yield from _parts(column)


def _is_set_into(column: TextColumn, other: TextColumn) -> bool:
    """Whether a column is a quotation in another, which goes on above or below it."""
    inside = all(_is_inside(line, other) for line in column.lines)
    return inside and _is_text(column.lines, other.x1 - other.x0)


def _parts(column: TextColumn) -> Iterator[TextColumn]:
    """Return the parts of a column from top to bottom: its quotations, and the rest."""
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
    """Whether lines inside a column are running text, apart from what is above and below."""
    lines = column.lines[first:end]
    return (
        _is_text(lines, column.x1 - column.x0)
        and not (first and item_mark(column.lines[first - 1]))
        and (end < len(column.lines) or are_full(lines))
        and min(_steps(column.lines, first, end)) >= _WHITE * measures.pitch(lines)
    )


def _is_text(lines: Sequence[Line], width: float) -> bool:
    """Whether lines in a column of this width are running text with one left edge, and no list."""
    box = around(lines)
    return (
        sum(map(is_prose, lines)) >= _LEAST_LINES
        and box.width >= _LEAST_WIDTH * width
        and sum(line.x0 <= box.x0 + measures.SAME_PLACE for line in lines) > len(lines) / 2
        and all(line.x0 <= box.x0 + measures.INDENT[1] * line.size for line in lines)
        and not any(map(item_mark, lines))
        and not all(is_finished(line) for line in lines[:-1])
    )


def are_full(lines: Sequence[Line]) -> bool:
    """Whether lines are broken where they are full, as those of verse are not.

    Verse down to the foot of a page may be the text itself, narrower than the prose before it.
    """
    right = around(lines).x1
    broken = sum(measures.next_word_fits(line, below, right) for line, below in pairwise(lines))
    return broken < measures.BROKEN * len(lines)


def _steps(lines: Sequence[Line], first: int, end: int) -> list[float]:
    """Return the steps from the line above `first` to it, and from the last before `end` to the next one."""
    outer = [(place - 1, place) for place in (first, end) if 0 < place < len(lines)]
    return [lines[lower].y1 - lines[upper].y1 for upper, lower in outer] or [0.0]
