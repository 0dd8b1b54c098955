"""Pictures of pages, for whoever asks: drawn elsewhere, kept for a while, and never more at once than can be borne."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic

import anyio
import anyio.to_thread

from lookup.papers.original_pdf import NotDrawnError, Original, Reason

Draw = Callable[[Original, int], bytes]
"""Draws a page (counted from 1) of a PDF, as PNG; raises NotDrawnError."""

_KEPT_BYTES = 64 << 20
"""Bytes of pictures that are kept: some 200 pages."""

_FORGIVEN_AFTER = 30.0
"""Seconds for which a page that could not be drawn is not tried again."""

_FAILURES = 1000
"""Pages remembered that could not be drawn."""

_WAITING = 100
"""Pictures that may wait to be drawn, 5 s of work for one process: more are turned away, so that a crowd does not pile up."""


@dataclass(frozen=True)
class _Failure:
    reason: Reason
    when: float


class Pictures:
    """Pages as PNG, each drawn once while it is kept. `at_once` of them are drawn at a time."""

    def __init__(self, draw: Draw, at_once: int = 2, kept_bytes: int = _KEPT_BYTES) -> None:
        self._draw = draw
        self._kept_bytes = kept_bytes
        self._kept: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._failed: OrderedDict[tuple[str, int], _Failure] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()
        self._drawing = anyio.CapacityLimiter(at_once)
        self._waiting = 0

    async def picture(self, original: Original, page: int) -> bytes:
        """The page; raises NotDrawnError."""
        held = self._held(original, page)
        if held is not None:
            return held
        if self._waiting >= _WAITING:
            raise NotDrawnError("busy")
        self._waiting += 1
        try:
            # Threads of its own: whoever asks for words does not wait for those who ask for pictures.
            return await anyio.to_thread.run_sync(self._drawn, original, page, limiter=self._drawing)
        finally:
            self._waiting -= 1

    def _drawn(self, original: Original, page: int) -> bytes:
        held = self._held(original, page)  # somebody else may have waited for the same page
        if held is not None:
            return held
        place = (original.sha256, page)
        try:
            picture = self._draw(original, page)
        except NotDrawnError as error:
            with self._lock:
                self._failed[place] = _Failure(error.reason, monotonic())
                if len(self._failed) > _FAILURES:
                    self._failed.popitem(last=False)
            raise
        with self._lock:
            self._bytes += len(picture) - len(self._kept.get(place, b""))
            self._kept[place] = picture
            while self._bytes > self._kept_bytes and len(self._kept) > 1:
                self._bytes -= len(self._kept.popitem(last=False)[1])
        return picture

    def _held(self, original: Original, page: int) -> bytes | None:
        place = (original.sha256, page)
        with self._lock:
            failure = self._failed.get(place)
            if failure is not None and monotonic() - failure.when < _FORGIVEN_AFTER:
                raise NotDrawnError(failure.reason)
            self._failed.pop(place, None)
            if place in self._kept:
                self._kept.move_to_end(place)
            return self._kept.get(place)
