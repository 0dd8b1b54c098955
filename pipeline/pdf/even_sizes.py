"""Font sizes that OCR measured by words or lines, made even."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.pdf.lines import ASCENT, DESCENT, Line, Word, bounds

_USUAL = 0.12
"""Share by which a line's measured size may differ from the page's usual one and still be taken for it."""

_NEARLY = 0.3
"""Share by which the size of a line may differ from that of the lines around it, at most."""

_SET_CLOSE = 0.6
"""Em between a line and those around it, at most: white parts a heading from the text."""


def even_sizes(measured: Sequence[tuple[float, int]]) -> list[float]:
    """Return the font size of each line of a page, points, by its measured size and its number of letters.

    Most have the page's usual size, most of the smaller ones that of its notes.
    """
    usual = _median(measured)
    small = _median([one for one in measured if one[0] < (1 - _USUAL) * usual])
    out = []
    for size, _ in measured:
        near = next((one for one in (usual, small) if abs(size - one) <= _USUAL * one), 0.0)
        out.append(round(near, 1) if near else round(2 * size) / 2)
    return out


def even_lines(lines: Sequence[Line]) -> Iterator[Line]:
    """Return the lines of a text layer that OCR has made, with one size a line and nearly one a page."""
    measured = [
        (_median([(word.size, len(word.text)) for word in line.words]), line.letters) for line in lines
    ]
    for line, size in zip(lines, _as_neighbours(lines, even_sizes(measured)), strict=True):
        words = tuple(_of_size(word, size) for word in line.words)
        x0, y0, x1, y1 = bounds(words)
        yield replace(line, x0=x0, y0=y0, x1=x1, y1=y1, words=words, size=size)


def _as_neighbours(lines: Sequence[Line], sizes: Sequence[float]) -> list[float]:
    """Return the sizes; a line between two of one size that is nearly its own has theirs."""
    ordered = sorted(range(len(lines)), key=lambda at: lines[at].y0)
    above: dict[int, int] = {}
    below: dict[int, int] = {}
    for place, at in enumerate(ordered):
        line = lines[at]
        for other in ordered[place + 1 :]:
            following = lines[other]
            if following.y0 > line.y1 + _SET_CLOSE * line.size:
                break
            apart = following.y0 >= line.middle and other not in above
            if apart and min(line.x1, following.x1) - max(line.x0, following.x0) > line.size:
                above[other], below[at] = at, other
                break
    out = list(sizes)
    for at in above.keys() & below.keys():
        beside = sizes[above[at]]
        if beside == sizes[below[at]] and abs(sizes[at] - beside) <= _NEARLY * beside:
            out[at] = beside
    return out


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
