"""A page of a PDF as a picture: what draws it, and why it may not be drawn."""

from collections.abc import Sequence
from typing import Literal, Protocol

from lookup.results.papers import Original

Reason = Literal["gone", "changed", "markup", "unreadable", "slow", "busy"]

_SENTENCES: dict[Reason, str] = {
    "gone": "The PDF of this paper has been moved or deleted since the build.",
    "changed": "The PDF of this paper has changed since the corpus was built.",
    "markup": "This paper was read from markup, and has no PDF.",
    "unreadable": "This page of the PDF cannot be drawn.",
    "slow": "This page takes too long to draw.",
    "busy": "The machine is too busy to draw this page now. Load it again in a moment.",
}


class NotDrawnError(Exception):
    """A page that cannot be drawn, and the reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def sentence(self) -> str:
        """Return what to tell a reader."""
        return _SENTENCES[self.reason]


Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the upper left corner of the displayed page."""


class Draw(Protocol):
    """Draws a page of a PDF, with boxes marked."""

    def __call__(self, original: Original, page: int, boxes: Sequence[Rectangle] = ()) -> bytes:
        """Return the page as PNG. Raise NotDrawnError."""
