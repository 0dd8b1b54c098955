"""Pictures of pages: drawn elsewhere, cached, and only so many at a time."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Literal

import anyio
import anyio.to_thread
from cachetools import LRUCache, TTLCache

from lookup.results.papers import Original
from pipeline.files.drawn_page import NotDrawnError, Reason

Size = Literal["small", "page", "large"]  # Of a picture: among others, beside its text, and alone.

PIXELS: Mapping[Size, int] = {"small": 60_000, "page": 1_500_000, "large": 5_000_000}
"""Pixels of each size. A4 at 25 dpi, some 20 kB; at 125 dpi, 300 kB; at 230 dpi, 800 kB, where indices of
indices can be read."""


DrawInPixels = Callable[..., bytes]
"""Draws a page (counted from 1) of a PDF as PNG of about `pixels`. Raise NotDrawnError."""

_KEPT_BYTES = 64 << 20  # Bytes of pictures in the cache: some 200 pages.
_FORGIVEN_AFTER = 30.0  # Seconds before a page that could not be drawn is tried again.
_FAILURES = 1000  # Pages in the cache of failures.
_WAITING = 100  # Pictures that may wait to be drawn, 5 s of work for one process. More are refused.


_Place = tuple[str, int, Size]


class Pictures:
    """Pages as PNG, each drawn once while it is cached, `at_once` at a time."""

    def __init__(self, draw: DrawInPixels, at_once: int = 2, kept_bytes: int = _KEPT_BYTES) -> None:
        self._draw = draw
        self._kept: LRUCache[_Place, bytes] = LRUCache(kept_bytes, getsizeof=len)
        self._failed: TTLCache[_Place, Reason] = TTLCache(_FAILURES, ttl=_FORGIVEN_AFTER)
        self._lock = Lock()
        self._drawing = anyio.CapacityLimiter(at_once)
        self._waiting = 0

    async def picture(self, original: Original, page: int, size: Size = "page") -> bytes:
        """Return the page. Raise NotDrawnError."""
        held = self._held((original.sha256, page, size))
        if held is not None:
            return held
        if self._waiting >= _WAITING:
            raise NotDrawnError("busy")
        self._waiting += 1
        try:
            # Threads of its own: requests for text do not wait for pictures.
            return await anyio.to_thread.run_sync(self.drawn, original, page, size, limiter=self._drawing)
        finally:
            self._waiting -= 1

    def drawn(self, original: Original, page: int, size: Size) -> bytes:
        """Return the page, drawn in this thread. Raise NotDrawnError."""
        place = (original.sha256, page, size)
        held = self._held(place)  # another request may have drawn it meanwhile
        if held is not None:
            return held
        try:
            picture = self._draw(original, page, pixels=PIXELS[size])
        except NotDrawnError as error:
            if error.reason != "busy":
                with self._lock:
                    self._failed[place] = error.reason
            raise
        with self._lock, suppress(ValueError):  # it is larger than the cache
            self._kept[place] = picture
        return picture

    def _held(self, place: _Place) -> bytes | None:
        with self._lock:
            if reason := self._failed.get(place):
                raise NotDrawnError(reason)
            return self._kept.get(place)
