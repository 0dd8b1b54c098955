"""Where on its pages a stretch of a paragraph's text is printed."""

from collections.abc import Iterable, Mapping
from typing import Any

from lookup.answer import Box

Line = Mapping[str, Any]
"""A row of the contract's `lines`: page, box, start, end, words."""


def page_at(lines: Iterable[Line], offset: int, page: int) -> int:
    """The page that prints the character at `offset` of the text; `page` where no line holds it."""
    for line in lines:
        if line["start"] <= offset < line["end"]:
            return int(line["page"])
    return page


def boxes(lines: Iterable[Line], start: int, end: int) -> tuple[Box, ...]:
    """One box a printed line around the words of `text[start:end]`; a word cut by the span is cut in proportion to its letters."""
    found = []
    for line in lines:
        parts = [
            _part(word, start, end) for word in line["words"] if word["start"] < end and word["end"] > start
        ]
        if parts:
            found.append(
                Box(
                    line["page"],
                    *(round(min(part[i] for part in parts), 2) for i in (0, 1)),
                    *(round(max(part[i] for part in parts), 2) for i in (2, 3)),
                )
            )
    return tuple(found)


def _part(word: Mapping[str, Any], start: int, end: int) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = (float(word[name]) for name in ("x0", "y0", "x1", "y1"))
    length = word["end"] - word["start"]
    before, after = max(0, start - word["start"]) / length, max(0, word["end"] - end) / length
    if y1 - y0 > 2 * (x1 - x0) and length > 2:  # a word of turned text runs down the page
        return x0, y0 + before * (y1 - y0), x1, y1 - after * (y1 - y0)
    return x0 + before * (x1 - x0), y0, x1 - after * (x1 - x0), y1
