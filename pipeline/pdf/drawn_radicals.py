"""Radicals that are drawn by lines, as MathType does: no character stands for them, and one is put there."""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pymupdf

from pipeline.pdf.lines import Line, Word, bounds

pdfs: Any = pymupdf  # it has no types

ROOT = "√"

_HEIGHT = (0.5, 5.0)  # Of a radical, over the height of the first word below its bar.
_HOOK = (0.15, 1.5)
"""The white between the left edge of a radical and the first word below its bar, over this word's height."""

_CORNERS = range(4, 13)  # A radical that is a stroke has four or five; one that is filled has nine or more.
_LEVEL = 0.05  # Rise of its bar over the height of the radical, at most.
_BAR = 0.3  # Length of its bar over the height of the radical, at least.
_TICK = 0.1  # Height of the stroke before the long one over that of the radical, at least.
_SAME = 1.5  # Points by which the edges of the stroke and of the area of one radical may differ.

Box = tuple[float, float, float, float]
Paths = Callable[[], Sequence[Mapping[str, Any]]]


def with_radicals(lines: Sequence[Line], boxes: Sequence[Box], paths: Paths, matrix: Any) -> list[Line]:
    """Return the lines of a page with "√" before the first word below each radical that is drawn by lines.

    `boxes` are of drawings that are no rectangles, on the page as it is shown. They say whether `paths`, as
    `get_cdrawings` gives them, need to be asked: on 140 of 4,278 pages. `matrix` rotates these, or is None.
    """
    out = list(lines)
    seen = [line for line in lines if line.upright and not line.aside]
    if any(_words_below(seen, boxes)):
        radicals: list[Box] = []
        for path in paths():
            box = _radical(path["items"], matrix)
            if box and not any(_alike(box, one) for one in radicals):
                radicals.append(box)
        for box in sorted(radicals):
            for word in _words_below(out, [box]):
                at = next(at for at, line in enumerate(out) if word in line.words)
                out[at] = _with_root(out[at], word, box[0])
    return out


def _alike(box: Box, other: Box) -> bool:
    return all(abs(one - another) < _SAME for one, another in zip(box, other, strict=True))


def _words_below(lines: Sequence[Line], boxes: Sequence[Box]) -> Iterator[Word]:
    """Yield for each box that may be a radical the first word that would be below its bar."""
    in_order = sorted(lines, key=lambda line: line.middle)
    middles = [line.middle for line in in_order]
    for x0, y0, x1, y1 in boxes:
        words = [
            word
            for line in in_order[bisect(middles, y0) : bisect(middles, y1)]
            if line.x0 < x1 and line.x1 > x0
            for word in line.words
            if x0 <= word.x0 < x1 and ROOT not in word.text
        ]
        first = min(words, key=lambda word: word.x0, default=None)
        if first and (height := first.y1 - first.y0) > 0:
            hook, high = (first.x0 - x0) / height, (y1 - y0) / height
            if _HOOK[0] < hook < _HOOK[1] and _HEIGHT[0] < high < _HEIGHT[1]:
                yield first


def _radical(items: Sequence[Sequence[Any]], matrix: Any) -> Box | None:
    """Return the box of a path that is a radical: a tick, a long stroke up to the right, a level bar."""
    if len(items) + 1 not in _CORNERS or any(item[0] != "l" for item in items):
        return None
    if any(one[2] != other[1] for one, other in pairwise(items)):
        return None
    corners = [items[0][1], *(item[2] for item in items)]
    if matrix:
        corners = [tuple(pdfs.Point(corner) * matrix) for corner in corners]
    for before, foot, top, end in zip(corners, corners[1:], corners[2:], corners[3:], strict=False):
        height = foot[1] - top[1]
        steep = 0 <= top[0] - foot[0] < height
        bar = abs(end[1] - top[1]) < _LEVEL * height and end[0] - top[0] > _BAR * height
        tick = before[0] < foot[0] and top[1] < before[1] < foot[1] - _TICK * height
        if steep and bar and tick:
            return min(x for x, _ in corners), top[1], end[0], foot[1]
    return None


def _with_root(line: Line, rooted: Word, left: float) -> Line:
    """Return a line with the sign before one of its words, which begins at the sign's left edge."""
    changed = rooted._replace(
        text=ROOT + rooted.text,
        x0=left,
        superscripts=tuple(at + 1 for at in rooted.superscripts),
        printed=rooted.printed and ROOT + rooted.printed,
    )
    words = tuple(changed if word is rooted else word for word in line.words)
    x0, y0, x1, y1 = bounds(words)
    return replace(line, words=words, x0=x0, y0=y0, x1=x1, y1=y1)
