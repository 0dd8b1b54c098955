"""Ruby: readings in small kana (or Bopomofo) above the characters that they explain."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from lookup.text.scripts import count_unspaced
from pipeline.layout.line_features import line_says
from pipeline.pdf.reading import Line

_READING = re.compile(r"[\u3040-\u30ff\u3100-\u312f\u02c7\u02ca\u02cb\u02d9\s]+")
"""Kana, Bopomofo and the tones of it."""

_SIZE = 0.65  # Times the size of the text below: readings are set in half of it, by all makers that we know.
_ABOVE = (-0.35, 0.35)  # Em of the text below between it and the foot of its reading.
_BESIDE = 1.0  # Em of the text by which a long reading may reach beyond it.


is_reading = line_says("reading", _READING.fullmatch)
"""Whether a line has kana alone, or Bopomofo."""


def readings(lines: Sequence[Line]) -> Iterator[Line]:
    """Return the lines that say how the characters right below them are read."""
    small = [line for line, reads in zip(lines, is_reading.of_each(lines), strict=True) if reads]
    if not small:
        return
    texts = sorted((line for line in lines if count_unspaced(line.text)), key=lambda line: line.y0)
    tops = [line.y0 for line in texts]
    for reading in small:
        near = range(
            bisect_left(tops, reading.y1 - reading.size), bisect_right(tops, reading.y1 + reading.size)
        )
        if any(_explains(reading, texts[at]) for at in near):
            yield reading


def _explains(reading: Line, text: Line) -> bool:
    least, most = _ABOVE
    return (
        reading.size <= _SIZE * text.size
        and least * text.size <= text.y0 - reading.y1 <= most * text.size
        and reading.x0 >= text.x0 - _BESIDE * text.size
        and reading.x1 <= text.x1 + _BESIDE * text.size
    )
