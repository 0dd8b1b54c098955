"""Text that no reader sees: without ink, white on nothing, or too small."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

_LEAST_SIZE = 1.0
"""Points: text below this size is not read. The smallest type of the shared papers is 2.3 points."""

_WHITE = 0xFFFFFF
_DRAWING = 3
"""The type of a block of PyMuPDF's that is a drawn path, not text."""

_PICTURES = frozenset({"fill-image", "fill-imgmask", "fill-shade"})
"""PyMuPDF's names of drawing operations that may show the words themselves, as scans do, or be dark."""

Box = Sequence[float]


class Visibility:
    """What can be seen of a page's text; `blocks` are what `extractDICT` gives for it."""

    def __init__(self, page: Any, blocks: Sequence[dict[str, Any]]) -> None:
        self._page = page
        self._blocks = blocks

    def hides(self, span: dict[str, Any]) -> bool:
        """Whether no reader sees the characters of a span.

        Invisible ink over a picture or a drawing is the text of a scan, and white on one is print.
        """
        seen = span["alpha"] and span["color"] != _WHITE
        if (seen and span["size"] >= _LEAST_SIZE) or not span["text"].strip():
            return False
        if span["size"] < _LEAST_SIZE:
            return True
        x0, y0, x1, y1 = span["bbox"]
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        return not _any_holds(self._drawings, x, y) and not _any_holds(self._pictures, x, y)

    @cached_property
    def _drawings(self) -> list[Box]:
        return [
            block["bbox"]
            for block in self._blocks
            if block["type"] == _DRAWING and block["alpha"] and block["color"] != _WHITE
        ]

    @cached_property
    def _pictures(self) -> list[Box]:
        return [box for kind, box in self._page.get_bboxlog() if kind in _PICTURES]


def _any_holds(boxes: Sequence[Box], x: float, y: float) -> bool:
    return any(left <= x <= right and top <= y <= foot for left, top, right, foot in boxes)
