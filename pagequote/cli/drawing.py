"""Pictures of pages, for the ways in that show them."""

from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lookup.papers.original_pdf import Original, Rectangle
    from pipeline.pictures.page_drawers import PageDrawers


class Drawing:
    """Draws pages, in a process of its own that the first of them starts."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._drawers: PageDrawers | None = None

    def __call__(self, original: "Original", page: int, boxes: "Sequence[Rectangle]" = ()) -> bytes:
        """Return the page as PNG, with boxes marked. Raise NotDrawnError."""
        with self._lock:
            if self._drawers is None:
                from pipeline.pictures.page_drawers import PageDrawers

                self._drawers = PageDrawers(processes=1)
        return self._drawers(original, page, boxes)

    def close(self) -> None:
        """Kill the process."""
        if self._drawers is not None:
            self._drawers.close()
