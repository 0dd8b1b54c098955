"""Draws pages on demand, in killable processes: a PDF that hangs, crashes or takes memory costs only itself.

It needs nothing but PyMuPDF: readers of a corpus need no other part of the pipeline.
"""

import hashlib
from typing import TYPE_CHECKING

from lookup.errors import PageQuoteError
from lookup.results.papers import Original
from lookup.storage.object_path import place
from lookup.storage.untrusted_files import read_file
from pipeline.files.drawn_page import NotDrawnError, Reason
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout
from pipeline.processes.killable_process import (
    ClosedError,
    EndedError,
    KillableProcesses,
    Kind,
    NotStartedError,
    SlowError,
    StarvedError,
)
from pipeline.processes.operating_system import be_kind, limit_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.pictures.drawing import Rectangle

_PIXELS = 1_500_000  # Size of a picture for who names none: A4 at 125 dpi, readable on a screen, some 300 kB.
_MARKED = (0.0, 0.55, 0.2)  # The colour of boxes: red, green, blue, from 0 to 1.
_MOST_BYTES = 32 << 20  # Bytes of one picture, at most.
_MEMORY = 2 << 30  # Bytes of address space that a page may take.

_RECYCLE = 200
"""Pages that a process draws before a fresh one replaces it: memory that MuPDF does not free is freed with
it."""

_DRAWN = b"+"  # The first byte of an answer that is a picture; other answers are reasons.

_REASONS: dict[bytes, Reason] = {b"gone": "gone", b"changed": "changed", b"unreadable": "unreadable"}


class PageDrawers:
    """Draws a page at a time in each of its processes; `at_once` one starts, so that no reader waits for it.

    Called with the PDF and a page, it returns the page as PNG within `seconds` (and the time that a process
    needs to start), or raises NotDrawnError. `close` ends the processes.
    """

    def __init__(self, processes: int = 2, seconds: float = 10.0, *, at_once: bool = True) -> None:
        self._seconds = seconds
        # Bytes alone are answers: what a hostile PDF does stays in that process.
        self._processes = KillableProcesses(
            processes, Kind(_prepare, most_works=_RECYCLE, most_bytes=_MOST_BYTES)
        )
        if at_once:
            self._processes.start()

    def __call__(
        self, original: Original, page: int, boxes: "Sequence[Rectangle]" = (), pixels: int = _PIXELS
    ) -> bytes:
        """Return the page as PNG of about so many pixels, with boxes marked; raise NotDrawnError."""
        if not original.reachable:
            raise NotDrawnError("gone")
        asked = original.path, original.sha256, page, boxes, pixels
        try:
            answer = self._processes.do(_answer, *asked, seconds=self._seconds)
        except (NotStartedError, StarvedError, ClosedError):
            raise NotDrawnError("busy") from None
        except SlowError:
            raise NotDrawnError("slow") from None
        except (EndedError, RuntimeError):
            raise NotDrawnError("unreadable") from None
        if isinstance(answer, bytes) and answer[:1] == _DRAWN:
            return answer[1:]
        raise NotDrawnError(_REASONS.get(answer, "unreadable"))

    def close(self) -> None:
        """Kill all processes, and start no more."""
        self._processes.close()


def _prepare() -> None:
    """In a process: load what draws, and bound its memory."""
    skip_pymupdf_layout()
    import pipeline.pictures.drawing  # noqa: F401, PLC0415  # before the limit, which is for the page alone

    limit_memory(_MEMORY)
    be_kind()  # quotes come before pictures


def _answer(path: str, sha256: str, page: int, boxes: "Sequence[Rectangle]", pixels: int) -> bytes:
    from pipeline.formats import LARGEST  # noqa: PLC0415
    from pipeline.pdf.opening import UnreadableError  # noqa: PLC0415
    from pipeline.pictures.drawing import Mark, bare_page, render  # noqa: PLC0415

    try:
        data = read_file(place(path), LARGEST)
        if hashlib.sha256(data).hexdigest() != sha256:
            return b"changed"
        marked = [Mark(tuple(boxes), _MARKED)]
        drawn = render(data, page, marked, pixels=pixels) if boxes else bare_page(data, page, pixels)
        return _DRAWN + drawn
    except OSError:
        return b"gone"
    except (PageQuoteError, UnreadableError, MemoryError):
        return b"unreadable"
