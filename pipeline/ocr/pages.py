"""OCR of pages that are pictures.

PyMuPDF draws the page; the program `tesseract` reads the picture and gives the place of each word. Both use
pipes: no file is left behind, however the process ends. docs/decisions/0008-tesseract-as-a-program.md says
why.
"""

import ctypes
import math
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pymupdf

from pipeline.ocr.recognised_lines import ocr_lines
from pipeline.ocr.tesseract import (
    PAGE_CLOCK_SECONDS,
    PAGE_SECONDS,
    TIMED_OUT,
    Ocr,
    OcrMode,
    Tesseract,
)  # fmt: skip
from pipeline.pdf.lines import Line
from pipeline.pdf.opening import MUPDF_ERRORS, UnreadableError, open_pdf
from pipeline.pdf.reading import PdfPage, usable_lines

_RESOLUTION = 300 / 72
"""Pixels a point: Tesseract is trained on 300 dpi."""

_PIXELS = 10_000_000
"""Pixels of a page, at most: A4 at 300 dpi has 8.7 million; some scans declare pages of square metres."""

_LONGEST_SIDE = 30_000
"""Pixels of a page's side, at most; Tesseract takes 32,767."""

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, prctl(2)


class NotGrantedError(Exception):
    """The PDF has more `pages` to be read by OCR than were granted."""

    def __init__(self, pages: int) -> None:
        super().__init__(pages)
        self.pages = pages


def pages_to_read(pages: Iterable[PdfPage], mode: OcrMode) -> tuple[int, ...]:
    """Return the numbers of the pages that OCR is to read."""
    if mode == "off":
        return ()
    return tuple(page.number for page in pages if page.scanned or mode == "force")


def with_ocr(data: bytes, pages: Sequence[PdfPage], ocr: Ocr) -> tuple[PdfPage, ...]:
    """Return the pages of the PDF `data`, with lines that Tesseract reads on pages that need it.

    Usable lines of a page's text layer are kept ("force" keeps none), and what Tesseract reads in their
    place is left out. A page on which it reads nothing stays as it is; one for which there was not time
    enough has the source TIMED_OUT. Raise NotGrantedError before anything is read, and UnreadableError.
    """
    numbers = pages_to_read(pages, ocr.mode)
    if ocr.tesseract is None or not numbers:
        return tuple(pages)
    if ocr.granted is not None and len(numbers) > ocr.granted:
        raise NotGrantedError(len(numbers))
    with open_pdf(data) as document:
        return tuple(
            _read(document, page, ocr.tesseract, keep=ocr.mode == "auto") if page.number in numbers else page
            for page in pages
        )


def _read(document: Any, page: PdfPage, tesseract: Tesseract, *, keep: bool) -> PdfPage:
    kept = usable_lines(page.lines) if keep else ()
    picture, zoom = _picture(document, page)
    table = _recognised(tesseract, picture, page.number)
    if table is None:
        return replace(page, source=TIMED_OUT)
    seen = ocr_lines(table, page.number, zoom)
    new = [line for line in seen if not any(_same_place(line, other) for other in kept)]
    return replace(page, lines=(*kept, *new), source="ocr", scanned=False) if new else page


def _same_place(a: Line, b: Line) -> bool:
    """Whether the middle of one line is within the other."""
    return _holds(a, b) or _holds(b, a)


def _holds(a: Line, b: Line) -> bool:
    return a.x0 < (b.x0 + b.x1) / 2 < a.x1 and a.y0 < (b.y0 + b.y1) / 2 < a.y1


def _picture(document: Any, page: PdfPage) -> tuple[bytes, float]:
    """Return the page as it is shown, as a grey PNM picture, and its pixels per point."""
    width, height = max(page.width, 1.0), max(page.height, 1.0)
    zoom = min(_RESOLUTION, math.sqrt(_PIXELS / (width * height)), _LONGEST_SIDE / max(width, height))
    try:
        drawn = document[page.number - 1].get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False, annots=False
        )
        return drawn.tobytes("pnm"), zoom
    except MUPDF_ERRORS as error:
        raise UnreadableError(
            "damaged",
            f"MuPDF cannot draw page {page.number} ({error}). Repair the PDF, or build with --ocr off.",
        ) from error


def _recognised(tesseract: Tesseract, picture: bytes, page: int) -> str | None:
    """Return Tesseract's table of the words in the picture; None if it takes too long."""
    options = ["-l", tesseract.language, "--dpi", "300", "--psm", "3"]
    command = [tesseract.program, "stdin", "stdout", *options, "tsv"]
    try:
        done = subprocess.run(  # noqa: S603  # the program that find_ocr found
            command,
            input=picture,
            capture_output=True,
            check=False,
            timeout=PAGE_CLOCK_SECONDS,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # each worker uses one processor
            preexec_fn=_limit,
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        raise UnreadableError(
            "ocr", f"Tesseract does not start ({error}). Repair its installation, or build with --ocr off."
        ) from error
    if done.returncode == -signal.SIGXCPU:
        return None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()[-200:]
        raise UnreadableError(
            "ocr",
            f"Tesseract failed on page {page} ({said or done.returncode}). "
            "Build with --ocr off to leave it out.",
        )
    return done.stdout.decode(errors="replace")


def _limit() -> None:
    """In the child: end after so much processor time, and when the worker is stopped at its deadline."""
    resource.setrlimit(resource.RLIMIT_CPU, (PAGE_SECONDS, PAGE_SECONDS + 1))
    if sys.platform == "linux":
        _LIBC.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


_LIBC = ctypes.CDLL(None)  # loaded here: between fork and exec, a child should only call it
