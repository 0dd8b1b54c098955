"""The picture of a page, its tilt, and pieces of it set level: what readers of scans look at."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pymupdf

from pipeline.pdf.opening import MUPDF_ERRORS, UnreadableError
from pipeline.pdf.reading import PdfPage

_RESOLUTION = 300 / 72
"""Pixels a point: Tesseract is trained on 300 dpi."""

_PIXELS = 10_000_000
"""Pixels of a page, at most: A4 at 300 dpi has 8.7 million; some scans declare pages of square metres."""

_LONGEST_SIDE = 30_000
"""Pixels of a page's side, at most; Tesseract takes 32,767."""

_TILTS = np.arange(-140, 141) / 2000
"""Tilts as fall over run that are tried. A step is .2 points at the end of a line of 400."""

_CLEARLY = 1.1
"""Times as uneven as the profile of a level page is that of a tilted one; few short lines tell little."""

_INK = 40
"""Levels of grey by which ink is darker than paper."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A page as it is shown: rows of grey pixels, pixels per point, and the tilt of its text."""

    grey: npt.NDArray[np.uint8]
    zoom: float
    tilt: float = 0.0

    def level(self, box: tuple[float, ...], height: int, width: int) -> npt.NDArray[np.float32]:
        """Return what is in the `box`, in points of the page set level, in so many rows and columns."""
        x0, y0, x1, y1 = box
        across = (x0 + (np.arange(width) + 0.5) * (x1 - x0) / width)[None, :]
        down = (y0 + (np.arange(height) + 0.5) * (y1 - y0) / height)[:, None]
        x, y = turned(across, down, self.tilt)
        rows, columns = self.grey.shape
        x = np.clip(x * self.zoom - 0.5, 0, columns - 1.001).astype(np.float32)
        y = np.clip(y * self.zoom - 0.5, 0, rows - 1.001).astype(np.float32)
        left, top = x.astype(np.int32), y.astype(np.int32)
        x, y = x - left, y - top
        upper = self.grey[top, left] * (1 - x) + self.grey[top, left + 1] * x
        lower = self.grey[top + 1, left] * (1 - x) + self.grey[top + 1, left + 1] * x
        result: npt.NDArray[np.float32] = upper * (1 - y) + lower * y
        return result


def turned(x: Any, y: Any, tilt: float) -> tuple[Any, Any]:
    """Return where the point (x, y) of a page set level is on the page with this tilt; back with -tilt."""
    cos = 1 / math.hypot(1, tilt)
    return (x - y * tilt) * cos, (y + x * tilt) * cos


def tilt_of(grey: npt.NDArray[np.uint8]) -> float:
    """Return the tilt of the lines of text in a picture, as fall over run.

    The profile of the ink by rows is the most uneven where rows run along the lines (Postl, 1986).
    """
    small = grey[::3, ::3]
    y, x = np.nonzero(small < np.median(small) - _INK)

    def unevenness(tilt: float) -> float:
        rows = np.bincount((y - x * tilt + small.shape[1]).astype(np.int64))
        return float(np.square(np.diff(rows.astype(np.float64))).sum())

    found = max(_TILTS, key=unevenness) if len(x) else 0.0
    return float(found) if found and unevenness(found) > _CLEARLY * unevenness(0.0) else 0.0


def picture_of(document: Any, page: PdfPage, *, tilted: bool = True) -> Picture:
    """Return the page as it is shown, level unless it may be `tilted`. Raise UnreadableError."""
    width, height = max(page.width, 1.0), max(page.height, 1.0)
    zoom = min(_RESOLUTION, math.sqrt(_PIXELS / (width * height)), _LONGEST_SIDE / max(width, height))
    try:
        drawn = document[page.number - 1].get_pixmap(
            matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False, annots=False
        )
    except MUPDF_ERRORS as error:
        raise UnreadableError(
            "damaged",
            f"MuPDF cannot draw page {page.number} ({error}). Repair the PDF, or build with --ocr off.",
        ) from error
    pixels = np.frombuffer(drawn.samples, np.uint8).reshape(drawn.height, drawn.stride)
    grey = pixels[:, : drawn.width]
    return Picture(grey, zoom, tilt_of(grey) if tilted else 0.0)
