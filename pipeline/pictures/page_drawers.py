"""Draws pages on demand, in killable processes: a PDF that hangs, crashes or takes memory costs only itself.

It needs nothing but PyMuPDF: readers of a corpus need no other part of the pipeline.
"""

import hashlib
import multiprocessing
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from queue import LifoQueue
from typing import TYPE_CHECKING

from lookup.errors import PageQuoteError
from lookup.papers.original_pdf import NotDrawnError, Original, Reason
from lookup.storage.object_path import place
from lookup.storage.operating_system import be_kind, ended_by, limit_memory, start_timers
from lookup.storage.untrusted_files import read_file
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout

if TYPE_CHECKING:
    from collections.abc import Sequence
    from multiprocessing.context import SpawnProcess

    from pipeline.pictures.drawing import Rectangle

    _Asked = tuple[str, str, int, Sequence[Rectangle], int, float]
    """Path, SHA-256, page, boxes, pixels, and the seconds that it may take."""

_PIXELS = 1_500_000  # Size of a picture for who names none: A4 at 125 dpi, readable on a screen, some 300 kB.
_MARKED = (0.0, 0.55, 0.2)  # The colour of boxes: red, green, blue, from 0 to 1.
_START_SECONDS = 30.0  # Seconds that a process may take to start, in addition to those for a page.
_MOST_BYTES = 32 << 20  # Bytes of one picture, at most.
_MEMORY = 2 << 30  # Bytes of address space that a page may take.

_RECYCLE = 200
"""Pages that a process draws before a fresh one replaces it: memory that MuPDF does not free is freed with
it."""

_DRAWN = b"+"  # The first byte of an answer that is a picture; other answers are reasons.

_REASONS: dict[bytes, Reason] = {b"gone": "gone", b"changed": "changed", b"unreadable": "unreadable"}


class PageDrawers:
    """Draws a page at a time in each of its processes; one starts at once, so that no reader waits for it.

    Called with the PDF and a page, it returns the page as PNG within `seconds` (and the time that a process
    needs to start), or raises NotDrawnError. `close` ends the processes.
    """

    def __init__(self, processes: int = 2, seconds: float = 10.0) -> None:
        self._seconds = seconds
        self._open = True
        self._idle: LifoQueue[_Drawer] = LifoQueue()
        self._drawers = [_Drawer() for _ in range(processes)]
        for drawer in self._drawers:
            self._idle.put(drawer)  # the last is taken first
        self._drawers[-1].begin()

    def __call__(
        self, original: Original, page: int, boxes: "Sequence[Rectangle]" = (), pixels: int = _PIXELS
    ) -> bytes:
        """Return the page as PNG of about so many pixels, with boxes marked; raise NotDrawnError."""
        drawer = self._idle.get()
        try:
            if not self._open:
                raise NotDrawnError("busy")
            return drawer.draw((original.path, original.sha256, page, boxes, pixels, self._seconds))
        finally:
            self._idle.put(drawer)

    def close(self) -> None:
        """Kill all processes, and start no more."""
        self._open = False
        for drawer in self._drawers:
            drawer.end()


class _Drawer:
    """A process that draws one page after the other; it starts when needed, and again after its end."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None
        self._drawn = 0

    def draw(self, asked: "_Asked") -> bytes:
        if self._drawn >= _RECYCLE:
            self.end()
        begun = self._process is None
        try:
            answer = self._ask(asked)
        except _EndedError:
            if begun:
                raise NotDrawnError("unreadable") from None
            return self.draw(asked)  # an earlier page may have ended it
        if answer[:1] == _DRAWN:
            return answer[1:]
        raise NotDrawnError(_REASONS.get(answer, "unreadable"))

    def _ask(self, asked: "_Asked") -> bytes:
        """Return the answer of the process, which is started if needed."""
        process, pipe = (self._process, self._pipe) if self._process and self._pipe else self.begin()
        self._drawn += 1
        try:
            pipe.send(asked)
            if pipe.poll(asked[-1] + _START_SECONDS):
                # Bytes, not an object: what a hostile PDF does stays in that process.
                return pipe.recv_bytes(_MOST_BYTES)
            slow = True
        except (EOFError, OSError):
            process.join(1)
            slow = ended_by(process.exitcode, "SIGALRM")
        self.end()
        raise NotDrawnError("slow") if slow else _EndedError

    def end(self) -> None:
        process, pipe = self._process, self._pipe
        self._process, self._pipe, self._drawn = None, None, 0
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.kill()
            process.join()

    def begin(self) -> "tuple[SpawnProcess, Connection]":
        context = multiprocessing.get_context("spawn")
        pipe, theirs = context.Pipe()
        process = context.Process(target=_draw_pages, args=(theirs,), daemon=True)
        process.start()
        theirs.close()  # so that the pipe ends with the process
        self._process, self._pipe, self._drawn = process, pipe, 0
        return process, pipe


class _EndedError(Exception):
    """The process has ended."""


def _draw_pages(pipe: Connection) -> None:
    """In a process: draw the requested pages until the pipe ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    skip_pymupdf_layout()
    import pipeline.pictures.drawing  # noqa: F401, PLC0415  # before the limit, which is for the page alone

    limit_memory(_MEMORY)
    be_kind()  # quotes come before pictures
    with suppress(EOFError, OSError):
        while True:
            *what, seconds = pipe.recv()
            start_timers({"ITIMER_REAL": ("SIGALRM", seconds)})
            answer = _answer(*what)
            start_timers({"ITIMER_REAL": ("SIGALRM", 0)})
            pipe.send_bytes(answer)


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
