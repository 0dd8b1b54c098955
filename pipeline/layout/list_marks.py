"""What an item of a list, or an entry of a reference list, begins with."""

import re

from pipeline.pdf.reading import Line, Word

BULLETS = "•●○▪■◦‣►▶▸□◻❑◆❖➢➔⇨✓☑"
"""Signs of lists, for a character class."""

_MARK = re.compile(rf"[{BULLETS}–—]|\(?(?:\d{{1,2}}|[a-zA-Z]|[ivx]{{1,4}})[.)]|\[\d{{1,3}}\]")
_BULLET = re.compile(f"[{BULLETS}]")


def begins_item(line: Line) -> bool:
    """Whether a line begins with the mark of a list, or is one."""
    if _MARK.fullmatch(printed_mark(line)):
        return True
    return len(line.words) > 1 and is_ring(*line.words[:2])


def begins_point(line: Line) -> bool:
    """Whether a line begins with a sign of lists, no number."""
    return len(line.words) > 1 and _BULLET.fullmatch(printed_mark(line)) is not None


def printed_mark(line: Line) -> str:
    """Return the first word as it is printed: word processors have marks out of fonts of signs."""
    return line.words[0].printed or line.words[0].text


def is_ring(mark: Word, word: Word) -> bool:
    """Whether a mark is Word's ring: an "o" in a font of its own, before a word of the item."""
    return mark.text == "o" and mark.font != word.font
