"""Highlight annotations (ISO 32000-2, 12.5.6.10), written into a PDF and read from it by pikepdf."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from lookup.corpus import Corpus
from lookup.errors import SourceError
from lookup.papers.boxes import words_of
from lookup.papers.original_pdf import MARKED_COPY
from lookup.results.quote_answer import Box

AUTHOR = "PageQuote"
_SUBTYPES = ("/Highlight", "/Underline", "/Squiggly")  # Annotations that mark words, and keep them.
_PRINTED = 4  # The annotation is printed with its page (flag 3 of 12.5.3).

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Highlight:
    """Marked places of a page, one box a line, with the note of who marked them.

    Boxes are in points from the top left corner of the page as it is shown. `colour` is red, green and blue
    from 0 to 1.
    """

    boxes: tuple[Box, ...]
    note: str
    colour: Colour
    author: str = AUTHOR

    @property
    def page(self) -> int:
        """The page, counted from 1."""
        return self.boxes[0].page


def with_highlights(pdf: bytes, highlights: Sequence[Highlight]) -> bytes:
    """Return the PDF with these highlights beside those that it has. Raise SourceError if it is damaged."""
    with _opened(pdf) as opened:
        for highlight in highlights:
            page = opened.pages[highlight.page - 1]
            annotation = opened.make_indirect(_annotation(opened, _Shown(page), highlight))
            if "/Annots" in page:
                page.Annots.append(annotation)
            else:
                page.Annots = Array([annotation])
        made = io.BytesIO()
        opened.save(made, deterministic_id=True)
        return made.getvalue() + MARKED_COPY


def read_highlights(pdf: bytes) -> list[Highlight]:
    """Return what readers have marked, page by page, from the top. Raise SourceError if it is damaged."""
    with _opened(pdf) as opened:
        return [one for number, page in enumerate(opened.pages, 1) for one in _marked(page, number)]


def rectangles(pdf: bytes, highlights: Sequence[Highlight]) -> list[list[list[float]]]:
    """Return the boxes of each highlight in the coordinates of the PDF: left, lower, right and upper edge."""
    with _opened(pdf) as opened:
        return [
            [
                [round(value, 3) for value in _bounds(_quad(_Shown(opened.pages[one.page - 1]), box))]
                for box in one.boxes
            ]
            for one in highlights
        ]


@contextmanager
def _opened(pdf: bytes) -> Iterator[Pdf]:
    """Yield the PDF, open; raise SourceError for a lock, and for values of a wrong type."""
    try:
        with Pdf.open(io.BytesIO(pdf)) as opened:
            yield opened
    except (*_ODD, pikepdf.PasswordError) as error:
        cause = str(error).rpartition(">: ")[2]  # pikepdf names the stream first
        raise SourceError(
            f"The PDF cannot be opened, or its marks not be read: {cause}. Save it anew, without a password."
        ) from error


_ODD = (pikepdf.PdfError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError)
"""What pikepdf, and arithmetic on its values, say of a PDF that is damaged or made to deceive."""


class _Shown:
    """How a page is shown: cropped, turned by a multiple of 90 degrees, and enlarged."""

    def __init__(self, page: pikepdf.Page) -> None:
        boxes = [[float(one) for one in box] for box in (page.cropbox, page.mediabox)]
        xs, ys = ([sorted((box[at], box[at + 2])) for box in boxes] for at in (0, 1))
        self.x0, self.y0 = (max(low for low, _ in sides) for sides in (xs, ys))
        self.x1, self.y1 = (min(high for _, high in sides) for sides in (xs, ys))
        self.turn = int(page.rotation) % 360
        self.unit = float(page.obj.get("/UserUnit", 1))

    def to_pdf(self, x: float, y: float) -> tuple[float, float]:
        """Return a place of the shown page in the coordinates of the PDF."""
        x, y = x / self.unit, y / self.unit
        return {
            0: (self.x0 + x, self.y1 - y),
            90: (self.x0 + y, self.y0 + x),
            180: (self.x1 - x, self.y0 + y),
            270: (self.x1 - y, self.y1 - x),
        }[self.turn]

    def from_pdf(self, x: float, y: float) -> tuple[float, float]:
        """Return a place of the PDF on the shown page."""
        shown = {
            0: (x - self.x0, self.y1 - y),
            90: (y - self.y0, x - self.x0),
            180: (self.x1 - x, y - self.y0),
            270: (self.y1 - y, self.x1 - x),
        }[self.turn]
        return shown[0] * self.unit, shown[1] * self.unit


def _annotation(opened: Pdf, shown: _Shown, highlight: Highlight) -> Dictionary:
    quads = [_quad(shown, box) for box in highlight.boxes]
    bounds = _bounds([corner for quad in quads for corner in quad])
    return Dictionary(
        Type=Name.Annot,
        Subtype=Name.Highlight,
        Rect=_numbers(bounds),
        QuadPoints=_numbers([value for quad in quads for corner in quad for value in corner]),
        C=_numbers(highlight.colour),
        T=String(highlight.author),
        Contents=String(highlight.note),
        F=_PRINTED,
        AP=Dictionary(N=_appearance(opened, quads, bounds, highlight.colour)),
    )


def _quad(shown: _Shown, box: Box) -> list[tuple[float, float]]:
    """Return the corners of a box of the shown page in the PDF, the upper ones first."""
    corners = ((box.x0, box.y0), (box.x1, box.y0), (box.x0, box.y1), (box.x1, box.y1))
    return [shown.to_pdf(*corner) for corner in corners]


def _bounds(corners: Sequence[tuple[float, float]]) -> list[float]:
    xs, ys = zip(*corners, strict=True)
    return [min(xs), min(ys), max(xs), max(ys)]


def _appearance(
    opened: Pdf, quads: Sequence[Sequence[tuple[float, float]]], bounds: Sequence[float], colour: Colour
) -> pikepdf.Object:
    """Return how the highlight looks, a marker's ink, for readers that draw none themselves."""
    drawn = ["/Ink gs", "{} {} {} rg".format(*map(_number, colour))]
    for upper_left, upper_right, lower_left, lower_right in quads:
        outline = (upper_left, upper_right, lower_right, lower_left)
        points = [" ".join(map(str, map(_number, corner))) for corner in outline]
        drawn.append(f"{points[0]} m {points[1]} l {points[2]} l {points[3]} l h f")
    form = opened.make_stream("\n".join(drawn).encode())
    form.Type, form.Subtype, form.BBox = Name.XObject, Name.Form, _numbers(bounds)
    ink = Dictionary(Type=Name.ExtGState, BM=Name.Multiply)
    form.Resources = Dictionary(ExtGState=Dictionary(Ink=ink))
    form.Group = Dictionary(S=Name.Transparency)
    return form


