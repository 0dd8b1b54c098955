"""Where on its pages a stretch of a paragraph's text is printed."""

from collections.abc import Iterable, Mapping
from typing import Any

from lookup.results.quote_answer import Box

LineRow = Mapping[str, Any]
"""A row of the contract's `lines`: page, box, start, end, words."""

WordBox = tuple[int, int, float, float, float, float]
"""A word's start and end in `text`, and its box: x0, y0, x1, y1, points."""


def page_at(lines: Iterable[LineRow], offset: int, page: int) -> int:
    """Return the page that prints the character at `offset` of the text; `page` where no line holds it."""
    for line in lines:
        if line["start"] <= offset < line["end"]:
            return int(line["page"])
    return page


def words_of(line: LineRow) -> list[WordBox]:
    """Return the line's words in printed order, boxes in points."""
    numbers = line["words"]  # DuckDB reads a list of six numbers a word fast
    return [
        (start, end, x0 / 10, y0 / 10, x1 / 10, y1 / 10)
        for start, end, x0, y0, x1, y1 in zip(*(numbers[i::6] for i in range(6)), strict=True)
    ]


def boxes(lines: Iterable[LineRow], start: int, end: int) -> tuple[Box, ...]:
    """Return one box for each printed line around the words of `text[start:end]`.

    The box of a word that the span cuts is cut in proportion to its letters.
    """
    found = []
    for line in lines:
        if line["start"] >= end or line["end"] <= start:
            continue
        parts = [_part(word, start, end) for word in words_of(line) if word[0] < end and word[1] > start]
        if parts:
            x0, y0, x1, y1 = zip(*parts, strict=True)
            found.append(Box(line["page"], *(round(v, 1) for v in (min(x0), min(y0), max(x1), max(y1)))))
    return tuple(found)


def _part(word: WordBox, start: int, end: int) -> tuple[float, float, float, float]:
    first, last, x0, y0, x1, y1 = word
    length = last - first
    before, after = max(0, start - first) / length, max(0, last - end) / length
    if y1 - y0 > 2 * (x1 - x0) and length > 2:  # a word of rotated text runs down the page
        return x0, y0 + before * (y1 - y0), x1, y1 - after * (y1 - y0)
    return x0 + before * (x1 - x0), y0, x1 - after * (x1 - x0), y1
