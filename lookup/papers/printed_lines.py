"""The words of printed lines with their places, and the rows of tables that they make."""

from collections.abc import Iterable, Mapping
from typing import Any

LineRow = Mapping[str, Any]  # A row of the contract's `lines`: page, box, start, end, words.

WordBox = tuple[int, int, float, float, float, float]
"""A word's start and end in `text`, and its box: x0, y0, x1, y1, points."""


def words_of(line: LineRow) -> list[WordBox]:
    """Return the line's words in printed order, boxes in points."""
    numbers = line["words"]  # DuckDB reads a list of six numbers a word fast
    return [
        (start, end, x0 / 10, y0 / 10, x1 / 10, y1 / 10)
        for start, end, x0, y0, x1, y1 in zip(*(numbers[i::6] for i in range(6)), strict=True)
    ]


def row_starts(lines: Iterable[LineRow]) -> list[int]:
    """Return where in the text rows of a table begin, but for the first of them.

    There the print goes on below, and wholly to the left of the cell before: prose, and a cell that is set in
    several lines, go on below their own beginning.
    """
    found, left, page, last = [], 0.0, 0, (0.0, 0.0, 0.0, 0.0)
    for line in lines:
        for start, _, x0, y0, x1, y1 in words_of(line):
            middle, (last_x0, upper, right, lower) = (y0 + y1) / 2, last
            if line["page"] != page or middle < upper or (middle > lower and x0 > right):
                left = x0
            elif middle > lower:
                found += [start] if x1 < left else []
                left = x0 if x1 < left else min(left, x0)
            elif x0 < last_x0 or x0 - right > y1 - y0:  # a gap as wide as a line is high parts cells
                left = x0
            page, last = line["page"], (x0, y0, x1, y1)
    return found
