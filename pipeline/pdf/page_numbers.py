"""Page numbers: what a reader writes to cite each page, by the PDF's labels or the printed numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence

from pipeline.pdf.page_labels import roman
from pipeline.pdf.reading import PdfPage

_SHOWN = 0.5
"""Share of the pages that must show numbers that count up with them; also three pages of those after the
first, if there are so many: two agree by chance."""

_NEARLY_AS_MANY = 0.8
"""Share of the pages of one counting ("3 of 9") on which a higher one ("1652") must be shown to be chosen."""

_BEYOND = 1
"""Pages before the first and after the last number that get a label: first pages often show no number."""

_LARGEST_ROMAN = 400  # Pages with Roman numbers have smaller ones.

_COUNTS = re.compile(r"\d|(?i:(?<![a-z])(?:[ivxlcdm]+|([a-z])\1*)$)")
"""What a label has that counts pages: a figure, a Roman number, or one letter, once or several times."""

_NUMBER = re.compile(r"([A-Za-z]?)(\d{1,5})")
_FIRST = re.compile(
    r"\W*+(?:page|p\.|pág\.?|página|s\.|seite)?\s*([A-Za-z]?\d{1,5})(?![\d.,]*\d)(?=\W|$)", re.IGNORECASE
)
_LAST = re.compile(r"(?<![\d.,:/–-])\b([A-Za-z]?\d{1,5})\W*$")
_ROMAN = re.compile(r"\W*([ivxlc]{1,7})\W*")


def page_labels(pages: Sequence[PdfPage]) -> dict[int, str | None]:
    """Return the label of each page by its number: the PDF's own, else the printed one; None for no label.

    Many programs write labels that only count the pages from 1: consistent printed numbers come before these.
    Labels of the PDF that several pages have, or that hold no number ("[unnumbered]", "Cover"), are none.
    """
    told = Counter([page.label for page in pages])
    own = {
        page.number: page.label if told[page.label] == 1 and _COUNTS.search(page.label) else None
        for page in pages
    }
    if all(own.values()) and any(label != str(number) for number, label in own.items()):
        return own
    printed = counted({page.number: [*_edge_numbers(page)] for page in pages})
    if not any(label not in {None, str(number)} for number, label in own.items()):
        return printed if any(printed.values()) else own
    used = set(own.values())
    return {number: label or _unless(printed[number], used) for number, label in own.items()}


def _unless(label: str | None, used: Container[str | None]) -> str | None:
    return None if label in used else label


def counted(numbers: Mapping[int, Sequence[str]]) -> dict[int, str | None]:
    """Return labels by the numbers that the pages (by number) show at their edges: "1652", "e12", "xi".

    A label is a number that, in one style, counts up with the pages: over at least half of them, and on two
    or three at least. Pages between them get their label too. It is None where nothing counts up so, and
    for pages far from those that show a number.
    """
    shown: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for page, texts in numbers.items():
        for text in texts:
            style, value = _read(text)
            shown[style, value - page].add(page)
    most = max(map(len, shown.values()), default=0)
    if most < max(2, min(3, len(numbers) - 1), _SHOWN * len(numbers)):
        return dict.fromkeys(numbers)
    style, step = max(
        (counting for counting, seen in shown.items() if len(seen) >= max(2, _NEARLY_AS_MANY * most)),
        key=lambda counting: (counting[1], len(shown[counting]), counting[0]),
    )
    seen = shown[style, step]
    reach = range(min(seen) - _BEYOND, max(seen) + _BEYOND + 1)
    return {page: _label(style, page + step) if page in reach else None for page in numbers}


def _edge_numbers(page: PdfPage) -> Iterator[str]:
    """Return the numbers with which the lines in the page's margins, its first and its last begin and end."""
    upright = [line for line in page.lines if line.upright]
    top = min((line.y1 for line in upright), default=0.0)
    foot = max((line.y0 for line in upright), default=0.0)
    for line in upright:
        if line.y0 < top or line.y1 > foot or page.in_margin(line):
            text = line.text
            matches = _FIRST.match(text), _LAST.search(text), _ROMAN.fullmatch(text)
            yield from {match[1] for match in matches if match}


def _read(text: str) -> tuple[str, int]:
    """Return style (a letter before the number, or 'roman') and value."""
    if match := _NUMBER.fullmatch(text):
        return match[1], int(match[2])
    return "roman", next((value for value in range(1, _LARGEST_ROMAN) if roman(value) == text), -1)


def _label(style: str, value: int) -> str | None:
    if value < 1:
        return None
    return roman(value) if style == "roman" else f"{style}{value}"
