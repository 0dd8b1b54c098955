"""The strip of a page that is shown under a quote: its lines, and those around them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lookup.results.papers import Page, PagePart
from lookup.results.quote_answer import Box

_MOST_LINES = 3
"""Marked lines of a strip; of a long quote it shows the first. Five lines of a column are 130 pixels high."""

_LEAST_WIDTH = 210.0
"""Points: the width of a column of two. A strip of a cell of a table shows its neighbours too."""

_BESIDE = 4.0  # Points on either side of the lines.
_WIDER = 1.3  # A line above or below is shown whole, unless it is so many times as wide: it spans columns.
_PITCH = 1.3  # From one line to the next, in heights of a line's box.


class Strip(NamedTuple):
    """A part of a page's picture, in PDF points, and the boxes that are marked in it."""

    source: str
    page: Page
    x: float
    y: float
    width: float
    height: float
    boxes: Sequence[Box]


def print_strip(source: str, page: Page, boxes: Sequence[Box], parts: Sequence[PagePart]) -> Strip:
    """Return the strip of a page that prints `parts`, around the first of the boxes, which are in order."""
    shown = [boxes[0]]
    for box in boxes[1:_MOST_LINES]:
        if box.y0 < shown[-1].y0:  # the next column
            break
        shown.append(box)
    top, bottom = min(box.y0 for box in shown), max(box.y1 for box in shown)
    around = _PITCH * (shown[0].y1 - shown[0].y0)
    left = min(box.x0 for box in shown)
    right = max(box.x1 for box in shown)
    ends = [(left, right), *_lines_beside(parts, left, top, right, bottom)]
    widest = _WIDER * (max(x for _, x in ends) - min(x for x, _ in ends))
    near = _lines_beside(parts, left, top - around, right, bottom + around)
    ends += [(x0, x1) for x0, x1 in near if x1 - x0 <= widest]
    left, right = min(x for x, _ in ends) - _BESIDE, max(x for _, x in ends) + _BESIDE
    lacking = max(0.0, _LEAST_WIDTH - (right - left)) / 2
    left, right = max(0.0, left - lacking), min(page.width, right + lacking)
    top, bottom = max(0.0, top - around), min(page.height, bottom + around)
    inside = tuple(box for box in boxes if box.y1 > top and box.y0 < bottom and left < box.x1 <= right + 1)
    width, height = round(right - left, 1), round(bottom - top, 1)
    return Strip(source, page, round(left, 1), round(top, 1), width, height, inside)


def _lines_beside(
    parts: Sequence[PagePart], left: float, top: float, right: float, bottom: float
) -> Iterator[tuple[float, float]]:
    """Yield the ends of the printed lines that share a height and a column with the marked ones."""
    for part in parts:
        for line in part.lines:
            ends = min(word.x0 for word in line), max(word.x1 for word in line)
            middle = sum(word.y0 + word.y1 for word in line) / (2 * len(line))
            if top <= middle <= bottom and ends[0] < right and ends[1] > left:
                yield ends
