"""Strokes and letters over words: what is struck through stands apart, what else they change is unknown."""

import re
from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress, pairwise
from math import inf
from operator import itemgetter
from typing import Any, NamedTuple
from unicodedata import category

import numpy as np
import pymupdf

from lookup.text.folding import UNKNOWN
from pipeline.pdf.lines import DESCENT, Line, Word, bounds
from pipeline.pdf.visibility import met

pdfs: Any = pymupdf  # it has no types

_OVERTYPED = re.compile(r"[Xx]{3,}|[-–—=/#*]{3,}")
_MOSTLY = 0.5  # Share of a word's width from which on what is over it changes it.
_MARKS = frozenset({"Lm", "Mn", "Mc", "Me", "Sk", "Cf", "Cc"})
"""Unicode's categories of what is printed over letters, or is nothing."""

_LONG = 2  # Times its height that a rule is wide, at least; boxes of strokes are twice as high as these.
_FLAT = 8.0  # Points that it is high at most.
_THICKEST = 0.7  # Em: what is higher is no rule that strikes text through.
_THROUGH = (0.12, 0.42)
"""Em above the baseline between which a rule strikes small letters through. Word processors draw it at .22 to
.30; what underlines is below, and what parts the rows of a table stands between lines."""

_OVER = 0.3  # Em by which a word may reach out of the rule; the rule itself may begin and end with a space.

_LEVEL, _GAP = 0.25, 1.0  # Points by which parts of one rule differ in height, and lie apart, at most.
_SLANTED = 0.5  # Points by which the ends of a slanted line differ at least, across and down.
_WIDEST = 1.5  # Em that a character of a word is wide, at most.
_ONE_ROW = 1.6  # Points by which the baselines of words that are printed over one another differ, at most.

_ABOVE = (0.45, 1.05)  # Em above the baseline where a rule is drawn over a letter: a mean, a complement.
_LONGEST_BAR, _REACH = 2.0, 0.15  # Em that it is long at most, and by which it may reach out of its word.

_ROOT = "√"
_NUMERATOR = 0.5  # Em above a rule in which the baseline of what it underlines or divides is.

_ACROSS = (-0.05, 0.52)
"""Em above the baseline between which a slanted line or a wave crosses a word in the middle of what they
share."""

_OF_ROOT = (0.7, 5.0)  # Em that the stroke of a radical rises to where the word below its bar begins.

_SMALL, _NEXT_TO = 1.0, 0.15
"""Em that a mark is wide and high at most, and by which it stands from a number, at most, that it changes."""

_OF_NUMBER, _OF_SIGN = (-0.02, 0.8), (-0.25, 0.8)
"""Em above the baseline between which the middle of a mark makes another number, or another sign: ≤ is a <
with a bar below."""

_LARGEST_MARK = 72.0  # Points: what is larger is no mark of any type.

_SIGN = re.compile(r"[+−=<>~≈±≤≥]|-(?![^\W\d_])")  # That another has with a bar or a point more; no hyphen.
_TURNED = re.compile(rf"{_SIGN.pattern}|^(?![^\W\d_]).*\d")
"""A sign, or a number; behind letters figures are marks of notes, beside icons."""

Box = Sequence[float]


class Stroke(NamedTuple):
    """A drawn line: the height of its middle, its ends from left to right, its thickness if it is level."""

    height: float
    x0: float
    y0: float
    x1: float
    y1: float
    thickness: float = 0.0

    @property
    def is_level(self) -> bool:
        """Whether it is a rule."""
        return self.y0 == self.y1


