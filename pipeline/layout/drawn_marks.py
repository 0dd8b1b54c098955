"""Marks of lists that are drawn, as browsers do: small discs and squares, which are no characters."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from pipeline.layout.measures import TOUCH
from pipeline.pdf.reading import Line, PdfPage, Rectangle

_SIZE = (0.15, 0.55)  # Em: width and height of a mark. Browsers draw discs of .31 em.
_BALL, _DIGITS = 1.0, 2  # Em: width of a disc in which the item's number stands, and its digits; at most.
_SQUARE = 0.15  # Share by which width and height may differ.
_BEFORE = (0.2, 2.0)  # Em of white between a mark and its item.
_LEVEL = 0.3  # Em by which the middle of a mark may differ from that of its line.

_ABOVE = 2.0  # Em from a line to the next one, at most.

_LEAST, _MOST = 2, 100  # Marks of a list, and of a page: one with more squares and discs shows a chart.


def with_drawn_marks(page: PdfPage) -> PdfPage:
    """Return the page with the lines marked that have a mark right before them.

    Of each list two marks stand below one another, as large as each other, and its items are set in: others
    are bits of a figure beside a column.
    """
    square = (box for box in page.drawings if abs(box.width - box.height) <= _SQUARE * box.width)
    shapes = sorted((box for box in square if box.width > 0), key=_middle)
    if len(shapes) < _LEAST or len(shapes) > _MOST:
        return page
    middles = [_middle(box) for box in shapes]
    numbers = [line for line in page.lines if line.letters <= _DIGITS and line.text.isdigit()]
    marks: dict[int, Rectangle] = {}
    for place, line in enumerate(page.lines):
        reach = _LEVEL * line.size
        near = shapes[bisect_left(middles, line.middle - reach) : bisect_right(middles, line.middle + reach)]
        before = [box for box in near if _belongs(box, line, numbers)]
        if len(before) == 1:
            marks[place] = before[0]
    lists: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place, box in marks.items():
        lists[_edge(box)].append(place)
    items = {place for places in lists.values() if _is_list(places, page.lines) for place in places}
    if not items:
        return page
    lines = [replace(line, marked=place in items) for place, line in enumerate(page.lines)]
    return replace(page, lines=tuple(lines))


def _edge(box: Rectangle) -> tuple[int, int]:
    """Return where a mark stands and how large it is, both in half points."""
    return round(2 * box.x0), round(2 * box.width)


def _is_list(places: Sequence[int], lines: Sequence[Line]) -> bool:
    """Whether marked lines are of a list: no text that begins where they do goes on above the first one."""
    first = min((lines[place] for place in places), key=lambda line: line.y0)
    above = (
        other
        for other in lines
        if 0 < first.y0 - other.y0 <= _ABOVE * first.size and abs(other.x0 - first.x0) <= TOUCH
    )
    return len(places) >= _LEAST and next(above, None) is None


def _middle(box: Rectangle) -> float:
    return (box.y0 + box.y1) / 2


def _is_in(box: Rectangle, line: Line) -> bool:
    return box.x0 < line.x0 and line.x1 < box.x1 and box.y0 < line.middle < box.y1


def _belongs(box: Rectangle, line: Line, numbers: Sequence[Line]) -> bool:
    least, most = _SIZE
    if not _BEFORE[0] * line.size <= line.x0 - box.x1 <= _BEFORE[1] * line.size:
        return False
    ball = most * line.size < box.width <= _BALL * line.size and any(_is_in(box, one) for one in numbers)
    return ball or least * line.size <= box.width <= most * line.size
