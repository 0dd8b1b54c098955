"""Highlight annotations (ISO 32000-2, 12.5.6.10), written into a PDF and read from it by MuPDF."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from lookup.corpus import Corpus
from lookup.errors import SourceError
from lookup.papers.boxes import words_of
from lookup.results.quote_answer import Box
from pipeline.formats import MARKED_COPY
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout

skip_pymupdf_layout()
from pymupdf import mupdf  # noqa: E402

from pipeline.pdf.opening import MUPDF_ERRORS, UnreadableError, open_pdf  # noqa: E402

AUTHOR = "PageQuote"
_MARKS = (mupdf.PDF_ANNOT_HIGHLIGHT, mupdf.PDF_ANNOT_UNDERLINE, mupdf.PDF_ANNOT_SQUIGGLY)
"""Annotations that mark words, and keep them."""

Colour = tuple[float, float, float]


class Highlight(NamedTuple):
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


def on_each_page(boxes: Sequence[Box], note: str, colour: Colour) -> list[Highlight]:
    """Return a highlight for each page that has some of the boxes."""
    pages = sorted({box.page for box in boxes})
    return [Highlight(tuple(box for box in boxes if box.page == page), note, colour) for page in pages]


def with_highlights(pdf: bytes, highlights: Sequence[Highlight]) -> bytes:
    """Return the PDF with these highlights next to those that it has.

    Raise SourceError if it is damaged, also where its repair would lose a mark, or show one on other pages.
    """
    there = read_highlights(pdf)
    with _opened(pdf) as opened:
        for one in highlights:
            page = _page(opened, one)
            mark = mupdf.pdf_create_annot(page, mupdf.PDF_ANNOT_HIGHLIGHT)
            for box in one.boxes:
                mupdf.pdf_add_annot_quad_point(mark, _rect(box).fz_quad_from_rect())
            mupdf.pdf_set_annot_color(mark, one.colour)
            mupdf.pdf_set_annot_contents(mark, one.note)
            mupdf.pdf_set_annot_author(mark, one.author)
            mupdf.pdf_update_annot(mark)
        made: bytes = opened.tobytes(no_new_id=True)
    marked = Counter(one.page for one in read_highlights(made))
    if marked != Counter(one.page for one in (*there, *highlights)):
        raise SourceError("The PDF is damaged: a copy would not keep its marks. Save it anew, and mark that.")
    return made + MARKED_COPY


def read_highlights(pdf: bytes) -> list[Highlight]:
    """Return what readers have marked, page by page, from the top. Raise SourceError if it is damaged."""
    with _opened(pdf) as opened:
        return [one for number, page in enumerate(opened, 1) for one in _marked(page, number)]


def rectangles(pdf: bytes, highlights: Sequence[Highlight]) -> list[list[list[float]]]:
    """Return the boxes of each highlight in the coordinates of the PDF: left, lower, right and upper edge."""
    placed = []
    with _opened(pdf) as opened:
        for one in highlights:
            shown = mupdf.FzMatrix()
            mupdf.pdf_page_transform(_page(opened, one), mupdf.FzRect(), shown)
            back = shown.fz_invert_matrix()
            rects = (_rect(box).fz_transform_rect(back) for box in one.boxes)
            placed.append([[round(side, 3) for side in (r.x0, r.y0, r.x1, r.y1)] for r in rects])
    return placed


@contextmanager
def _opened(pdf: bytes) -> Iterator[Any]:
    """Yield the PDF, open; raise SourceError for a lock, and for what MuPDF says of one that is damaged."""
    try:
        with open_pdf(pdf) as opened:
            yield opened
    except UnreadableError as error:
        raise SourceError(f"The PDF cannot be opened: {error}") from error
    except (*MUPDF_ERRORS, TypeError, LookupError) as error:
        raise SourceError(f"The marks of the PDF cannot be read: {error}. Save it anew.") from error


def _page(opened: Any, highlight: Highlight) -> Any:
    """Return the page of a highlight as MuPDF has it, whose places are those of the page as it is shown."""
    return mupdf.pdf_load_page(mupdf.pdf_document_from_fz_document(opened), highlight.page - 1)


def _rect(box: Box) -> Any:
    return mupdf.FzRect(box.x0, box.y0, box.x1, box.y1)


def _marked(page: Any, number: int) -> list[Highlight]:
    found = []
    mark = page.first_annot  # `page.annots` passes over those that are written into the page itself
    while mark:
        many = mupdf.pdf_annot_quad_point_count(mark) if mark.type[0] in _MARKS else 0
        quads = (mupdf.pdf_annot_quad_point(mark, at).fz_rect_from_quad() for at in range(many))
        sides = ((one.x0, one.y0, one.x1, one.y1) for one in quads)
        if boxes := tuple(Box(number, *(round(side, 1) for side in each)) for each in sides):
            drawn = mark.colors["stroke"]
            red, green, blue = {1: drawn * 3, 3: drawn}.get(len(drawn), _YELLOW)  # one number is grey
            found.append(Highlight(boxes, mark.info["content"], (red, green, blue), mark.info["title"]))
        mark = mark.next
    return sorted(found, key=lambda one: (one.boxes[0].y0, one.boxes[0].x0))


_YELLOW = (1.0, 1.0, 0.0)
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
