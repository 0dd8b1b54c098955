"""What a page carries beside its text: running heads and feet, page numbers, margin stamps, line numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from pipeline.pdf.reading import Line, PdfPage

_EDGE = 0.12
"""Share of the page's height, at the top and at the bottom, in which running heads and feet stand."""

_MOST_AT_EDGES = 300
"""Fragments there; a page with more is a map or a drawing, without running heads."""

_REPEATED = 0.3
"""Share of the pages (of odd or even ones, too) on which a line must come back to be furniture."""

_SAME_PLACE = 6.0
"""Points by which the height of a running head may differ between pages."""

_SAME_HEIGHT = 2.0
"""Points by which it may differ where the words are not the same."""

_MOST = 0.6
"""Share of the pages on which something must stand at one height to be furniture whatever it says."""

_AWAY = 0.8
"""Times its height: the white between a running head and the text, at least."""

_OVER = 2.0
"""Points by which a line that is drawn over itself may be off."""

_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|s)?\s*(\d{1,5}|[ivxlc]{1,6})(?:\s*(?:of|/)\s*\d{1,5})?", re.IGNORECASE
)


def furniture(pages: Sequence[PdfPage]) -> set[int]:
    """The `id`s of the lines that are furniture."""
    found = {id(line) for page in pages for line in page.lines if not line.upright}
    places: dict[str, list[tuple[int, Line]]] = defaultdict(list)
    edges = [(page, _edge_lines(page)) for page in pages]
    for page, lines in edges:
        for line in lines:
            places[_pattern(line.text)].append((page.number, line))
    enough = max(2, round(_REPEATED * len(pages)))
    for alike in places.values():
        found |= _at_one_height(alike, _SAME_PLACE, enough)
    found |= _in_their_place(edges)
    for page, lines in edges:
        found |= {id(line) for line in lines if _PAGE_NUMBER.fullmatch(line.text) and _outermost(line, page)}
        found |= _line_numbers(page) | _overprinted(page)
    return found


def _in_their_place(edges: Sequence[tuple[PdfPage, Sequence[Line]]]) -> set[int]:
    """Lines that say something else on each page, but stand apart from the text at the same height on most."""
    apart = [(page.number, line) for page, lines in edges for line in lines if _stands_apart(line, page)]
    enough = max(2, round(_MOST * (len(edges) - 1)))  # the first page is often set otherwise
    return _at_one_height(apart, _SAME_HEIGHT, enough)


def _at_one_height(lines: Sequence[tuple[int, Line]], tolerance: float, enough: int) -> set[int]:
    """The `id`s of those of the lines, given with their pages, that have others at their height on `enough` pages with their own."""
    ordered = sorted(lines, key=lambda one: one[1].y0)
    pages: Counter[int] = Counter()  # of the lines from `low` to `high`
    low = high = 0
    found: set[int] = set()
    for _, line in ordered:
        while high < len(ordered) and ordered[high][1].y0 <= line.y0 + tolerance:
            pages[ordered[high][0]] += 1
            high += 1
        while ordered[low][1].y0 < line.y0 - tolerance:
            number = ordered[low][0]
            pages[number] -= 1
            if not pages[number]:
                del pages[number]
            low += 1
        if len(pages) >= enough:
            found.add(id(line))
    return found


def _stands_apart(line: Line, page: PdfPage) -> bool:
    """Whether nothing is beyond the line, and the text is well away."""
    away = _AWAY * line.height
    return line.upright and (
        all(other.y0 >= line.y1 + away or _passed_over(other, line) for other in page.lines)
        or all(other.y1 <= line.y0 - away or _passed_over(other, line) for other in page.lines)
    )


def _passed_over(other: Line, line: Line) -> bool:
    """Whether the other line tells nothing: it is turned, or stands beside."""
    shared = min(other.y1, line.y1) - max(other.y0, line.y0)
    return not other.upright or shared > 0.5 * min(other.height, line.height)


def _edge_lines(page: PdfPage) -> list[Line]:
    margin = _EDGE * page.height
    lines = [line for line in page.lines if line.y1 <= margin or line.y0 >= page.height - margin]
    return lines if len(lines) <= _MOST_AT_EDGES else []


def _pattern(text: str) -> str:
    """The text without what changes from page to page."""
    return re.sub(r"\s+", " ", re.sub(r"\d+|\b[ivxlc]+\b", "#", text.casefold())).strip()


def _outermost(line: Line, page: PdfPage) -> bool:
    """Whether nothing stands between the line and the page's upper or lower edge."""
    others = [other for other in page.lines if other is not line and other.upright]
    return all(other.y0 >= line.y0 - 1 for other in others) or all(
        other.y1 <= line.y1 + 1 for other in others
    )


def _overprinted(page: PdfPage) -> set[int]:
    """Lines that are drawn again over themselves, to look bold: all but the first."""
    found: set[int] = set()
    drawn: set[tuple[str, int, int]] = set()
    for line in page.lines:
        text, x, y = line.text, round(line.x0 / _OVER), round(line.y0 / _OVER)
        if any((text, x + dx, y + dy) in drawn for dx in (0, -1, 1) for dy in (0, -1, 1)):
            found.add(id(line))
        else:
            drawn.add((text, x, y))
    return found


def _line_numbers(page: PdfPage) -> set[int]:
    """Numbers that count the lines of a manuscript, in a column of their own left of the text."""
    numbers = [line for line in page.lines if re.fullmatch(r"\d{1,4}", line.text)]
    if len(numbers) < 10:
        return set()
    left = min(line.x0 for line in numbers)
    column = sorted((line for line in numbers if line.x0 <= left + 20), key=lambda line: line.y0)
    values = [int(line.text) for line in column]
    rising = sum(1 for a, b in pairwise(values) if 0 < b - a <= 5)
    return {id(line) for line in column} if len(column) >= 10 and rising >= 0.8 * len(values) else set()
