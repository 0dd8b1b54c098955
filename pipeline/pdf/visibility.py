"""Text that no reader sees: without ink, white on nothing, too small, or covered by what is drawn later."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pymupdf

from pipeline.pdf.fonts import place
from pipeline.pdf.text_layer import TextLayer

_LEAST_SIZE = 1.0  # flat
"""Points: text below this size is not read. The smallest type of the shared papers is 2.3 points."""

_LEAST_ALPHA = 13  # flat
"""Opacity, of 255, below which ink is not seen."""

_WHITE = 0xF8F8F8
"""Red, green and blue from which on a colour is as white as paper."""

_DRAWING = 3
"""The type of a block of PyMuPDF's that is a drawn path, not text."""

_PICTURES = frozenset({"fill-image", "fill-imgmask", "fill-shade"})
"""PyMuPDF's names of drawing operations that may show the words themselves, as scans do, or be dark."""

_TEXT = frozenset({"fill-text", "stroke-text"})
"""PyMuPDF's names of drawing operations that leave characters to see."""

_SCAN = 0.5  # flat
"""Share of a page's area from which on its pictures are a scan, and text below them is what OCR read."""

_NO_INK = 3
"""The type of a span of `get_texttrace` that is drawn without ink."""

_COVERED = 0.25  # 1.25x: other words are hidden in 1 of 19 papers
"""Share of a line's height: what overlaps less of it, a rule for example, does not cover its characters."""

_SPACE = 0.2  # flat
"""Em that a space is wide at least: what overlaps only the spaces at a line's end covers nothing."""

_ZOOM = 2.0  # flat
"""Pixels to a point at which it is looked whether text shows."""

_SHOWS = 16  # flat
"""Difference of a pixel, of 255, with and without text, from which on text shows in it."""

_INNER = 0.15  # flat
"""Share of a character's width, on either side, into which its neighbours may reach."""

Box = Sequence[float]

_Printed = tuple[tuple[float, float], str]
"""A character and its place."""


