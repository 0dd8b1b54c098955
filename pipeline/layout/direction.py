"""Direction: pages whose text does not run from left to right are read as if it did, and then turned back.

Sideways text, mostly of wide tables, is turned level; so is vertical writing, whose lines run downwards from
the right edge to the left. Pages of Hebrew or Arabic are reflected: their columns begin at the right edge.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from lookup.text.scripts import runs_leftwards
from pipeline.layout.measures import SAME_EDGE
from pipeline.layout.vertical_writing import is_vertical, vertical_lines
from pipeline.pdf.lines import DESCENT
from pipeline.pdf.reading import Line, PdfPage, Rectangle, Word

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
        words = tuple(word._replace(**self._shown(_box(word))._asdict()) for word in line.words)
        return replace(line, **self._shown(_box(line))._asdict(), words=words)

    def _line(self, line: Line) -> Line:
        words = tuple(word._replace(**self._level(_box(word))._asdict()) for word in line.words)
        box = self._level(_box(line))
        level = replace(line, **box._asdict(), words=words)
        if self.runs == "left":
            return level
        upright = line.upright if self.vertical else not line.upright
        return replace(level, upright=upright, baseline=box.y1 - DESCENT * line.size)

    def _level(self, box: Rectangle) -> Rectangle:
        if self.runs == "up":
            return Rectangle(self.height - box.y1, box.x0, self.height - box.y0, box.x1)
        if self.runs == "down":
            return Rectangle(box.y0, self.width - box.x1, box.y1, self.width - box.x0)
        return Rectangle(self.width - box.x1, box.y0, self.width - box.x0, box.y1)

    def _shown(self, box: Rectangle) -> Rectangle:
        if self.runs == "up":
            return Rectangle(box.y0, self.height - box.x1, box.y1, self.height - box.x0)
        if self.runs == "down":
            return Rectangle(self.width - box.y1, box.x0, self.width - box.y0, box.x1)
        return self._level(box)


def find_directions(pages: Sequence[PdfPage]) -> dict[int, Direction]:
    """Return the direction of each page whose text does not run from left to right, by page number."""
    return {page.number: direction for page in pages if (direction := _direction(page))}


def _direction(page: PdfPage) -> Direction | None:
    text = " ".join(line.text for line in page.lines)
    if is_vertical(page.lines, text):
        return Direction("down", page.width, page.height, vertical=True)
    sideways = [line for line in page.lines if not line.upright and line.height > line.width]
    if sideways and 2 * _characters(sideways) > _characters(page.lines):
        rising = sum(
            (1 if line.words[0].y0 > line.words[-1].y0 else -1) for line in sideways if len(line.words) > 1
        )
        return Direction("up" if rising >= 0 else "down", page.width, page.height)
    if runs_leftwards(text) and _is_flush_right(page.lines):
        return Direction("left", page.width, page.height)
    return None


def _is_flush_right(lines: Sequence[Line]) -> bool:
    """Whether lines that are flush on one side only are so on the right; some Hebrew is set as English is."""
    left = _flush([line.x0 for line in lines])
    right = _flush([line.x1 for line in lines])
    return sum(right) >= sum(left)


def _flush(edges: Sequence[float]) -> list[bool]:
    """Whether each line's edge is one that many lines have."""
    ordered = sorted(edges)
    enough = max(_FEW_FLUSH, _SHARE_FLUSH * len(edges))
    return [
        bisect_right(ordered, edge + SAME_EDGE) - bisect_left(ordered, edge - SAME_EDGE) >= enough
        for edge in edges
    ]


def _characters(lines: Iterable[Line]) -> int:
    return sum(line.letters for line in lines)


def _box(one: Line | Word) -> Rectangle:
    return Rectangle(one.x0, one.y0, one.x1, one.y1)
