"""Reading order: a page's lines column by column, around what runs across the columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from pipeline.reading import Line, Word, bounds
from pipeline.superscripts import is_superscript

_GUTTER = 7.0
"""Points: the least white space between two columns."""

_SIDE_BY_SIDE = 4
"""Lines that must stand on either side of a gutter for it to be one."""

_GLUE = 0.12
"""Em: fragments closer than this are one word, cut by a change of font (a superscript, say)."""

_SUPERSCRIPT_GAP = 0.5
"""Em between a superscript and what it stands at, at the most; of the larger of the two."""

_SAME_GUTTER = 6.0
"""Points by which a gutter may move from page to page."""

_USUAL = 0.2
"""Share of the pages that must have a gutter for it to be looked for on the others."""


@dataclass(frozen=True)
class Column:
    """Printed lines from top to bottom, between two edges (points)."""

    x0: float
    x1: float
    lines: tuple[Line, ...]


def usual_gutters(pages: Sequence[Sequence[Line]]) -> list[float]:
    """The gutters (x, points) that come back from page to page, the most usual first; `pages` are the lines of each."""
    found = sorted(gutter for lines in pages if lines and (gutter := _gutter(lines)) is not None)
    groups: list[list[float]] = []
    for gutter in found:
        if groups and gutter - groups[-1][-1] <= _SAME_GUTTER:
            groups[-1].append(gutter)
        else:
            groups.append([gutter])
    enough = max(2, round(_USUAL * len(pages)))
    usual = [group for group in groups if len(group) >= enough]
    return [median(group) for group in sorted(usual, key=len, reverse=True)]


def columns(lines: Sequence[Line], usual: Sequence[float] = ()) -> list[Column]:
    """The lines of one page as columns in reading order; what runs across a gutter is a column of its own, in its place.

    `usual` are gutters of the document's other pages, for a page on which too much runs across to see them.
    """
    if not lines:
        return []
    gutter = _gutter(lines)
    if gutter is None:
        gutter = next((x for x in usual if _parts(lines, x)), None)
    if gutter is None:
        return [_column(lines)]
    across = _across(lines, gutter)
    aside = {id(line) for line in across}
    rest = [line for line in lines if id(line) not in aside]
    ordered: list[Column] = []
    block: list[Line] = []  # lines that run across, with nothing between them
    for border in [*across, None]:
        band = [line for line in rest if border is None or _centre(line) < _centre(border)]
        rest = [line for line in rest if border is not None and _centre(line) >= _centre(border)]
        if band:
            ordered += [_column(block)] if block else []
            block = []
            ordered += columns([line for line in band if line.x0 < gutter], usual)
            ordered += columns([line for line in band if line.x0 >= gutter], usual)
        if border is not None:
            block.append(border)
    return [*ordered, _column(block)] if block else ordered


def _column(lines: Sequence[Line]) -> Column:
    merged = _printed_lines(lines)
    return Column(min(line.x0 for line in merged), max(line.x1 for line in merged), tuple(merged))


def _parts(lines: Sequence[Line], gutter: float) -> bool:
    """Whether enough lines face each other over the gutter."""
    before = [line for line in lines if line.x1 <= gutter]
    after = [line for line in lines if line.x0 >= gutter]
    enough = len(before) >= _SIDE_BY_SIDE and len(after) >= _SIDE_BY_SIDE
    return enough and _facing(before, after) >= _SIDE_BY_SIDE * 10.0


def _across(lines: Sequence[Line], gutter: float) -> list[Line]:
    """The lines that run across the gutter, and the short last lines of what they are part of, from top to bottom."""
    found = sorted((line for line in lines if line.x0 < gutter < line.x1), key=lambda line: line.y0)
    rest = sorted((line for line in lines if not line.x0 < gutter < line.x1), key=lambda line: line.y0)
    for line in rest:
        alone = not any(_same_row(line, other) for other in rest if other is not line)
        if alone and any(_goes_on_below(other, line) for other in found):
            found.append(line)
    return sorted(found, key=lambda line: line.y0)


def _goes_on_below(upper: Line, lower: Line) -> bool:
    return (
        upper.block == lower.block
        and abs(upper.size - lower.size) < 0.5
        and 0.3 * upper.height < lower.y0 - upper.y0 < 1.8 * upper.height
    )


def _centre(line: Line) -> float:
    return (line.y0 + line.y1) / 2


def _gutter(lines: Sequence[Line]) -> float | None:
    """The x of the best gutter that parts the lines in two, None where they are one column."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    width = right - left
    best: tuple[float, float] | None = None
    for candidate in sorted({line.x0 for line in lines if line.x0 > left + 0.15 * width}):
        x = candidate - 1.0
        before = [line for line in lines if line.x1 <= x - _GUTTER + 1.0]
        after = [line for line in lines if line.x0 >= x]
        if len(before) < _SIDE_BY_SIDE or len(after) < _SIDE_BY_SIDE:
            continue
        across = [line for line in lines if line.x0 < x < line.x1]
        near = len(lines) - len(before) - len(after) - len(across)
        facing = _facing(before, after)
        if facing < _SIDE_BY_SIDE * 10.0:
            continue
        score = (
            facing
            - sum(line.height for line in across)
            - 2 * sum(line.height for line in lines) * near / len(lines)
        )
        if score > 0 and (best is None or score > best[0]):
            best = score, x
    return best[1] if best else None