def with_strokes(
    lines: Sequence[Line], strokes: Sequence[Stroke], drawings: Sequence[Box], *, is_ocr: bool
) -> list[Line]:
    """Return the lines of a page; words that `strokes`, ascending, strike through as lines of their own.

    Words with a bar above, a slash, cross or wave through them, below a radical of drawn lines, or printed
    over one another, print U+FFFD: what that says is not known. So do numbers and signs beside which one of
    the `drawings` stands that is as small as a point, a minus or a digit.
    """
    pairs = [] if is_ocr else list(_over_one_another([line for line in lines if _is_text(line)]))
    typed = {other for one, other in pairs if _OVERTYPED.fullmatch(one.text)}
    unknown = {word for pair in pairs for word in pair if typed.isdisjoint(pair)}
    unknown |= set(_marked(drawings, lines))
    marked = unknown | typed
    out: list[Line] = []
    for line in lines:
        top, foot = line.baseline - _ABOVE[1] * line.size, max(line.y1, line.baseline)
        near = strokes[bisect(strokes, (top,)) : bisect(strokes, (foot,))] if _is_text(line) else ()
        beside = [one for one in near if one.x0 < line.x1 and one.x1 > line.x0]
        if not beside and not (marked and any(word in marked for word in line.words)):
            out.append(line)
            continue
        struck = typed | {
            word for one in beside if one.is_level for word in line.words if _strikes(one, word)
        }
        over = [one for one in beside if not (one.is_level and _is_of_above(one, line.size, lines))]
        changed = unknown | {word for one in over for word in line.words if _changes(one, word)}
        out += _parted(line, struck, changed)
    return out


def strokes_of(
    lines: Sequence[Line],
    drawings: Sequence[Box],
    odd: Sequence[Box],
    paths: Callable[[], Sequence[Mapping[str, Any]]],
    matrix: Any,
) -> list[Stroke]:
    """Return the rules among a page's `drawings`, and the slanted strokes and waves over its `lines`.

    `odd` are the boxes of drawings that are no rectangles, on the page as it is shown: they say whether
    `paths`, as `get_cdrawings` gives them, need to be asked. `matrix` rotates these, or is None.
    """
    found = list(_rules(drawings))
    texts = np.array([(line.x0, line.y0, line.x1, line.y1) for line in lines if odd and _is_text(line)])
    if len(texts) and _on_text(odd, texts).any():
        drawn = paths()
        rects = [pdfs.Rect(path["rect"]) * matrix if matrix else path["rect"] for path in drawn]
        for path in compress(drawn, _on_text(rects, texts)):
            found += _slanted(path, matrix)
    return sorted(found)


def _rules(boxes: Iterable[Box]) -> Iterator[Stroke]:
    """Yield the rules among boxes; those that are drawn in parts as one.

    Word processors draw the border of a table cell by cell, browsers a dotted line dot by dot.
    """
    flat = [box for box in boxes if box[3] - box[1] < _FLAT]
    parts = sorted(
        [(round((y0 + y1) / 2 / _LEVEL), x0, x1, (y0 + y1) / 2, y1 - y0) for x0, y0, x1, y1 in flat]
    )
    while parts:
        _, left, right, height, thickness = parts.pop()
        while parts and abs(parts[-1][3] - height) < _LEVEL and left - parts[-1][2] < _GAP:
            _, left, end, height, thickness = parts.pop()
            right = max(right, end)
        if right - left > _LONG * thickness:
            yield Stroke(height, left, height, right, height, thickness)


def _is_text(line: Line) -> bool:
    return line.upright and not line.aside


def _on_text(boxes: Sequence[Box], texts: Any) -> Any:
    """Return which boxes have their middles in one of the boxes of lines, row by row.

    Or the middles of their right halves: radicals begin before the text below their bars.
    """
    found = np.zeros(len(boxes), bool)
    x0, y0, x1, y1 = np.array(boxes).reshape(-1, 4).T
    down = (y0 + y1) / 2
    for across in ((x0 + x1) / 2, (x0 + 3 * x1) / 4):
        for some, _ in met(np.array([across, down, across, down]).T, texts):
            found[some] = True
    return found


