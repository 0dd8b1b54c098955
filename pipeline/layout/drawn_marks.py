"""Marks of lists that are drawn, as browsers do: small discs and squares, which are no characters."""

from bisect import bisect_left, bisect_right
from dataclasses import replace

from pipeline.pdf.reading import Line, PdfPage, Rectangle

_SIZE = (0.15, 0.55)
"""Em: width and height of a mark. Browsers draw discs of .31 em."""

_SQUARE = 0.15
"""Share by which width and height may differ."""

_BEFORE = (0.2, 2.0)
"""Em of white between a mark and its item."""

_LEVEL = 0.3
"""Em by which the middle of a mark may differ from that of its line."""

_MOST = 100
"""Marks of a page: one with more squares and discs shows a chart."""


def with_drawn_marks(page: PdfPage) -> PdfPage:
    """Return the page with the lines marked that have a mark right before them, and nothing between."""
    shapes = sorted((box for box in page.drawings if _is_mark(box)), key=_middle)
    if not shapes or len(shapes) > _MOST:
        return page
    middles = [_middle(box) for box in shapes]
    lines = []
    for line in page.lines:
        reach = _LEVEL * line.size
        near = shapes[bisect_left(middles, line.middle - reach) : bisect_right(middles, line.middle + reach)]
        marks = [box for box in near if _belongs(box, line)]
        marked = len(marks) == 1 and not any(_is_between(marks[0], other, line) for other in page.lines)
        lines.append(replace(line, marked=True) if marked else line)
    return replace(page, lines=tuple(lines))


def _is_mark(box: Rectangle) -> bool:
    return box.width > 0 and abs(box.width - box.height) <= _SQUARE * box.width


def _middle(box: Rectangle) -> float:
    return (box.y0 + box.y1) / 2


def _belongs(box: Rectangle, line: Line) -> bool:
    least, most = _SIZE
    before = _BEFORE[0] * line.size <= line.x0 - box.x1 <= _BEFORE[1] * line.size
    return before and least * line.size <= box.width <= most * line.size


def _is_between(box: Rectangle, other: Line, line: Line) -> bool:
    """Whether another line begins left of an item, in its row: a mark between two texts is of a figure."""
    return (
        other is not line
        and other.y0 < line.middle < other.y1
        and other.x0 < line.x0
        and other.x1 > box.x0 - line.size
    )
