"""Where on its pages a span of a paragraph's text is printed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lookup.results.quote_answer import Box

LineRow = Mapping[str, Any]  # A row of the contract's `lines`: page, box, start, end, words.

WordBox = tuple[int, int, float, float, float, float]
"""A word's start and end in `text`, and its box: x0, y0, x1, y1, points."""


def words_of(line: LineRow) -> list[WordBox]:
    """Return the line's words in printed order, boxes in points."""
    numbers = line["words"]  # DuckDB reads a list of six numbers a word fast
    return [
        (start, end, x0 / 10, y0 / 10, x1 / 10, y1 / 10)
        for start, end, x0, y0, x1, y1 in zip(*(numbers[i::6] for i in range(6)), strict=True)
    ]


def row_starts(lines: Iterable[LineRow]) -> list[int]:
    """Return where in the text rows of a table begin, but for the first of them.

    There the print goes on below, and wholly to the left of the cell before: prose, and a cell that is set in
    several lines, go on below their own beginning.
    """
    found, left, page, last = [], 0.0, 0, (0.0, 0.0, 0.0, 0.0)
    for line in lines:
        for start, _, x0, y0, x1, y1 in words_of(line):
            middle, (last_x0, upper, right, lower) = (y0 + y1) / 2, last
            if line["page"] != page or middle < upper or (middle > lower and x0 > right):
                left = x0
            elif middle > lower:
                found += [start] if x1 < left else []
                left = x0 if x1 < left else min(left, x0)
            elif x0 < last_x0 or x0 - right > y1 - y0:  # a gap as wide as a line is high parts cells
                left = x0
            page, last = line["page"], (x0, y0, x1, y1)
    return found


_WIDTHS = {
    char: width
    for chars, width in (
        (".,:;'`’‘|!/ijlt·", 0.27),
        ("frI()[]-‐", 0.33),
        ('sJ*{}"“”°', 0.43),
        ("acekvxyz?^", 0.49),
        ("wABCDGHKNOQRUVXY&", 0.71),
        ("mM%", 0.84),
        ("W@—…", 0.97),
    )
    for char in chars
}
"""Em: the widths of characters, the mean of Times and Helvetica. With all alike 13 of 1,955 quotes lost a
letter at an end that cuts a word (`places.py`, benchmarks/results/README.md), with these none."""

_CAPITAL, _OTHER = 0.61, 0.53  # Em: the widths of other capitals, and of other characters.
_RAISED = 0.66  # Size of a superscript over that of its line.


def page_at(lines: Iterable[LineRow], offset: int, page: int) -> int:
    """Return the page that prints the character at `offset` of the text, or the next one that is printed.

    A space between two lines is not. `page` where no line has it.
    """
    for line in lines:
        if offset < line["end"]:
            return int(line["page"])
    return page


def boxes(
    lines: Iterable[LineRow], text: str, superscripts: Sequence[int], start: int, end: int
) -> tuple[Box, ...]:
    """Return one box for each printed line around the words of `text[start:end]`.

    The box of a word that the span cuts is cut where its letters, by their usual widths, say that the span
    ends. `superscripts` are spans of `text`: flat, start and end of each.
    """
    raised = {i for pair in zip(superscripts[::2], superscripts[1::2], strict=True) for i in range(*pair)}

    def width(first: int, last: int) -> float:
        widths = (_WIDTHS.get(char) or (_CAPITAL if char.isupper() else _OTHER) for char in text[first:last])
        return sum(one * (_RAISED if i in raised else 1) for i, one in enumerate(widths, first))

    found = []
    for line in lines:
        if line["start"] >= end or line["end"] <= start:
            continue
        parts = [
            _part(word, start, end, width) for word in words_of(line) if word[0] < end and word[1] > start
        ]
        if parts:
            x0, y0, x1, y1 = zip(*parts, strict=True)
            found.append(Box(line["page"], *(round(v, 1) for v in (min(x0), min(y0), max(x1), max(y1)))))
    return tuple(found)


def _part(
    word: WordBox, start: int, end: int, width: Callable[[int, int], float]
) -> tuple[float, float, float, float]:
    first, last, x0, y0, x1, y1 = word
    if start <= first and last <= end:
        return x0, y0, x1, y1
    whole = width(first, last)
    before, after = width(first, max(first, start)) / whole, width(min(last, end), last) / whole
    if y1 - y0 > 2 * (x1 - x0) and last - first > 2:  # a word of rotated text runs down the page
        return x0, y0 + before * (y1 - y0), x1, y1 - after * (y1 - y0)
    return x0 + before * (x1 - x0), y0, x1 - after * (x1 - x0), y1