def _facing(before: Sequence[Line], after: Sequence[Line]) -> float:
    """Points of height over which lines stand on both sides: of the lines on the sparser side."""
    top = max(min(line.y0 for line in before), min(line.y0 for line in after))
    foot = min(max(line.y1 for line in before), max(line.y1 for line in after))
    return min(
        sum(line.height for line in before if top - 1 <= line.y0 and line.y1 <= foot + 1),
        sum(line.height for line in after if top - 1 <= line.y0 and line.y1 <= foot + 1),
    )


def _printed_lines(lines: Sequence[Line]) -> list[Line]:
    """The fragments of each printed line as one line, from top to bottom."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (_centre(line), line.x0)):
        row = rows[-1] if rows else None
        if row and any(_same_row(line, other) for other in row):
            row.append(line)
        else:
            rows.append([line])
    return [_merged(sorted(row, key=lambda line: line.x0)) for row in rows]


def _same_row(a: Line, b: Line) -> bool:
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    apart = a.x0 >= b.x1 - 2 or b.x0 >= a.x1 - 2
    return apart and shared > 0.5 * min(a.height, b.height)


def _merged(row: list[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    main = max(row, key=lambda line: sum(len(word.text) for word in line.words))
    words: list[Word] = []
    for place, line in enumerate(row):
        beside = row[max(0, place - 1) : place] + row[place + 1 : place + 2]
        first, *others = _as_superscript(line.words) if _is_superscript(line, beside) else line.words
        if words and first.x0 - words[-1].x1 < _GLUE * max(first.size, words[-1].size):
            last = words[-1]
            words[-1] = last._replace(
                text=last.text + first.text,
                x0=min(last.x0, first.x0),
                y0=min(last.y0, first.y0),
                x1=max(last.x1, first.x1),
                y1=max(last.y1, first.y1),
                raised=last.raised + tuple(len(last.text) + at for at in first.raised),
            )
        else:
            words.append(first)
        words += others
    x0, y0, x1, y1 = bounds(words)
    return replace(main, x0=x0, y0=y0, x1=x1, y1=y1, words=tuple(words))


def _is_superscript(line: Line, beside: Sequence[Line]) -> bool:
    """Whether the whole fragment is a superscript at a fragment next to it."""
    return any(
        is_superscript(len(line.text), line.size, line.baseline, other.size, other.baseline)
        and max(line.x0 - other.x1, other.x0 - line.x1) < _SUPERSCRIPT_GAP * other.size
        for other in beside
    )


def _as_superscript(words: Sequence[Word]) -> list[Word]:
    return [word._replace(raised=(0, len(word.text))) for word in words]
