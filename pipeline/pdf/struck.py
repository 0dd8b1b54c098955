"""Text with rules through it, printed and taken back; with rules and other text over it, which change it."""

import re
from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress, pairwise
from math import inf
from typing import Any
from unicodedata import category

import numpy as np
import pymupdf

from lookup.text.folding import UNKNOWN
from pipeline.pdf.lines import DESCENT, Line, Word, bounds

pdfs: Any = pymupdf  # it has no types

_THICKEST = 0.35  # Em: what is higher is no rule, or wave, that strikes text through.

_OVERTYPED = re.compile(r"[Xx]{3,}|[-–—=/#*]{3,}")
_MOSTLY = 0.5  # Share of a word's width from which on what is typed over it strikes it.

_LOWEST, _HIGHEST = 0.12, 0.42
"""Em above the baseline between which a rule strikes small letters through. Word processors draw it at .22 to
.30; what underlines is below, and what parts the rows of a table stands between lines."""

_OVER = 0.3  # Em by which a word may reach out of the rule; the rule itself may begin and end with a space.

_LEVEL = 0.25  # Points by which parts of one rule differ in height, and lie apart, at most.

_BATCH = 1000  # Boxes that are compared with lines of text at once, to save memory.
_SLANTED = 0.5  # Points by which the ends of a slanted line differ at least, across and down.
_MARKS = frozenset({"Lm", "Mn", "Mc", "Me", "Sk", "Cf", "Cc"})
"""Unicode's categories of what is printed over letters, or is nothing."""

Box = Sequence[float]

_ABOVE = (0.45, 1.05)  # Em above the baseline where a rule is drawn over a letter: a mean, a complement.
_LONGEST_BAR, _REACH = 2.0, 0.15  # Em that it is long at most, and by which it may reach out of its word.
_ROOT = "√"
_NUMERATOR = 0.5  # Em above a rule in which the baseline of what it underlines or divides is.


_ACROSS = (-0.05, 0.52)
"""Em above the baseline between which a slanted line or a wave crosses a word in the middle of what they
share."""

_OF_ROOT = (0.5, 5.0)
"""Heights of a radical over the font size of what is below its bar."""

_BAR_OF_ROOT = 0.3  # Length of its bar over the height of the radical, at least.


def set_struck_apart(lines: Sequence[Line], drawings: Iterable[Box]) -> list[Line]:
    """Return the lines of a page; words that its `drawings` strike through as lines of their own.

    Words with a bar above, and such as are printed over one another, print U+FFFD: what that says is not
    known.
    """
    rules = _joined([box for box in drawings if box[2] - box[0] > 4 * (box[3] - box[1])])
    pairs = list(_over_one_another(lines))
    if not rules and not pairs:
        return list(lines)
    heights = [height for height, _ in rules]
    typed = {other for one, other in pairs if _OVERTYPED.fullmatch(one.text)}
    unknown = {word for pair in pairs for word in pair if typed.isdisjoint(pair)}
    out: list[Line] = []
    for one in lines:
        if not _is_text(one):
            out.append(one)
            continue
        top, foot = (one.baseline - em * one.size for em in reversed(_ABOVE))
        bars = [box for _, box in rules[bisect(heights, top) : bisect(heights, foot)]]
        line = _unknown_where(one, unknown.intersection(one.words) | _barred(one, bars, lines))
        first, last = bisect(heights, line.y0), bisect(heights, line.y1)
        beside = [box for _, box in rules[first:last] if box[0] < line.x1 and box[2] > line.x0]
        if beside or typed:
            row = [word for other in lines if -1 < other.baseline - line.baseline < 1 for word in other.words]
            out += _parted(line, row, beside, typed)
        else:
            out.append(line)
    return out


def _joined(boxes: Iterable[Box]) -> list[tuple[float, Box]]:
    """Return rules, each after its height, in that order; those that are drawn in parts as one.

    Word processors draw the border of a table cell by cell.
    """
    found: list[tuple[float, Box]] = []
    for height, box in sorted([((box[1] + box[3]) / 2, tuple(box)) for box in boxes], key=_height_and_left):
        before, (x0, y0, x1, y1) = found[-1] if found else (-inf, (0.0,) * 4)
        if height - before < _LEVEL and box[0] - x1 < _LEVEL:
            found[-1] = before, (x0, y0, max(x1, box[2]), y1)
        else:
            found.append((height, box))
    return sorted(found)


def _height_and_left(rule: tuple[float, Box]) -> tuple[int, float]:
    return round(rule[0] / _LEVEL), rule[1][0]