def _slanted(path: Mapping[str, Any], matrix: Any) -> Iterator[Stroke]:
    """Yield the slanted lines of a drawing, and the thirds of its curves, on the page as it is shown."""
    for kind, *points in path["items"]:
        if kind not in ("l", "c"):
            continue
        first, *others = [pdfs.Point(one) * matrix if matrix else pdfs.Point(one) for one in points]
        ends = [first, *others]
        if kind == "c":  # of a wave of one curve the halves are level
            (one, other, last), (near, far) = others, (8 / 27, 1 / 27)
            middle = [
                first * at + (one * 12 + other * 6) / 27 + last * beyond
                for one, other, at, beyond in ((one, other, near, far), (other, one, far, near))
            ]
            ends = [first, *middle, last]
        for (x0, y0), (x1, y1) in pairwise(ends):
            if y0 != y1 and (kind == "c" or min(abs(x1 - x0), abs(y1 - y0)) > _SLANTED):
                yield Stroke((y0 + y1) / 2, *((x0, y0, x1, y1) if x0 < x1 else (x1, y1, x0, y0)))


def _strikes(rule: Stroke, word: Word) -> bool:
    """Whether a rule goes through a word; it may go on to other words and to the margin."""
    over, through = _OVER * word.size, _baseline(word) - rule.height
    is_through = _THROUGH[0] * word.size <= through <= _THROUGH[1] * word.size
    covers = rule.x0 - over <= word.x0 and word.x1 <= rule.x1 + over
    return is_through and covers and rule.thickness <= _THICKEST * word.size


def _changes(stroke: Stroke, word: Word) -> bool:
    """Whether a word is another with a stroke: through it, above it, or before it as a radical's is."""
    if stroke.is_level:
        return _is_bar(stroke, word)
    return _crosses(stroke, word) or _is_root(stroke, word)


def _is_bar(rule: Stroke, word: Word) -> bool:
    """Whether a short rule stands above a word: it says a mean, a complement, or what is divided by it."""
    above = _ABOVE[0] * word.size <= _baseline(word) - rule.height <= _ABOVE[1] * word.size
    reach, is_short = _REACH * word.size, rule.x1 - rule.x0 <= _LONGEST_BAR * word.size
    return above and is_short and word.x0 - reach <= rule.x0 and rule.x1 <= word.x1 + reach


def _is_of_above(rule: Stroke, size: float, lines: Sequence[Line]) -> bool:
    """Whether a short rule underlines or divides what is right above it, or begins at the sign of a root."""
    if rule.x1 - rule.x0 > _LONGEST_BAR * size:
        return False
    reach = _REACH * size
    return any(
        (
            word.x0 < rule.x1
            and word.x1 > rule.x0
            and -reach < rule.height - _baseline(word) < _NUMERATOR * size
        )
        or (_ROOT in word.text and word.x0 < rule.x0 < word.x1 + 2 * reach)
        for line in lines
        if line.y0 < rule.height < line.y1 + size
        for word in line.words
    )


def _crosses(stroke: Stroke, word: Word) -> bool:
    """Whether a stroke goes through most of a word, or with most of it through the word."""
    _, x0, y0, x1, y1, _ = stroke
    left, right = max(x0, word.x0), min(x1, word.x1)
    if right - left < _MOSTLY * min(x1 - x0, word.x1 - word.x0) or x0 == x1:
        return False
    height = y0 + ((left + right) / 2 - x0) / (x1 - x0) * (y1 - y0)
    return _ACROSS[0] * word.size <= _baseline(word) - height <= _ACROSS[1] * word.size


def _marked(drawings: Iterable[Box], lines: Sequence[Line]) -> Iterator[Word]:
    """Yield the words with a number or a sign that a small drawing beside it, or over it, makes another."""
    marks = sorted(
        [
            ((y0 + y1) / 2, x0, x1, y1 - y0)
            for x0, y0, x1, y1 in drawings
            if max(x1 - x0, y1 - y0) <= _LARGEST_MARK
        ]
    )
    for line in filter(_is_text, lines) if marks else ():
        high, low = (line.baseline - at * line.size for at in (_OF_SIGN[1], _OF_SIGN[0]))
        near = sorted(marks[bisect(marks, (high,)) : bisect(marks, (low,))], key=itemgetter(1))
        for word in filter(_is_turned, line.words) if near else ():
            reach = (_SMALL + _NEXT_TO) * word.size  # to where a mark that is no wider begins
            first = bisect(near, word.x0 - reach, key=itemgetter(1))
            beside = near[first : bisect(near, word.x1 + reach, key=itemgetter(1))]
            if any(_turns(*mark, word) for mark in beside):
                yield word