class Visibility:
    """What can be seen of the text `layer` of a page."""

    def __init__(self, page: Any, layer: TextLayer) -> None:
        self._page = page
        self._layer = layer
        self._blocks = layer.blocks

    def unseen(self) -> Iterator[Sequence[bool]]:
        """Yield for each line of text which of its characters no reader sees; () where all are seen."""
        covered = self._covered() if self._may_be_covered() else frozenset()
        if not covered:
            for block in self._blocks:
                for line in block.get("lines", ()):
                    hidden = [self._hides(span) for span in line["spans"]]
                    of_spans = zip(hidden, line["spans"], strict=True)
                    yield [gone for gone, span in of_spans for _ in span["text"]] if any(hidden) else ()
            return
        for block in self._layer.characters:
            for line in block.get("lines", ()):
                found: list[bool] = []
                for span in line["spans"]:
                    gone = self._hides(span | {"text": "".join([char["c"] for char in span["chars"]])})
                    found += [gone or (place(char["origin"]), char["c"]) in covered for char in span["chars"]]
                yield found if any(found) else ()

    def _hides(self, span: dict[str, Any]) -> bool:
        """Whether no reader sees the characters of a span, whatever covers them.

        Invisible ink over a picture or a drawing is the text of a scan, and white on one is print.
        """
        seen = span["alpha"] >= _LEAST_ALPHA and not _is_white(span["color"])
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
            if block["type"] == _DRAWING and block["alpha"] and not _is_white(block["color"])
        ]

    @cached_property
    def _pictures(self) -> list[Box]:
        return [box for kind, box in self._operations if kind in _PICTURES]

    @cached_property
    def _operations(self) -> list[tuple[str, Box]]:
        operations: list[tuple[str, Box]] = self._page.get_bboxlog()
        return operations

    def _may_be_covered(self) -> bool:
        """Whether anything that may be opaque overlaps text that may have been drawn before it."""
        texts: list[Box] = []
        for block in self._blocks:
            if block["type"] != _DRAWING:
                texts += _inked(block)
            elif not block["stroked"] and block["alpha"] and _covers_any(block["bbox"], texts):
                return True
        return bool(texts) and any(_covers_any(box, texts) for box in self._images())

    def _images(self) -> list[Box]:
        """Return the boxes of the page's images, none of those of a scan."""
        if not self._page.get_images() and not self._page.first_annot:
            return []
        found = _Images()
        _run(self._page, found)
        return [] if _is_scan(found.boxes, self._page) else found.boxes

    def _covered(self) -> frozenset[_Printed]:
        """The characters of which nothing shows, for something opaque was drawn over them."""
        covers = self._covers()
        if not covers:
            return frozenset()
        areas = np.array([box for _, box in covers])
        drawn = [
            ((place(origin), chr(code)), box, span["seqno"])
            for span in self._page.get_texttrace()
            if span["type"] != _NO_INK and _overlap(areas, span["bbox"]).any()
            for code, _, origin, box in span["chars"]
            if not chr(code).isspace()
        ]
        if not drawn:
            return frozenset()
        orders = np.array([order for _, _, order in drawn])
        boxes = np.array([box for _, box, _ in drawn])
        last = np.full(len(drawn), -1)  # of the operations that may cover each character
        for order, box in covers:
            last[_overlap(boxes, box) & (orders < order)] = order
        (below,) = np.nonzero(last >= 0)
        if not len(below):
            return frozenset()
        ink = _Ink(self._page, boxes[below])
        hidden = {at for at in below if not ink.shows(boxes[at], boxes[orders > last[at]])}
        seen = {one for at, (one, _, _) in enumerate(drawn) if at not in hidden}
        return frozenset({drawn[at][0] for at in hidden} - seen)

    def _covers(self) -> list[tuple[int, Box]]:
        """Return what was drawn over text and may be opaque: its number among the operations, its box."""
        pictures = not _is_scan(self._pictures, self._page)
        covers: list[tuple[int, Box]] = []
        texts: list[Box] = []
        for order, (kind, box) in enumerate(self._operations):
            if kind in _TEXT:
                texts.append(box)
            elif (kind == "fill-path" or (pictures and kind in _PICTURES)) and _covers_any(box, texts):
                covers.append((order, box))
        inked = [box for block in self._blocks for box in _inked(block)]
        return [(order, box) for order, box in covers if _covers_any(box, inked)]


