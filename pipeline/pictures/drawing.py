"""Draws a page of a PDF as a picture, with marked boxes."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import pymupdf

from lookup.errors import PageNotFoundError, SourceError
from pipeline.pdf.opening import MUPDF_ERRORS, open_pdf

Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the upper left corner of the displayed page."""

Point = tuple[float, float]  # x, y in such points.
Colour = tuple[float, float, float]  # Red, green, blue, from 0 to 1.

_PAGE_PIXELS = 2_200_000
"""Size of the page in the picture, whatever its size in points: A4 at 150 dpi, which reads well on a
screen."""

_SHADES = bytes(17 * ((value + 8) // 17) for value in range(256))  # The nearest of 16, for each of 256.
_LONGEST = 6000  # Pixels of the page's longer side, at most, for strips of paper.
_CLOSEST = 6.0  # Pixels a point, at most, for pages of stamp size.
_NOTES = 1500  # Pixels of the margin for notes, at most.
_GUTTER = 30  # Pixels of it for the lines that lead to them.
_FONT = 13  # Pixels of the letters of labels and notes.
_ROW = 17  # Pixels between two notes, at least.

_FILL, _STROKE = 0.12, 0.8
"""Opacity of a mark's boxes and of their outlines: the print under them stays readable."""

_INK, _PAPER, _FRAME, _ARROW = (0.15, 0.15, 0.15), (1.0, 1.0, 1.0), (0.6, 0.6, 0.6), (0.3, 0.3, 0.3)


@dataclass(frozen=True)
class Mark:
    """Boxes on a page that belong together, in their order.

    `label` is set on the first of them, and where they are `joined` also where they continue elsewhere on the
    page; `note` in the margin.
    """

    boxes: tuple[Rectangle, ...]
    colour: Colour
    label: str = ""
    note: str = ""
    joined: bool = True


def render(
    pdf: bytes,
    page: int,
    marks: Sequence[Mark],
    *,
    legend: Sequence[tuple[str, Colour]] = (),
    arrows: Sequence[tuple[Point, Point]] = (),
    caption: str = "",
    pixels: int = _PAGE_PIXELS,
) -> bytes:
    """Return the page (counted from 1) of the PDF with the marks drawn over it, as PNG.

    The page has about so many `pixels`. `arrows` lead from one point of the page to another. `legend` (names
    of colours) and `caption` are at the foot. Raises PageNotFoundError, SourceError where MuPDF cannot draw
    the page, UnreadableError where it cannot open the PDF.
    """
    image, zoom = _picture(pdf, page, pixels)
    noted = [_text_width(mark.note) + _GUTTER + 10 for mark in marks if mark.note]
    margin = min(_NOTES, round(max(noted))) if noted else 0
    foot = _ROW * (bool(legend) + bool(caption)) + _FONT
    width, height = image.width + 2 * margin, image.height
    with pymupdf.open() as document:
        sheet = document.new_page(width=width, height=height + foot)
        sheet.insert_image((margin, 0, margin + image.width, height), pixmap=image)
        sheet.draw_rect((margin, 0, margin + image.width, height), color=_FRAME, width=1)
        placed = [_placed(mark, zoom, margin) for mark in marks if mark.boxes]
        _draw_arrows(sheet, arrows, zoom, margin)
        for mark in placed:
            _draw_boxes(sheet, mark)
        _draw_labels(sheet, placed)  # after all boxes, so that none covers a label
        if margin:
            _draw_notes(sheet, placed, (margin, width - margin), height)
        _draw_legend(sheet, legend, height + _ROW)
        _write(sheet, (_FONT, height + foot - _FONT / 2), caption, _INK)
        png: bytes = sheet.get_pixmap(alpha=False).tobytes("png")
    return png


def bare_page(pdf: bytes, page: int, pixels: int) -> bytes:
    """Return the page alone as PNG, of about so many pixels; raise what `render` raises.

    What is no larger than a screen has 16 shades of each colour: half the bytes (36 pages of 18 papers:
    329 -> 170 kB, and 28 -> 13 kB of small ones), and print looks the same; photographs are a little coarser.
    """
    image, _ = _picture(pdf, page, pixels)
    if pixels <= _PAGE_PIXELS:
        shades = image.samples.translate(_SHADES)
        image = pymupdf.Pixmap(image.colorspace, image.width, image.height, shades, 0)
    png: bytes = image.tobytes("png")
    return png


def stretches(boxes: Iterable[Rectangle]) -> Iterator[list[Rectangle]]:
    """Group the boxes of lines in reading order; a group ends where the next box is not below it."""
    run: list[Rectangle] = []
    for box in boxes:
        if run and not _stands_below(box, run[-1]):
            yield run
            run = []
        run.append(box)
    if run:
        yield run


def _stands_below(box: Rectangle, before: Rectangle) -> bool:
    """Return whether it is on the next line of the same column, or on the same line."""
    overlap = min(box[2], before[2]) - max(box[0], before[0])
    gap = box[1] - before[3]
    height = max(box[3] - box[1], before[3] - before[1])
    beside = abs(box[1] - before[1]) < 0.5 * height
    return beside or (overlap > 0 and -height < gap < 3 * height)


def _picture(pdf: bytes, page: int, pixels: int = _PAGE_PIXELS) -> tuple[Any, float]:
    """Return the bare page, and its pixels per point."""
    with open_pdf(pdf) as document:
        if not 1 <= page <= len(document):
            raise PageNotFoundError(f"The PDF has pages 1 to {len(document)}; there is no page {page}.")
        try:
            shown = document[page - 1]
            width, height = max(shown.rect.width, 1), max(shown.rect.height, 1)
            zoom = min(math.sqrt(pixels / (width * height)), _LONGEST / max(width, height), _CLOSEST)
            image = shown.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False, colorspace=pymupdf.csRGB)
        except MUPDF_ERRORS as error:
            raise SourceError(
                f"MuPDF cannot draw page {page} ({error}). Repair the PDF, or open it in a viewer."
            ) from error
    return image, zoom


def _placed(mark: Mark, zoom: float, margin: float) -> Mark:
    """Return the mark in pixels of the picture."""
    boxes = tuple(
        (margin + x0 * zoom, y0 * zoom, margin + x1 * zoom, y1 * zoom) for x0, y0, x1, y1 in mark.boxes
    )
    return replace(mark, boxes=boxes)


def _draw_boxes(sheet: Any, mark: Mark) -> None:
    runs = list(stretches(mark.boxes))
    shape = sheet.new_shape()
    for box in mark.boxes:
        shape.draw_rect(pymupdf.Rect(box))
    shape.finish(color=mark.colour, fill=mark.colour, width=0.7, stroke_opacity=_STROKE, fill_opacity=_FILL)
    for run in runs:  # a bar beside its lines shows what belongs together
        left = min(box[0] for box in run) - 3
        shape.draw_line((left, run[0][1]), (left, run[-1][3]))
    shape.finish(color=mark.colour, width=2.5, stroke_opacity=_STROKE)
    for before, after in pairwise(
        runs if mark.joined else ()
    ):  # it continues in another column, or after a float
        shape.draw_line((before[-1][2], before[-1][3]), (after[0][0], after[0][1]))
    shape.finish(color=mark.colour, width=1.5, dashes="[6 4] 0", stroke_opacity=_STROKE)
    shape.commit()


def _draw_labels(sheet: Any, marks: Sequence[Mark]) -> None:
    taken: list[Any] = []
    for mark in marks:
        width = _text_width(mark.label) + 4
        runs = list(stretches(mark.boxes)) if mark.label else []
        for run in runs if mark.joined else runs[:1]:
            x, y = max(run[0][0] - 3, width), run[0][1]
            spots = [
                pymupdf.Rect(x - width + right, y - 2 + down, x + right, y + _FONT + down)
                for right, down in _SPOTS
            ]
            tag = next((spot for spot in spots if not any(map(spot.intersects, taken))), spots[0])
            taken.append(tag)
            sheet.draw_rect(tag, color=None, fill=mark.colour, fill_opacity=0.9)
            _write(sheet, (tag.x0 + 2, tag.y1 - 3), mark.label, _PAPER)


_SPOTS = ((0, 0), (0, -_ROW), (0, _ROW), (-2 * _ROW, 0), (-2 * _ROW, -_ROW), (-2 * _ROW, _ROW))
"""Where a label may stand: left of its box, and in pixels from there where another label is."""


def _draw_arrows(sheet: Any, arrows: Sequence[tuple[Point, Point]], zoom: float, margin: float) -> None:
    shape = sheet.new_shape()
    for start, end in arrows:
        (x0, y0), (x1, y1) = ((margin + x * zoom, y * zoom) for x, y in (start, end))
        shape.draw_line((x0, y0), (x1, y1))
        length = math.hypot(x1 - x0, y1 - y0) or 1
        run, rise = 10 * (x1 - x0) / length, 10 * (y1 - y0) / length
        for side in (-0.45, 0.45):
            shape.draw_line((x1, y1), (x1 - run - side * rise, y1 - rise + side * run))
    if arrows:
        shape.finish(color=_ARROW, width=2, stroke_opacity=_STROKE)
        shape.commit()


def _draw_notes(sheet: Any, marks: Sequence[Mark], page: tuple[float, float], height: float) -> None:
    """Draw the notes beside their marks, in the nearer margin, moved apart where they would overlap.

    Their lines keep to the margin, in the order of the notes: none crosses another, nor the print.
    """
    left, right = page
    sides: dict[bool, list[Mark]] = {True: [], False: []}
    for mark in marks:
        if mark.note:
            box = mark.boxes[0]
            sides[box[0] + box[2] < left + right].append(mark)
    for on_left, noted in sides.items():
        noted.sort(key=lambda mark: mark.boxes[0][1])
        room = int(height // _ROW) - 1
        rows = _spread([mark.boxes[0][1] + _FONT - 2 for mark in noted[:room]], height)
        for mark, row in zip(noted, rows, strict=False):
            height_of_mark, text = mark.boxes[0][1] + _FONT / 2, _cut(mark.note, left - _GUTTER - 10)
            start = left - _GUTTER - _text_width(text) if on_left else right + _GUTTER
            near, edge = (left - _GUTTER + 3, left) if on_left else (right + _GUTTER - 3, right)
            sheet.draw_line((near, row - 4), (edge, height_of_mark), color=mark.colour, width=0.8)
            _write(sheet, (start, row), text, mark.colour)
        if len(noted) > room:
            at = (4, height - 4) if on_left else (right + 12, height - 4)
            _write(sheet, at, f"and {len(noted) - room} more", _INK)


def _spread(wanted: Sequence[float], height: float) -> list[float]:
    """Return rows as near as possible to the wanted ones (ascending), a row apart and within the height."""
    rows: list[float] = []
    for row in wanted:
        rows.append(max(row, rows[-1] + _ROW) if rows else max(row, _FONT))
    limit = height - _ROW
    for i in range(len(rows) - 1, -1, -1):
        rows[i] = min(rows[i], limit)
        limit = rows[i] - _ROW
    return rows


def _draw_legend(sheet: Any, legend: Sequence[tuple[str, Colour]], y: float) -> None:
    x = float(_FONT)
    for text, colour in legend:
        sheet.draw_rect((x, y - _FONT + 2, x + 14, y + 2), color=colour, fill=colour, fill_opacity=_FILL)
        _write(sheet, (x + 19, y), text, _INK)
        x += _text_width(text) + 34


_TYPEFACE = pymupdf.Font("helv")


def _text_width(text: str) -> float:
    length: float = _TYPEFACE.text_length(text, _FONT)
    return length


def _cut(text: str, width: float) -> str:
    if _text_width(text) <= width:
        return text
    while text and _text_width(text + "...") > width:
        text = text[:-1]
    return text.rstrip() + "..."


def _write(sheet: Any, at: tuple[float, float], text: str, colour: Colour) -> None:
    writer = pymupdf.TextWriter(sheet.rect)  # unlike insert_text, it finds glyphs beyond Latin-1
    writer.append(at, text, font=_TYPEFACE, fontsize=_FONT)
    writer.write_text(sheet, color=colour)
