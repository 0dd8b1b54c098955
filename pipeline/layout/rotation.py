"""Pages whose text is set sideways, wide tables for the most part: they are read turned, and keep their places."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.pdf.reading import Line, PdfPage, Rectangle, Word

_DESCENT = 0.22
"""Em below the baseline."""


@dataclass(frozen=True)
class Rotation:
    """How a sideways page is turned to be read: by a quarter, so that its text is level; sizes in points before it is turned."""

    upwards: bool
    width: float
    height: float

    def page(self, page: PdfPage) -> PdfPage:
        """The page as it is read."""
        lines = tuple(self._line(line) for line in page.lines)
        drawings = tuple(self._box(*box) for box in page.drawings)
        return replace(page, width=page.height, height=page.width, lines=lines, drawings=drawings)

    def back(self, line: Line) -> Line:
        """A line of the turned page in its place on the page as it is shown."""
        words = tuple(self._word_back(word) for word in line.words)
        box = self._box_back(line.x0, line.y0, line.x1, line.y1)
        return replace(
            line, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1, words=words, upright=not line.upright
        )

    def _line(self, line: Line) -> Line:
        box = self._box(line.x0, line.y0, line.x1, line.y1)
        words = tuple(
            word._replace(**self._box(word.x0, word.y0, word.x1, word.y1)._asdict()) for word in line.words
        )
        baseline = box.y1 - _DESCENT * line.size
        return replace(
            line,
            x0=box.x0,
            y0=box.y0,
            x1=box.x1,
            y1=box.y1,
            words=words,
            upright=not line.upright,
            baseline=baseline,
        )

    def _word_back(self, word: Word) -> Word:
        return word._replace(**self._box_back(word.x0, word.y0, word.x1, word.y1)._asdict())

    def _box(self, x0: float, y0: float, x1: float, y1: float) -> Rectangle:
        if self.upwards:
            return Rectangle(self.height - y1, x0, self.height - y0, x1)
        return Rectangle(y0, self.width - x1, y1, self.width - x0)

    def _box_back(self, x0: float, y0: float, x1: float, y1: float) -> Rectangle:
        if self.upwards:
            return Rectangle(y0, self.height - x1, y1, self.height - x0)
        return Rectangle(self.width - y1, x0, self.width - y0, x1)


def find_rotations(pages: Sequence[PdfPage]) -> dict[int, Rotation]:
    """How those pages are to be turned, by number, whose text is sideways for the most part."""
    return {page.number: rotation for page in pages if (rotation := _rotation(page))}


def _rotation(page: PdfPage) -> Rotation | None:
    sideways = [line for line in page.lines if not line.upright and line.height > line.x1 - line.x0]
    if not sideways or 2 * sum(map(_characters, sideways)) <= sum(map(_characters, page.lines)):
        return None
    rising = sum(
        (1 if line.words[0].y0 > line.words[-1].y0 else -1) for line in sideways if len(line.words) > 1
    )
    return Rotation(rising >= 0, page.width, page.height)


def _characters(line: Line) -> int:
    return sum(len(word.text) for word in line.words)
