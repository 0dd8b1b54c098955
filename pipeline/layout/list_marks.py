"""What an item of a list, or an entry of a reference list, begins with."""

import re

from pipeline.layout.line_features import of_line
from pipeline.pdf.reading import Line, Word

BULLETS = "•●○▪■◦‣►▶▸□◻❑◆❖➢➔⇨✓☑"  # Signs of lists, for a character class.

_MARK = re.compile(rf"[{BULLETS}–—]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)]|\[\d{{1,3}}\]")
_LONGEST = 6  # Characters of such a mark, at most: "(viii)".
_FIRST = frozenset("1ai" + BULLETS)
_COUNTED = re.compile(
    r"(?P<parent>(?:\d{1,3}\.)+)(?P<clause>\d{1,3})\.?|[(\[]?(?P<number>\d{1,3})[.)\]]{1,2}|\(?(?P<letter>[a-z])[.)]"
)
"""What counts: (b), [12], 3., and 12.2 within its parent."""


@of_line("item")
def item_mark(line: Line) -> str:
    """Return the mark of a list that a line begins with; '' if none."""
    mark = printed_mark(line)
    if len(mark) <= _LONGEST and _MARK.fullmatch(mark):
        return mark
    return mark if len(line.words) > 1 and is_ring(*line.words[:2]) else ""


@of_line("first item")
def begins_list(line: Line) -> bool:
    """Whether a line begins with the first mark of a list, or a sign of one."""
    return item_mark(line).strip("()[].") in _FIRST


def counts_on(line: Line, before: Line) -> bool:
    """Whether a line begins with the mark after that of the item or clause `before`: 12.3 after 12.2."""
    first, second = counted(before), counted(line)
    return first is not None and second == (first[0], first[1] + 1)


@of_line("counted mark")
def counted(line: Line) -> tuple[str, int] | None:
    """Return what a line's mark counts within ("a" for letters), and how far; None if it does not count."""
    mark = _COUNTED.fullmatch(printed_mark(line))
    if mark is None:
        return None
    if mark["letter"]:
        return "a", ord(mark["letter"])
    return mark["parent"] or "", int(mark["clause"] or mark["number"])


def printed_mark(line: Line) -> str:
    """Return the first word as it is printed: word processors have marks out of fonts of signs."""
    return line.words[0].printed or line.words[0].text


def is_ring(mark: Word, word: Word) -> bool:
    """Whether a mark is a ring: an "o" in a font of its own (Word), or before two spaces (RFCs)."""
    return mark.text == "o" and (mark.font != word.font or word.x0 - mark.x1 > mark.size)
