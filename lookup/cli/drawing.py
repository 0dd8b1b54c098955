"""Pictures of pages, for the faces that show them."""

from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lookup.papers.original_pdf import Original, Rectangle

_DRAWERS = "pipeline.pictures.page_drawers:PageDrawers"
"""What draws pages, in processes of its own: named, since `lookup` imports nothing of `pipeline`."""


class Drawing:
    """Draws pages; the process that does is started by the first of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._drawers: Any = None

    def __call__(self, original: "Original", page: int, boxes: "Sequence[Rectangle]" = ()) -> bytes:
        """Return the page as PNG, with boxes marked. Raise NotDrawnError."""
        with self._lock:
            if self._drawers is None:
                module, name = _DRAWERS.split(":")
                self._drawers = getattr(import_module(module), name)(processes=1)
        drawn: bytes = self._drawers(original, page, boxes)
        return drawn

    def close(self) -> None:
        """Kill the process."""
        if self._drawers is not None:
            self._drawers.close()
