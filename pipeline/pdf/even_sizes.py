"""Font sizes that OCR has measured by single words or lines: made even, as a typesetter sets them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.pdf.lines import ASCENT, DESCENT, Line, Word, bounds

_USUAL = 0.12
"""Share by which a line's measured size may differ from the page's usual one and still be taken for it."""


def even_sizes(measured: Sequence[tuple[float, int]]) -> list[float]:
    """Return the font size of each line of a page, points, by its measured size and its number of letters."""
    usual = _median(measured)
    return [
        round(usual, 1) if abs(size - usual) <= _USUAL * usual else round(2 * size) / 2
        for size, _ in measured
    ]


def even_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """Return the lines of a text layer that OCR has made, with one size a line and nearly one a page."""
    measured = [
        (_median([(word.size, len(word.text)) for word in line.words]), line.letters) for line in lines
    ]
    for line, size in zip(lines, even_sizes(measured), strict=True):
        words = tuple(_of_size(word, size) for word in line.words)
        x0, y0, x1, y1 = bounds(words)
        yield replace(line, x0=x0, y0=y0, x1=x1, y1=y1, words=words, size=size)


def _of_size(word: Word, size: float) -> Word:
    baseline = word.y1 - DESCENT * word.size
    return word._replace(y0=baseline - ASCENT * size, y1=baseline + DESCENT * size, size=size)


def _median(measured: Sequence[tuple[float, int]]) -> float:
    """Return the median size of the letters."""
    half = sum(letters for _, letters in measured) / 2
    for size, letters in sorted(measured):
        half -= letters
        if half <= 0:
            return size
    return 0.0