class _Images(pymupdf.mupdf.FzDevice2):  # type: ignore[misc]  # PyMuPDF has no types
    """A device of MuPDF's that notes where a page has images, and does nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: list[Box] = []
        self.use_virtual_fill_image()

    def fill_image(self, _context: Any, _image: Any, matrix: Any, *_how: Any) -> None:
        placed = pymupdf.Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        self.boxes.append(tuple(pymupdf.Rect(0, 0, 1, 1) * placed))


class _Ink:
    """A part of a page, the rectangle around `boxes`, drawn with its text and without it."""

    def __init__(self, page: Any, boxes: Any) -> None:
        x0, y0, _, _ = np.min(boxes, axis=0)
        _, _, x1, y1 = np.max(boxes, axis=0)
        self._part = pymupdf.Rect(x0, y0, x1, y1) * pymupdf.Matrix(_ZOOM, _ZOOM)
        drawn, bare = _picture(page, self._part, text=True), _picture(page, self._part, text=False)
        self._shows = (np.abs(drawn - bare) >= _SHOWS).any(axis=2)

    def shows(self, box: Box, others: Any) -> bool:
        """Whether text shows in the box of a character, but for what is in the boxes of `others`."""
        inner = _INNER * (box[2] - box[0])
        rows, columns = self._pixels((box[0] + inner, box[1], box[2] - inner, box[3]))
        part = self._shows[rows, columns]
        if not part.any():
            return not part.size
        part = part.copy()
        for other in others[_overlap(others, box)]:
            down, across = self._pixels(other)
            part[
                max(0, down.start - rows.start) : max(0, down.stop - rows.start),
                max(0, across.start - columns.start) : max(0, across.stop - columns.start),
            ] = False
        return bool(part.any())

    def _pixels(self, box: Box) -> tuple[slice, slice]:
        left, top = int(self._part.x0), int(self._part.y0)
        x0, y0, x1, y1 = (round(_ZOOM * edge) for edge in box)
        return slice(max(0, y0 - top), max(0, y1 - top)), slice(max(0, x0 - left), max(0, x1 - left))


def _picture(page: Any, part: Any, *, text: bool) -> Any:
    """Return the pixels of a part of a page, given in pixels of the page that is not rotated."""
    mupdf = pymupdf.mupdf
    pixmap = mupdf.fz_new_pixmap_with_bbox(
        mupdf.fz_device_rgb(), mupdf.FzIrect(*part.irect), mupdf.FzSeparations(), 0
    )
    mupdf.fz_clear_pixmap_with_value(pixmap, 255)
    device = mupdf.fz_new_draw_device(mupdf.FzMatrix(), pixmap)
    if not text:  # MuPDF leaves out what a device has no function for
        device.m_internal.fill_text = device.m_internal.stroke_text = None
    _run(page, device, _ZOOM)
    made = pymupdf.Pixmap(pixmap)
    return np.frombuffer(made.samples, np.uint8).reshape(made.height, made.width, made.n).astype(np.int16)


def _run(page: Any, device: Any, zoom: float = 1.0) -> None:
    """Draw the page on a device of MuPDF's, not rotated."""
    mupdf = pymupdf.mupdf
    matrix = page.derotation_matrix * pymupdf.Matrix(zoom, zoom)
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(*matrix), mupdf.FzCookie())
    mupdf.fz_close_device(device)


def _is_scan(pictures: Sequence[Box], page: Any) -> bool:
    paper = page.rect * page.derotation_matrix
    shown = sum(abs(pymupdf.Rect(box) & paper) for box in pictures)
    return bool(shown >= _SCAN * abs(paper))


def _inked(block: dict[str, Any]) -> Iterator[Box]:
    """Yield the boxes of a block's spans, of level ones without the spaces at their ends."""
    for line in block.get("lines", ()):
        for span in line["spans"]:
            text: str = span["text"]
            if text and not text[0].isspace() and not text[-1].isspace():
                yield span["bbox"]
            elif inked := text.strip():
                x0, y0, x1, y1 = span["bbox"]
                space = _SPACE * span["size"] if x1 - x0 > y1 - y0 else 0.0
                begin = text.index(inked)
                yield x0 + space * begin, y0, x1 - space * (len(text) - begin - len(inked)), y1


def _is_white(colour: int) -> bool:
    return colour >= _WHITE and all(colour & part >= _WHITE & part for part in (0xFF0000, 0xFF00, 0xFF))


def _covers_any(box: Box, texts: Sequence[Box]) -> bool:
    """Whether a box overlaps one of the boxes of text by `_COVERED` of its lesser side."""
    x0, y0, x1, y1 = box
    for left, top, right, foot in texts:
        if left < x1 and right > x0 and top < y1 and foot > y0:
            least = _COVERED * min(right - left, foot - top)
            if min(x1, right) - max(x0, left) >= least and min(y1, foot) - max(y0, top) >= least:
                return True
    return False


def _overlap(boxes: Any, box: Box) -> Any:
    """Return which of the boxes, row by row, overlap `box`."""
    x0, y0, x1, y1 = boxes.T
    return (x0 < box[2]) & (x1 > box[0]) & (y0 < box[3]) & (y1 > box[1])


def _any_holds(boxes: Sequence[Box], x: float, y: float) -> bool:
    return any(left <= x <= right and top <= y <= foot for left, top, right, foot in boxes)
