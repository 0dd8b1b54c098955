"""The words of a page to select over its picture.

They are SVG: the policy of the pages forbids styles of their own, and SVG has places in attributes.
"""

from collections.abc import Sequence
from typing import NamedTuple

from lookup.results.papers import PagePart, PrintedWord

_TURNED = 2.0  # Height over width from which the box of three letters or more is that of a turned word.

_BASELINE = 0.78
"""Where letters stand in the box of their word: 0 is its top, 1 its bottom. The ascender of Times is .80 of
ascender and descender together, that of Helvetica .78."""


class LayerWord(NamedTuple):
    """A word to select: x of its beginning, and its width, in PDF points."""

    text: str
    x: float
    width: float


class LayerLine(NamedTuple):
    """A line of such words: y of its baseline, and the height of its letters, in PDF points."""

    y: float
    size: float
    words: tuple[LayerWord, ...]


def text_layer(parts: Sequence[PagePart]) -> list[LayerLine]:
    """Return the lines of a page in reading order. Words that are turned are left out."""
    lines = []
    for line in (line for part in parts for line in part.lines):
        if words := [word for word in line if not _turned(word)]:
            top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
            widths = [round(max(word.x1 - word.x0, 0.1), 1) for word in words]
            shown = tuple(
                LayerWord(word.text, word.x0, wide) for word, wide in zip(words, widths, strict=True)
            )
            baseline = round(top + _BASELINE * (bottom - top), 1)
            lines.append(LayerLine(baseline, round(bottom - top, 1), shown))
    return lines


def _turned(word: PrintedWord) -> bool:
    return len(word.text) > 2 and word.y1 - word.y0 > _TURNED * (word.x1 - word.x0)
