"""Rotation: pages whose text is sideways, mostly wide tables, are read level and then turned back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.pdf.lines import DESCENT
from pipeline.pdf.reading import Line, PdfPage, Rectangle, Word


@dataclass(frozen=True)
class Rotation:
    """The quarter turn that makes a page's text level; sizes in points before it."""

    upwards: bool
    """Whether the text runs from the foot of the page to its top."""
    width: float
    height: float

    def page(self, page: PdfPage) -> PdfPage:
        """Return the page with its text level."""
        lines = tuple(self._line(line) for line in page.lines)
        drawings = tuple(self._level(box) for box in page.drawings)
        return replace(page, width=page.height, height=page.width, lines=lines, drawings=drawings)

    def back(self, line: Line) -> Line:
        """Return a line of the level page in its place on the page as it is shown."""
        words = tuple(word._replace(**self._shown(_box(word))._asdict()) for word in line.words)
        box = self._shown(_box(line))
        return replace(line, **box._asdict(), words=words, upright=not line.upright)

    def _line(self, line: Line) -> Line:
        words = tuple(word._replace(**self._level(_box(word))._asdict()) for word in line.words)
        box = self._level(_box(line))
        baseline = box.y1 - DESCENT * line.size
        return replace(line, **box._asdict(), words=words, upright=not line.upright, baseline=baseline)

    def _level(self, box: Rectangle) -> Rectangle:
        if self.upwards:
            return Rectangle(self.height - box.y1, box.x0, self.height - box.y0, box.x1)
        return Rectangle(box.y0, self.width - box.x1, box.y1, self.width - box.x0)

    def _shown(self, box: Rectangle) -> Rectangle:
        if self.upwards:
            return Rectangle(box.y0, self.height - box.x1, box.y1, self.height - box.x0)
        return Rectangle(self.width - box.y1, box.x0, self.width - box.y0, box.x1)


def find_rotations(pages: Sequence[PdfPage]) -> dict[int, Rotation]:
    """Return the rotation of each page whose text is mostly sideways, by page number."""
    return {page.number: rotation for page in pages if (rotation := _rotation(page))}


def _rotation(page: PdfPage) -> Rotation | None:
    sideways = [line for line in page.lines if not line.upright and line.height > line.width]
    if not sideways or 2 * sum(map(_characters, sideways)) <= sum(map(_characters, page.lines)):
        return None
    rising = sum(
        (1 if line.words[0].y0 > line.words[-1].y0 else -1) for line in sideways if len(line.words) > 1
    )
    return Rotation(rising >= 0, page.width, page.height)


def _characters(line: Line) -> int:
    return sum(len(word.text) for word in line.words)


def _box(one: Line | Word) -> Rectangle:
    return Rectangle(one.x0, one.y0, one.x1, one.y1)
