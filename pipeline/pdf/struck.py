"""Text that is struck through: printed, and taken back."""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pipeline.pdf.lines import DESCENT, Line, Word, bounds

_THICKEST = 0.2  # Em: what is higher is no rule that strikes text through.

_LOWEST, _HIGHEST = 0.12, 0.42
"""Em above the baseline between which a rule strikes small letters through. Word processors draw it at .22 to
.30; what underlines is below, and what parts the rows of a table stands between lines."""

_OVER = 0.3  # Em by which a word may reach out of the rule; the rule itself may begin and end with a space.

Box = Sequence[float]


def set_struck_apart(lines: Sequence[Line], drawings: Iterable[Box]) -> list[Line]:
    """Return the lines of a page; words that its `drawings` strike through as lines of their own."""
    rules = sorted(
        [((box[1] + box[3]) / 2, box) for box in drawings if box[2] - box[0] > 4 * (box[3] - box[1])]
    )
    if not rules:
        return list(lines)
    heights = [height for height, _ in rules]
    out: list[Line] = []
    for line in lines:
        first, last = bisect(heights, line.y0), bisect(heights, line.y1)
        beside = [box for _, box in rules[first:last] if box[0] < line.x1 and box[2] > line.x0]
        if beside and line.upright and not line.aside:
            row = [word for other in lines if -1 < other.baseline - line.baseline < 1 for word in other.words]
            out += _parted(line, row, beside)
        else:
            out.append(line)
    return out


def _parted(line: Line, row: Sequence[Word], rules: Sequence[Box]) -> Iterator[Line]:
    """Yield a line without what is struck, and that. `row` are all words on its baseline."""
    # boxes of level words are as high as their type: they tell the baseline of each
    struck: set[Word] = set()
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
        if (
            below
            and min(word.x0 for word in below) <= x0 + 2 * over
            and x1 - 2 * over <= max(word.x1 for word in below)
        ):
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
