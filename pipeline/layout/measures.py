"""What is usual in a document: the yardsticks that tell what stands out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from pipeline.layout.headings import REFERENCES
from pipeline.pdf.reading import Line

_MANY_LETTERS = 30
"""Letters of a line that is probably text, not a label or a cell."""

DEFAULT_SIZE = 10.0
"""Points; for documents without a single character."""


def before_references(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines, in reading order, up to the list of references, which may be longer than the text."""
    half = len(lines) // 2
    for place in range(half, len(lines)):
        if REFERENCES.fullmatch(lines[place].text.strip()):
            return lines[:place]
    return lines


def body_size(lines: Iterable[Line]) -> float:
    """The font size in which most characters are set, points."""
    characters: Counter[float] = Counter()
    for line in lines:
        characters[round(line.size * 2) / 2] += sum(len(word.text) for word in line.words)
    return max(characters, key=lambda size: (characters[size], size), default=DEFAULT_SIZE)


def body_font(lines: Iterable[Line]) -> str:
    """The font in which most characters are set."""
    characters: Counter[str] = Counter()
    for line in lines:
        for word in line.words:
            characters[word.font] += len(word.text)
    return max(characters, key=lambda font: (characters[font], font), default="")


def line_width(lines: Iterable[Line]) -> float:
    """The usual width of a line of text, points: the median over lines with many letters."""
    widths = [
        line.x1 - line.x0 for line in lines if sum(len(word.text) for word in line.words) >= _MANY_LETTERS
    ]
    return median(widths) if widths else 0.0


def pitch(lines: Iterable[Line]) -> float:
    """The usual distance from one line's foot to the next one's, points; of lines in reading order."""
    steps = [after.y1 - before.y1 for before, after in pairwise(lines) if after.page == before.page]
    steps = [step for step in steps if 4 <= step <= 40]
    return median(steps) if steps else 1.2 * DEFAULT_SIZE