def _is_turned(word: Word) -> bool:
    return _TURNED.search(word.text) is not None


def _turns(middle: float, x0: float, x1: float, height: float, word: Word) -> bool:
    """Whether a drawing makes a number or a sign another: it says a point, a minus or a bar, for example."""
    above, reach = _baseline(word) - middle, _NEXT_TO * word.size
    from_foot, to_top = _OF_SIGN if _SIGN.search(word.text) else _OF_NUMBER
    is_small = max(x1 - x0, height) <= _SMALL * word.size
    return (
        is_small
        and word.x0 - reach < x1
        and x0 < word.x1 + reach
        and from_foot * word.size <= above <= to_top * word.size
    )


def _is_root(stroke: Stroke, word: Word) -> bool:
    """Whether a stroke rises to where a word begins, as that of a radical does."""
    rises = _OF_ROOT[0] * word.size <= stroke.y0 - stroke.y1 <= _OF_ROOT[1] * word.size
    begins = abs(word.x0 - stroke.x1) <= _REACH * word.size
    return rises and begins and stroke.y1 < _baseline(word) < stroke.y0


def _over_one_another(lines: Sequence[Line]) -> Iterator[tuple[Word, Word]]:
    """Yield words with others on their baselines that are printed over most of them, in both orders.

    None of the same letters, which look bold, or of accents.
    """
    rows: list[list[Line]] = []
    height = -inf
    for line in sorted(lines, key=lambda line: line.baseline):
        if line.baseline - height > _ONE_ROW:
            rows.append([])
        height = line.baseline
        rows[-1].append(line)
    for row in rows:
        apart = [word for line in sorted(row, key=lambda line: line.x0) for word in line.words]
        if all(one.x1 <= other.x0 for one, other in pairwise(apart)):
            continue
        words = [(word, line.baseline) for line in row for word in line.words]
        (one, height), *others = sorted(words, key=lambda placed: (placed[0].x0, -placed[0].x1))
        for other, level in others:  # beside the longest of those before
            if other.x0 < one.x1 and abs(height - level) <= _ONE_ROW and _is_over(one, other):
                yield one, other
                yield other, one
            if one.x1 <= other.x1:
                one, height = other, level


def _is_over(one: Word, other: Word) -> bool:
    if any(word.x1 - word.x0 > _WIDEST * word.size * len(word.text) for word in (one, other)):
        return False  # its box is wrong
    texts = one.text, other.text
    is_part = texts[0] in texts[1] or texts[1] in texts[0]
    later = max(one, other, key=lambda word: word.x0)
    is_over = min(one.x1, other.x1) - later.x0 > _MOSTLY * (later.x1 - later.x0)
    is_over = is_over and abs(_baseline(one) - _baseline(other)) < _ONE_ROW
    return is_over and not is_part and not any(category(char) in _MARKS for text in texts for char in text)


def _parted(line: Line, struck: Collection[Word], changed: Collection[Word]) -> Iterator[Line]:
    """Yield a line without what is struck, and that; what is changed prints nothing that is known."""
    for apart in (False, True):
        if words := [word for word in line.words if (word in struck) == apart]:
            printed = [
                word._replace(printed=UNKNOWN * len(word.text)) if word in changed else word for word in words
            ]
            x0, y0, x1, y1 = bounds(words)
            aside = "struck" if apart else line.aside
            yield replace(line, words=tuple(printed), x0=x0, y0=y0, x1=x1, y1=y1, aside=aside)


def _baseline(word: Word) -> float:
    return word.y1 - DESCENT * word.size  # boxes of level words are as high as their type