def with_crossed(
    lines: Sequence[Line],
    boxes: Sequence[Box],
    paths: Callable[[], Sequence[Mapping[str, Any]]],
    matrix: Any,
) -> list[Line]:
    """Return the lines of a page; what drawn lines change prints U+FFFD.

    These are words through which a slanted line or a wave goes, as through ≠, a cross or a cancellation, and
    those below radicals, as MathType draws them. `boxes` are of drawings that are no rectangles, on the page
    as it is shown: they say whether `paths`, as `get_cdrawings` gives them, need to be asked. `matrix`
    rotates these, or is None.
    """
    seen = [(line.x0, line.y0, line.x1, line.y1) for line in lines if boxes and _is_text(line)]
    texts = np.array(seen).reshape(-1, 4)
    if not _on_text(boxes, texts).any():
        return list(lines)
    drawn = paths()
    rects = [pdfs.Rect(path["rect"]) * matrix if matrix else path["rect"] for path in drawn]
    of_paths = [list(_pieces(path, matrix)) for path in compress(drawn, _on_text(rects, texts))]
    strokes = sorted([((one[1] + one[3]) / 2, one) for pieces in of_paths for one in _strokes(pieces)])
    roots = [box for pieces in of_paths for box in _roots(pieces)]
    out = []
    for line in lines:
        near = strokes[bisect(strokes, (line.y0,)) : bisect(strokes, (line.y1,))] if _is_text(line) else ()
        over = [box for box in roots if _is_text(line) and box[1] < line.middle < box[3]]
        changed = {word for word in line.words for _, stroke in near if _crosses(stroke, word)}
        out.append(_unknown_where(line, changed | {word for word in line.words if _is_rooted(word, over)}))
    return out


def _is_text(line: Line) -> bool:
    return line.upright and not line.aside


def _on_text(boxes: Sequence[Box], texts: Any) -> Any:
    """Return which boxes have their middles in one of the boxes of lines, row by row.

    Or the middles of their right halves: radicals begin before the text below their bars.
    """
    found = np.zeros(len(boxes), bool)
    for begin in range(0, len(boxes), _BATCH):
        x0, y0, x1, y1 = np.array(boxes[begin : begin + _BATCH]).T[:, :, None]
        across, right, down = (x0 + x1) / 2, (x0 + 3 * x1) / 4, (y0 + y1) / 2
        left, top, end, foot = texts.T
        beside = ((across > left) & (across < end)) | ((right > left) & (right < end))
        within = beside & (down > top) & (down < foot)
        found[begin : begin + _BATCH] = within.any(axis=1)
    return found


def _pieces(path: Mapping[str, Any], matrix: Any) -> Iterator[Sequence[Any]]:
    """Yield the points of the lines and curves of a drawing, on the page as it is shown."""
    for kind, *points in path["items"]:
        if kind in ("l", "c"):
            yield [pdfs.Point(one) * matrix if matrix else pdfs.Point(one) for one in points]


def _strokes(pieces: Iterable[Sequence[Any]]) -> Iterator[Box]:
    """Yield the ends of slanted lines, and of the halves of curves, from left to right."""
    for first, *others in pieces:
        ends = [first, *others]
        if len(others) > 1:
            ends = [first, (first + others[0] * 3 + others[1] * 3 + others[2]) / 8, others[2]]
        for (x0, y0), (x1, y1) in pairwise(ends):
            if len(others) > 1 or min(abs(x1 - x0), abs(y1 - y0)) > _SLANTED:
                yield (x0, y0, x1, y1) if x0 < x1 else (x1, y1, x0, y0)


def _roots(pieces: Sequence[Sequence[Any]]) -> Iterator[Box]:
    """Yield the boxes of radicals: of a long stroke up to the right, with a level bar at its top."""
    lines = [piece for piece in pieces if len(piece) == 2]
    for (foot, top), (begin, end) in pairwise(lines):
        height = foot.y - top.y
        is_stroke = top == begin and _SLANTED < top.x - foot.x < height
        if is_stroke and abs(end.y - top.y) < _SLANTED and end.x - top.x > _BAR_OF_ROOT * height:
            yield foot.x, top.y, end.x, foot.y


def _is_rooted(word: Word, roots: Sequence[Box]) -> bool:
    """Whether a word begins below one of the radicals."""
    heights = [y1 - y0 for x0, y0, x1, y1 in roots if x0 <= word.x0 < x1]
    return any(_OF_ROOT[0] * word.size < height < _OF_ROOT[1] * word.size for height in heights)