def _number(value: float) -> Decimal:
    return Decimal(str(round(value, 3)))


def _numbers(values: Sequence[float]) -> Array:
    return Array([_number(one) for one in values])


def _marked(page: pikepdf.Page, number: int) -> list[Highlight]:
    shown = _Shown(page)
    found = []
    for annotation in page.get("/Annots", ()):
        if isinstance(annotation, Dictionary) and str(annotation.get("/Subtype")) in _SUBTYPES:
            note, author = (_text(annotation, name) for name in ("/Contents", "/T"))
            if boxes := tuple(_boxes(annotation, shown, number)):
                found.append(Highlight(boxes, note, _colour(annotation), author))
    return sorted(found, key=lambda one: (one.boxes[0].y0, one.boxes[0].x0))


def _boxes(annotation: Dictionary, shown: _Shown, number: int) -> Iterator[Box]:
    values = [float(one) for one in annotation.get("/QuadPoints", ())]
    for at in range(0, len(values) - 7, 8):
        corners = [shown.from_pdf(values[i], values[i + 1]) for i in range(at, at + 8, 2)]
        xs, ys = zip(*corners, strict=True)
        yield Box(number, round(min(xs), 1), round(min(ys), 1), round(max(xs), 1), round(max(ys), 1))


def _colour(annotation: Dictionary) -> Colour:
    values = [float(one) for one in annotation.get("/C", ())]
    match values:
        case [grey]:
            return grey, grey, grey
        case [red, green, blue]:
            return red, green, blue
    return 1.0, 1.0, 0.0


def _text(annotation: Any, name: str) -> str:
    value = annotation.get(name)
    return str(value) if isinstance(value, String) else ""


_ON_PAGE = (
    "SELECT text, lines FROM printed_paragraphs "
    "WHERE key = ? AND page <= ? AND page_end >= ? ORDER BY paragraph"
)


def words_under(corpus: Corpus, key: str, boxes: Sequence[Box]) -> str:
    """Return the words of a paper whose middle is in one of the boxes, in reading order.

    Of each paragraph all from the first such word to the last is taken, as one marks with a mouse.
    """
    page = boxes[0].page
    found = []
    for text, lines in corpus.sql(_ON_PAGE, [key, page, page]):
        marked = [
            (start, end)
            for line in lines
            if line["page"] == page
            for start, end, *box in words_of(line)
            for x, y in (((box[0] + box[2]) / 2, (box[1] + box[3]) / 2),)
            if any(one.x0 <= x <= one.x1 and one.y0 <= y <= one.y1 for one in boxes)
        ]
        if marked:
            found.append(text[min(start for start, _ in marked) : max(end for _, end in marked)])
    return " ".join(found)
