"""What is shown of the print: the strip under a quote, and the words of a page to select over its picture.

Both are SVG: the policy of the pages forbids styles of their own, and SVG has places in attributes.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lookup.results.papers import Page, PagePart, PrintedWord
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


_TURNED = 2.0  # Height over width from which the box of three letters or more is that of a turned word.

_BASELINE = 0.78
"""Where letters stand in the box of their word: 0 is its top, 1 its bottom. The ascender of Times is .80 of
ascender and descender together, that of Helvetica .78."""


class LayerWord(NamedTuple):
    """A word to select: x of its beginning, and its width, in PDF points."""

    text: str
    x: float
    width: float


class LayerLine(NamedTuple):
    """A line of such words: y of its baseline, and the height of its letters, in PDF points."""

    y: float
    size: float
    words: tuple[LayerWord, ...]


def text_layer(parts: Sequence[PagePart]) -> list[LayerLine]:
    """Return the lines of a page in reading order. Words that are turned are left out."""
    lines = []
    for line in (line for part in parts for line in part.lines):
        if words := [word for word in line if not _turned(word)]:
            top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
            widths = [round(max(word.x1 - word.x0, 0.1), 1) for word in words]
            shown = tuple(
                LayerWord(word.text, word.x0, wide) for word, wide in zip(words, widths, strict=True)
            )
            baseline = round(top + _BASELINE * (bottom - top), 1)
            lines.append(LayerLine(baseline, round(bottom - top, 1), shown))
    return lines


def _turned(word: PrintedWord) -> bool:
    return len(word.text) > 2 and word.y1 - word.y0 > _TURNED * (word.x1 - word.x0)