def _crosses(stroke: Box, word: Word) -> bool:
    """Whether a stroke goes through most of a word, or with most of it through the word."""
    x0, y0, x1, y1 = stroke
    left, right = max(x0, word.x0), min(x1, word.x1)
    if right - left < _MOSTLY * min(x1 - x0, word.x1 - word.x0) or x0 == x1:
        return False
    height = y0 + ((left + right) / 2 - x0) / (x1 - x0) * (y1 - y0)
    return _ACROSS[0] * word.size <= _baseline(word) - height <= _ACROSS[1] * word.size


def _over_one_another(lines: Sequence[Line]) -> Iterator[tuple[Word, Word]]:
    """Yield words with others on their baselines that are printed over most of them, in both orders.

    None of the same letters, which look bold, or of accents.
    """
    words = [word for line in lines if _is_text(line) for word in line.words]
    if not words:
        return
    _, *columns = zip(*words, strict=True)
    x0, _, x1, y1, size = np.array(columns[:5])
    rows = np.rint(y1 - DESCENT * size)
    order = np.lexsort((-x1, x0, rows))
    x0, x1, (_, rows) = x0[order], x1[order], np.unique(rows[order], return_inverse=True)
    ends = x1 + rows * (np.ptp(x1) + 1)  # those of a row are all after those of the row before
    longest = np.maximum.accumulate(
        np.where(np.diff(np.maximum.accumulate(ends), prepend=-np.inf) > 0, np.arange(len(ends)), 0)
    )
    before = np.concatenate([[0], longest[:-1]])
    over = (rows[before] == rows) & (np.minimum(x1[before], x1) - x0 > _MOSTLY * (x1 - x0))
    over[0] = False
    for at in np.flatnonzero(over):
        one, other = words[order[before[at]]], words[order[at]]
        if not _is_same(one, other):
            yield one, other
            yield other, one


def _is_same(one: Word, other: Word) -> bool:
    texts = one.text, other.text
    is_part = texts[0] in texts[1] or texts[1] in texts[0]
    return is_part or any(category(char) in _MARKS for text in texts for char in text)


def _parted(line: Line, row: Sequence[Word], rules: Sequence[Box], typed: Collection[Word]) -> Iterator[Line]:
    """Yield a line without what is struck, and that.

    `row` are all words on its baseline, `typed` those that are typed over.
    """
    # boxes of level words are as high as their type: they tell the baseline of each
    struck = {word for word in line.words if word in typed}
    for x0, y0, x1, y1 in rules:
        over = _OVER * line.size
        below = [
            word
            for word in row
            if x0 - over <= word.x0
            and word.x1 <= x1 + over
            and y1 - y0 <= _THICKEST * word.size
            and _LOWEST <= (word.y1 - (y0 + y1) / 2) / word.size - DESCENT <= _HIGHEST
        ]
        begins = any(word.x0 <= x0 + 2 * over for word in below)
        if begins or any(x1 - 2 * over <= word.x1 for word in below):  # it may go on to the margin
            struck.update(below)
    if struck.isdisjoint(line.words):
        yield line
        return
    for apart in (False, True):
        if words := tuple(word for word in line.words if (word in struck) == apart):
            x0, y0, x1, y1 = bounds(words)
            yield replace(
                line, words=words, x0=x0, y0=y0, x1=x1, y1=y1, aside="struck" if apart else line.aside
            )


def _barred(line: Line, bars: Sequence[Box], lines: Sequence[Line]) -> set[Word]:
    """Return the words of a line above which one of the bars stands alone.

    What has words right above it, or begins at a root, is of a fraction, an underlined word or that root.
    """
    found = set()
    for x0, y0, x1, _ in bars:
        for word in line.words:
            size, reach = word.size, _REACH * word.size
            if x1 - x0 > _LONGEST_BAR * size or x0 < word.x0 - reach or x1 > word.x1 + reach:
                continue
            near = [other for one in lines if one.y0 < y0 < one.y1 + size for other in one.words]
            is_other = any(
                (other.x0 < x1 and other.x1 > x0 and -reach < y0 - _baseline(other) < _NUMERATOR * size)
                or (_ROOT in other.text and other.x0 < x0 < other.x1 + 2 * reach)
                for other in near
            )
            if not is_other:
                found.add(word)
    return found


def _unknown_where(line: Line, words: Collection[Word]) -> Line:
    """Return a line in which these words print nothing that is known."""
    if not words:
        return line
    printed = [
        word._replace(printed=UNKNOWN * len(word.text)) if word in words else word for word in line.words
    ]
    return replace(line, words=tuple(printed))


def _baseline(word: Word) -> float:
    return word.y1 - DESCENT * word.size  # boxes of level words are as high as their type
