"""Direction: pages whose text does not run from left to right are read as if it did, and then turned back.

Sideways text, mostly of wide tables, is turned level; so is vertical writing, whose lines run downwards from
the right edge to the left. Pages of Hebrew or Arabic are reflected: their columns begin at the right edge.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lookup.text.scripts import runs_leftwards
from pipeline.layout.measures import flush
from pipeline.layout.vertical_writing import is_vertical, vertical_lines
from pipeline.pdf.lines import DESCENT
from pipeline.pdf.reading import Line, PdfPage, Rectangle, Word

Box = Line | Word | Rectangle

_FEW_FLUSH, _SHARE_FLUSH = 3, 0.1
"""Lines that have an edge in common, at least, and as a share of the page's."""


@dataclass(frozen=True)
class Direction:
    """How the text of a page runs, and the page's size in points as it is shown."""

    runs: Literal["up", "down", "left"]
    width: float
    height: float
    vertical: bool = False
    """Whether it is vertical writing, whose characters stand upright."""

    @property
    def sideways(self) -> bool:
        """Whether a reader turns the page."""
        return self.runs != "left" and not self.vertical

    def page(self, page: PdfPage) -> PdfPage:
        """Return the page as if its text ran from left to right."""
        width, height = (self.width, self.height) if self.runs == "left" else (self.height, self.width)
        printed = vertical_lines(page.lines) if self.vertical else page.lines
        lines = tuple(self._line(line) for line in printed)
        drawings = tuple(self._level(box) for box in page.drawings)
        return replace(page, width=width, height=height, lines=lines, drawings=drawings)

    def back(self, line: Line) -> Line:
        """Return a line of the level page in its place on the page as it is shown."""
        turn = {"up": "down", "down": "up", "left": "left"}[self.runs]
        return _moved(line, lambda one: _turned(one, turn, self._across))

    def _line(self, line: Line) -> Line:
        level = _moved(line, self._level)
        if self.runs == "left":
            return level
        upright = line.upright if self.vertical else not line.upright
        return replace(level, upright=upright, baseline=level.y1 - DESCENT * line.size)

    def _level(self, box: Box) -> Rectangle:
        return _turned(box, self.runs, self._across)

    @property
    def _across(self) -> float:
        """The size of the page across its lines, or along them where it is reflected, points."""
        return self.height if self.runs == "up" else self.width


def _turned(box: Box, runs: str, size: float) -> Rectangle:
    """Return a box of a page on which text runs so as if it ran from left to right."""
    if runs == "up":
        return Rectangle(size - box.y1, box.x0, size - box.y0, box.x1)
    if runs == "down":
        return Rectangle(box.y0, size - box.x1, box.y1, size - box.x0)
    return Rectangle(size - box.x1, box.y0, size - box.x0, box.y1)


def _moved(line: Line, place: Callable[[Box], Rectangle]) -> Line:
    """Return a line and its words each in its other place."""
    words = tuple(Word(*(word.text, *place(word), *word[5:])) for word in line.words)
    return replace(line, **place(line)._asdict(), words=words)


def find_directions(pages: Sequence[PdfPage]) -> dict[int, Direction]:
    """Return the direction of each page whose text does not run from left to right, by page number."""
    return {page.number: direction for page in pages if (direction := _direction(page))}


def _direction(page: PdfPage) -> Direction | None:
    text = " ".join([line.text for line in page.lines])
    if is_vertical(page.lines, text):
        return Direction("down", page.width, page.height, vertical=True)
    sideways = [line for line in page.lines if not line.upright and line.height > line.width]
    if 2 * sum([line.letters for line in sideways]) > sum([line.letters for line in page.lines]):
        rising = sum(
            (1 if line.words[0].y0 > line.words[-1].y0 else -1) for line in sideways if len(line.words) > 1
        )
        return Direction("up" if rising >= 0 else "down", page.width, page.height)
    if runs_leftwards(text) and _is_flush_right(page.lines):
        return Direction("left", page.width, page.height)
    return None


def _is_flush_right(lines: Sequence[Line]) -> bool:
    """Whether lines that are flush on one side only are so on the right; some Hebrew is set as English is."""
    enough = max(_FEW_FLUSH, _SHARE_FLUSH * len(lines))
    left = flush([line.x0 for line in lines], enough)
    return sum(flush([line.x1 for line in lines], enough)) >= sum(left)
