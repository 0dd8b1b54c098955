"""Recognised words as lines like those of typeset text: apart at gutters, on one baseline, of one size."""

import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from pipeline.ocr.pictures import Picture, turned
from pipeline.pdf.even_sizes import even_sizes
from pipeline.pdf.lines import ASCENT, DESCENT, Line, Word, bounds

_CONFIDENCE = 10.0
"""Percent: where the median word of a line is less sure, Tesseract saw a rule or a picture. On four pages of
the shared papers this removed 13 of 3,160 words, one of them right; 30 percent removed 24, four of them
right. A doubtful word in a good line stays: it is misread, but something is printed there."""

_SPECK = 0.3
"""Em: a smaller mark without letter or digit is dirt: a bullet is larger, a full stop is part of a word."""

_GAP = 1.5
"""Em: more white separates two lines: the space of a justified line is smaller, a gutter larger."""

_CAPITAL, _X_HEIGHT = 0.70, 0.47
"""Em: heights of capitals and of an x in text faces."""

_SMALL, _FEW_SMALL = re.compile("[acemnorsuvwxz]"), 0.2
"""Letters of the height of an x; a line with a smaller share of them has the height of capitals."""

_DENSE, _DIP = 0.6, 0.15
"""Share of the darkness of the darkest row, which rows between baseline and top of an x have; and the
share of rows that are less dark there, at most. With .5 some lines of eight poor pages reach higher."""

_PAPER, _SMOOTH, _MARGIN = 0.8, 8, 0.15
"""Share of a line's pixels that are darker than paper; rows are blurred over one part of so many; the margin
around the boxes of readers, as a share of their height."""


@dataclass(frozen=True)
class Seen:
    """A word in a picture: text, box in points of the page set level, confidence (percent), and its line."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float
    line: tuple[str, ...]


def by_line(words: Iterable[Seen]) -> Iterator[list[Seen]]:
    """Yield the words of each line."""
    return (list(line) for _, line in groupby(words, key=lambda word: word.line))


def ocr_lines(words: Iterable[Seen], page: int, picture: Picture) -> list[Line]:
    """Return the lines of a page with these words, which come line by line, by the picture of it.

    Lines are split at wide gaps: none runs across a gutter. Boxes are those of a font, not of the ink, with
    one baseline and one height, as in a PDF that was typeset.
    """
    runs = [
        (run, size, base)
        for line in by_line(words)
        if statistics.median(word.confidence for word in line) >= _CONFIDENCE
        for size, base in [_measured(line, picture)]
        for run in _split(line, size)
    ]
    sizes = even_sizes([(size, sum(len(word.text) for word in run)) for run, size, _ in runs])
    return [_line(run, size, base, page) for (run, _, base), size in zip(runs, sizes, strict=True)]


def seen(table: str, picture: Picture) -> Iterator[Seen]:
    """Yield the words of Tesseract's table (TSV) of a picture.

    Its columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    """
    for row in table.split("\n")[1:]:
        cells = row.rstrip("\r").split("\t")
        if len(cells) != 12 or cells[0] != "5":
            continue
        text = "".join(cells[11].split())
        x, y, width, height = (int(cell) / picture.zoom for cell in cells[6:10])
        if text and width and height:
            box = turned_box((x, y, x + width, y + height), -picture.tilt)
            yield Seen(text, *box, float(cells[10]), tuple(cells[2:5]))


def turned_box(box: tuple[float, ...], tilt: float) -> tuple[float, float, float, float]:
    """Return where an upright box of a page set level is on the page with this tilt; back with -tilt."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    to_x, to_y = turned(x, y, tilt)
    return box[0] + to_x - x, box[1] + to_y - y, box[2] + to_x - x, box[3] + to_y - y


def _measured(line: Sequence[Seen], picture: Picture) -> tuple[float, float]:
    """Return the font size and the baseline of a line, points.

    By the rows that are darkest: noise and the lines above and below blur the boxes that readers give.
    """
    upper, lower = min(word.y0 for word in line), max(word.y1 for word in line)
    y0, y1 = upper - _MARGIN * (lower - upper), lower + _MARGIN * (lower - upper)
    x0, x1 = min(word.x0 for word in line), max(word.x1 for word in line)
    rows, columns = (max(8, round(side * picture.zoom)) for side in (y1 - y0, x1 - x0))
    piece = picture.level((x0, y0, x1, y1), rows, columns)
    dark = np.maximum(np.quantile(piece, _PAPER) - piece, 0).mean(1)
    dark = np.convolve(dark, np.ones(1 + rows // _SMOOTH), "same")
    dense = np.nonzero(dark >= dark.min() + _DENSE * (dark.max() - dark.min()))[0]
    most = max(np.split(dense, np.nonzero(np.diff(dense) > rows * _DIP)[0] + 1), key=len)
    text = "".join(word.text for word in line)
    letter = _X_HEIGHT if len(_SMALL.findall(text)) > _FEW_SMALL * len(text) else _CAPITAL
    row = (y1 - y0) / rows
    return float(most[-1] + 1 - most[0]) * row / letter, y0 + float(most[-1] + 1) * row


def _split(words: Sequence[Seen], size: float) -> Iterator[list[Seen]]:
    """Yield the words of a line of this size, without dirt, split at wide gaps."""
    run: list[Seen] = []
    for word in words:
        if not any(map(str.isalnum, word.text)) and max(word.x1 - word.x0, word.y1 - word.y0) < _SPECK * size:
            continue
        if run and word.x0 - run[-1].x1 > _GAP * size:
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _line(words: Sequence[Seen], size: float, base: float, page: int) -> Line:
    upper, lower = base - ASCENT * size, base + DESCENT * size
    placed = tuple(
        Word(word.text, word.x0, upper, word.x1, lower, size, "", bold=False, italic=False) for word in words
    )
    return Line(page, *bounds(placed), placed, size, bold=False, baseline=base)
