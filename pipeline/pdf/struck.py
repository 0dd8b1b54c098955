"""Text with rules through it, printed and taken back, and with rules above it, which change what it says."""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lookup.text.folding import UNKNOWN
from pipeline.pdf.drawn_radicals import ROOT
from pipeline.pdf.lines import DESCENT, Line, Word, bounds

_THICKEST = 0.35  # Em: what is higher is no rule, or wave, that strikes text through.

_OVERTYPED = re.compile(r"[Xx]{3,}|[-–—=/#*]{3,}")
_MOSTLY = 0.5  # Share of a word's width from which on what is typed over it strikes it.

_LOWEST, _HIGHEST = 0.12, 0.42
"""Em above the baseline between which a rule strikes small letters through. Word processors draw it at .22 to
.30; what underlines is below, and what parts the rows of a table stands between lines."""

_OVER = 0.3  # Em by which a word may reach out of the rule; the rule itself may begin and end with a space.

Box = Sequence[float]


_ABOVE = (0.45, 1.05)  # Em above the baseline where a rule is drawn over a letter: a mean, a complement.
_LONGEST_BAR, _REACH = 2.0, 0.15  # Em that it is long at most, and by which it may reach out of its word.
_NUMERATOR = 0.5  # Em above a rule in which the baseline of what it underlines or divides is.


def set_struck_apart(lines: Sequence[Line], drawings: Iterable[Box]) -> list[Line]:
    """Return the lines of a page; words that its `drawings` strike through as lines of their own.

    Words with a bar above print U+FFFD: what the bar says is not known.
    """
    rules = sorted(
        [((box[1] + box[3]) / 2, box) for box in drawings if box[2] - box[0] > 4 * (box[3] - box[1])]
    )
    typed = [word for line in lines for word in line.words if _OVERTYPED.fullmatch(word.text)]
    if not rules and not typed:
        return list(lines)
    heights = [height for height, _ in rules]
    out: list[Line] = []
    for one in lines:
        top, foot = (one.baseline - em * one.size for em in reversed(_ABOVE))
        bars = [box for _, box in rules[bisect(heights, top) : bisect(heights, foot)]]
        line = _barred(one, bars, lines) if bars and one.upright and not one.aside else one
        first, last = bisect(heights, line.y0), bisect(heights, line.y1)
        beside = [box for _, box in rules[first:last] if box[0] < line.x1 and box[2] > line.x0]
        over = [word for word in typed if line.y0 < (word.y0 + word.y1) / 2 < line.y1]
        if (beside or over) and line.upright and not line.aside:
            row = [word for other in lines if -1 < other.baseline - line.baseline < 1 for word in other.words]
            out += _parted(line, row, beside, over)
        else:
            out.append(line)
    return out


def _parted(line: Line, row: Sequence[Word], rules: Sequence[Box], typed: Sequence[Word]) -> Iterator[Line]:
    """Yield a line without what is struck, and that.

    `row` are all words on its baseline, `typed` signs that may be typed over them.
    """
    # boxes of level words are as high as their type: they tell the baseline of each
    struck = {word for word in line.words if any(_is_typed_over(one, word) for one in typed)}
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


def _is_typed_over(one: Word, other: Word) -> bool:
    """Whether a word of crosses or dashes is printed over most of another word."""
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return (
        one is not other and not _OVERTYPED.fullmatch(other.text) and shared > _MOSTLY * (other.x1 - other.x0)
    )


def _barred(line: Line, bars: Sequence[Box], lines: Sequence[Line]) -> Line:
    """Return a line whose words are unknown above which one of the bars stands alone.

    What has words right above it, or begins at a root, is of a fraction, an underlined word or that root.
    """
    changed = dict(zip(line.words, line.words, strict=True))
    for x0, y0, x1, _ in bars:
        for word in line.words:
            size, reach = word.size, _REACH * word.size
            if x1 - x0 > _LONGEST_BAR * size or x0 < word.x0 - reach or x1 > word.x1 + reach:
                continue
            near = [other for one in lines if one.y0 < y0 < one.y1 + size for other in one.words]
            is_other = any(
                (other.x0 < x1 and other.x1 > x0 and -reach < y0 - _baseline(other) < _NUMERATOR * size)
                or (ROOT in other.text and other.x0 < x0 < other.x1 + 2 * reach)
                for other in near
            )
            if not is_other:
                changed[word] = word._replace(printed=UNKNOWN * len(word.text))
    return replace(line, words=tuple(changed[word] for word in line.words))


def _baseline(word: Word) -> float:
    return word.y1 - DESCENT * word.size  # boxes of level words are as high as their type
