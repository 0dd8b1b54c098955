"""Tesseract's words as lines like those of typeset text: apart at gutters, on one baseline, of one size."""

import re
import statistics
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

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

_DESCENDING = frozenset("gjpqyQ,;()[]{}|/_$@§ßµμçþ„‚")
_TALL = re.compile(r"[A-Z0-9bdfhklÄÖÜ]")
_SHORT = re.compile(r"[acemnorsuvwxz]+")


@dataclass(frozen=True)
class _Seen:
    """A word in a picture: text, box around the ink in points, Tesseract's confidence (percent), and line."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float
    line: tuple[str, ...]


def ocr_lines(table: str, page: int, zoom: float) -> list[Line]:
    """Return the lines of a page, by Tesseract's table (TSV) of its picture with `zoom` pixels per point.

    Lines are split at wide gaps: none runs across a gutter. Boxes are those of a font, not of the ink, with
    one baseline and one height, as in a PDF that was typeset.
    """
    lines = (list(line) for _, line in groupby(_seen(table, zoom), key=lambda word: word.line))
    runs = [
        run
        for line in lines
        if statistics.median(word.confidence for word in line) >= _CONFIDENCE
        for run in _split(line)
    ]
    sizes = even_sizes([(_size(run), sum(len(word.text) for word in run)) for run in runs])
    return [_line(run, size, page) for run, size in zip(runs, sizes, strict=True)]


def _seen(table: str, zoom: float) -> Iterator[_Seen]:
    """Return the words of the table.

    Its columns: level, page, block, paragraph, line, word, left, top, width, height, confidence, text.
    """
    for row in table.split("\n")[1:]:
        cells = row.rstrip("\r").split("\t")
        if len(cells) != 12 or cells[0] != "5":
            continue
        text = "".join(cells[11].split())
        x, y, width, height = (int(cell) / zoom for cell in cells[6:10])
        if text and width and height:
            box = (x, y, x + width, y + height)
            yield _Seen(text, *box, float(cells[10]), tuple(cells[2:5]))


def _split(words: list[_Seen]) -> Iterator[list[_Seen]]:
    """Return the words of one of Tesseract's lines, without dirt, split at wide gaps."""
    size = _size(words)
    run: list[_Seen] = []
    for word in words:
        if not any(map(str.isalnum, word.text)) and max(word.x1 - word.x0, word.y1 - word.y0) < _SPECK * size:
            continue
        if run and word.x0 - run[-1].x1 > _GAP * size:
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _size(words: Collection[_Seen]) -> float:
    """Return the font size by the height of the letters, points."""
    sizes = []
    for word in words:
        height = word.y1 - word.y0
        if _SHORT.fullmatch(word.text):
            sizes.append(height / _X_HEIGHT)
        elif _TALL.search(word.text):
            hanging = not _DESCENDING.isdisjoint(word.text)
            sizes.append(height / (_CAPITAL + (DESCENT if hanging else 0)))
    return statistics.median(sizes or [max(word.y1 - word.y0 for word in words)])


def _line(words: Sequence[_Seen], size: float, page: int) -> Line:
    base, slope = _baseline(words)
    placed = tuple(
        Word(
            word.text,
            word.x0,
            base + slope * (word.x0 + word.x1) / 2 - ASCENT * size,
            word.x1,
            base + slope * (word.x0 + word.x1) / 2 + DESCENT * size,
            size,
            "",
            bold=False,
            italic=False,
        )
        for word in words
    )
    return Line(
        page, *bounds(placed), placed, size, bold=False,
        baseline=base + slope * words[0].x0,
    )  # fmt: skip


_STEEPEST = 0.05
"""Rise of a baseline over its run, at most: where it is more, the measure is wrong."""

_LOWER_PART = 0.2
"""Share of a word's height below the baseline where all letters reach below."""


def _baseline(words: Sequence[_Seen]) -> tuple[float, float]:
    """Return base and slope of the baseline y = base + slope * x, by words without descenders."""
    standing = [w for w in words if _DESCENDING.isdisjoint(w.text) and any(c.isalnum() for c in w.text)]
    if not standing:
        lowest = max(words, key=lambda word: word.y1 - word.y0)
        return lowest.y1 - _LOWER_PART * (lowest.y1 - lowest.y0), 0.0
    if len(standing) > 3:
        slope, base = statistics.linear_regression(
            [(w.x0 + w.x1) / 2 for w in standing], [w.y1 for w in standing]
        )
        if abs(slope) < _STEEPEST:
            return base, slope
    return statistics.median(w.y1 for w in standing), 0.0
