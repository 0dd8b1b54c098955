"""Catchwords: the first word of the next page, which books printed below a page's text until about 1800."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pipeline.pdf.reading import Line

_WIDEST = 0.3  # Share of the text's width: a catchword is seldom more than one word.
_FROM_RIGHT = 0.2  # Share of the text's width between a catchword's end and the right edge, at most.
_BROKEN = "-‐⸗=.,;:"  # What ends a catchword: a hyphen where it is only the beginning of a word.


def catchwords(pages: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """Return the lines that are catchwords; `pages` are each page's lines but other furniture."""
    for lines, following in pairwise(pages):
        if len(lines) < 2 or not following:
            continue
        last = max(lines, key=lambda line: (line.y1, line.x1))
        others = [line for line in lines if line is not last]
        left, right = min(line.x0 for line in others), max(line.x1 for line in others)
        said = last.text.rstrip(_BROKEN)
        first = min(following, key=lambda line: (line.y0, line.x0))
        if (
            said[:1].isalpha()
            and first.text.startswith(said)
            and last.width <= _WIDEST * (right - left)
            and right - last.x1 <= _FROM_RIGHT * (right - left)
            and all(line.y1 < last.middle for line in others)
        ):
            yield last
