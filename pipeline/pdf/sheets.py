"""Sheets: two printed pages side by side, of a book that was copied or printed so, are read as two pages."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline.pdf.reading import Line, PdfPage, Rectangle

_LANDSCAPE = 1.1  # Times its height: the least width of a sheet.

_LINES = 12
"""Lines of each page of a sheet that shows what it is, at least: slides in two columns have fewer."""

_MIDDLE = 0.06  # Share of the sheet's width by which the fold may be off its middle.
_FOLD = 0.7  # Times the narrower outer margin: the least white at the fold. Between columns there is less.


@dataclass(frozen=True)
class Sheets:
    """The pages of a document as they were printed, by the numbers of the PDF's pages that hold them."""

    printed: Mapping[int, Sequence[PdfPage]]

    @cached_property
    def pages(self) -> list[PdfPage]:
        """All printed pages, in their order; their own numbers, and those of their lines, count them."""
        return [page for pages in self.printed.values() for page in pages]

    @cached_property
    def _sheets(self) -> dict[int, int]:
        return {page.number: sheet for sheet, pages in self.printed.items() for page in pages}

    def back(self, line: Line) -> Line:
        """Return a line of a printed page as one of the PDF's page."""
        sheet = self._sheets[line.page]
        return line if sheet == line.page else replace(line, page=sheet)

    def label(self, labels: Mapping[int, str | None], sheet: int, lines: Iterable[Line] = ()) -> str | None:
        """Return the label of a page of the PDF by those of the printed pages: "12", or "12–13".

        `lines` of it, where some are given, ask for the printed pages on which they stand.
        """
        pages = self.printed.get(sheet, ())
        sides = {_is_right(line, pages[0].width) for line in lines} if len(pages) > 1 else set()
        found = [labels[page.number] for right, page in enumerate(pages) if not sides or right in sides]
        return "–".join(dict.fromkeys(label for label in found if label)) or None


def find_sheets(pages: Sequence[PdfPage]) -> Sheets:
    """Return the printed pages of a document: two on each page, where most pages are sheets of two."""
    if 2 * sum(map(_is_sheet, pages)) <= len(pages):
        return Sheets({page.number: [page] for page in pages})
    printed: dict[int, list[PdfPage]] = {}
    count = itertools.count(1)
    for page in pages:
        printed[page.number] = [_numbered(one, next(count)) for one in _printed_pages(page)]
    return Sheets(printed)


def _numbered(page: PdfPage, number: int) -> PdfPage:
    """Return a printed page with its number; labels that only count the sheets say nothing of it."""
    lines, aside = (tuple(replace(line, page=number) for line in some) for some in (page.lines, page.aside))
    label = "" if page.label == str(page.number) else page.label
    return replace(page, number=number, label=label, lines=lines, aside=aside)


def _is_sheet(page: PdfPage) -> bool:
    """Whether text on either side leaves white at the fold, as much as beside it."""
    if page.width < _LANDSCAPE * page.height:
        return False
    left, right = (half.lines for half in _halves(page))
    if min(len(left), len(right)) < _LINES:
        return False
    begin, end = max(line.x1 for line in left), min(line.x0 for line in right)
    margin = min(*(line.x0 for line in left), page.width - max(line.x1 for line in right))
    off = _MIDDLE * page.width
    return end - begin >= _FOLD * margin and begin - off < page.width / 2 < end + off


def _printed_pages(page: PdfPage) -> Sequence[PdfPage]:
    """Return the two pages of a sheet; a page over whose fold a line runs is one."""
    middle, off = page.width / 2, _MIDDLE * page.width
    across = any(line.x0 < middle - off and line.x1 > middle + off for line in page.lines)
    return [page] if page.width < _LANDSCAPE * page.height or across else _halves(page)


def _halves(page: PdfPage) -> list[PdfPage]:
    middle = page.width / 2
    return [
        replace(
            page,
            width=middle,
            lines=tuple(line for line in page.lines if _is_right(line, middle) == right),
            drawings=tuple(box for box in page.drawings if _is_right(box, middle) == right),
            aside=tuple(line for line in page.aside if _is_right(line, middle) == right),
        )
        for right in (False, True)
    ]


def _is_right(box: Line | Rectangle, middle: float) -> bool:
    return box.x0 + box.x1 >= 2 * middle
