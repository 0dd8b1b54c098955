"""The label of each page: what a reader who cites it would write."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from pipeline.pdf.page_labels import roman
from pipeline.pdf.reading import PdfPage

_ENOUGH = 0.5
"""Share of the pages that must show numbers that count up with them; and three pages where there are so many: two agree by chance."""

_NEARLY_AS_MANY = 0.8
"""Of two countings ("1652" and "3 of 9"), the higher one counts if it is shown on this share of the other one's pages."""

_BEYOND = 1
"""Pages before the first and after the last shown number that are counted on: the first page of a paper often shows none."""

_NUMBER = re.compile(r"([A-Za-z]?)(\d{1,5})")
_FIRST = re.compile(
    r"\W*(?:page|p\.|pág\.?|página|s\.|seite)?\s*([A-Za-z]?\d{1,5})(?![\d.,]*\d)(?=\W|$)", re.IGNORECASE
)
_LAST = re.compile(r"(?<![\d.,:/–-])\b([A-Za-z]?\d{1,5})\W*$")
_ROMAN = re.compile(r"\W*([ivxlc]{1,7})\W*")


def page_labels(pages: Sequence[PdfPage]) -> dict[int, str | None]:
    """The label of each page by its number: the PDF's own, else the printed one where the pages count up by it; None where there is none.

    Labels that only count the pages from 1 are what many programs write for want of better ones: a consistent printed number comes before them.
    """
    own = {page.number: page.label or None for page in pages}
    if any(own.values()) and not _is_count(pages):
        return own
    printed = counted({page.number: [*_edge_numbers(page)] for page in pages})
    return printed if any(printed.values()) else own


def counted(numbers: Mapping[int, Sequence[str]]) -> dict[int, str | None]:
    """Labels by what the pages (by number) show at their edges: "1652", "e12", "xi", whatever else in between.

    The label of a page is the number that, in one style, counts up with the pages over at least half of them, and on two or three at the least; also where a page between them
    shows none. None where there is no such counting, and for pages far from those that show it.
    """
    shown: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for page, texts in numbers.items():
        for text in texts:
            style, value = _read(text)
            shown[style, value - page].add(page)
    most = max(map(len, shown.values()), default=0)
    if most < max(2, min(3, len(numbers) - 1), _ENOUGH * len(numbers)):
        return dict.fromkeys(numbers)
    style, step = max(
        (counting for counting, seen in shown.items() if len(seen) >= max(2, _NEARLY_AS_MANY * most)),
        key=lambda counting: (counting[1], len(shown[counting]), counting[0]),
    )
    seen = shown[style, step]
    reach = range(min(seen) - _BEYOND, max(seen) + _BEYOND + 1)
    return {page: _label(style, page + step) if page in reach else None for page in numbers}


def _is_count(pages: Sequence[PdfPage]) -> bool:
    return all(page.label == str(page.number) for page in pages)


def _edge_numbers(page: PdfPage) -> Iterator[str]:
    """The numbers with which the lines at the page's upper and lower edge begin and end."""
    for line in page.lines:
        if line.upright and page.in_margin(line):
            text = line.text
            matches = _FIRST.match(text), _LAST.search(text), _ROMAN.fullmatch(text)
            yield from {match[1] for match in matches if match}


def _read(text: str) -> tuple[str, int]:
    """Style (a letter before the number, or 'roman') and value."""
    if match := _NUMBER.fullmatch(text):
        return match[1], int(match[2])
    return "roman", next((value for value in range(1, 400) if roman(value) == text), -1)


def _label(style: str, value: int) -> str | None:
    if value < 1:
        return None
    return roman(value) if style == "roman" else f"{style}{value}"
