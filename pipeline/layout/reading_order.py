"""Reading order: a page's lines column by column, around what runs across columns, with zones apart."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby

from pipeline.layout import measures
from pipeline.layout.zones import Zone, around, long_rules
from pipeline.pdf.reading import Line, Rectangle

_GUTTER = 5.0  # Points: the least white between two columns; flat
_LONG_RULE = 1.5  # Times the width of lines: a wider rule parts the columns above it from those below.
_WHITE_BELOW = 0.9  # Line heights: the most white between two lines of one block; 1.25x: exact -.004

_OVERLAP = 0.2  # flat
"""Line heights by which the middle of the next line may be above the lower edge of a line."""

_SAME_ROW = 0.5  # flat
"""Line heights by which the upper edges of lines beside each other may differ, and by which a block may begin
above the lower edge of the last line of its column."""

_LARGER = 1.25  # Times the size of a line: what is as large above or below it is a heading.

_NEARLY = 0.01  # Points by which the edge of a block may reach into a gutter; flat

_SAME_EDGES = 0.7  # flat
"""Share of the wider one's width that two blocks of one column have in common, at least."""

_SAME_LEFT = 20.0  # Points by which the left edges of two blocks of one column may differ; flat

_WITHIN = 0.9  # 1.25x: precision -.012, sections -.019
"""Share of the narrower one's width that two blocks of one column have in common, at least."""

_FEW_LINES = 2  # Lines of a block, at most, that does not show how wide its column is; flat

_HANGING_OUT = 20
"""One line in so many may hang out of its column: a bracket before a line of Japanese, or a word that was not
broken. Were it the column's edge, all other lines would be indented, or short."""


@dataclass(frozen=True)
class TextColumn:
    """Printed lines from top to bottom, between two edges (points); their `zone`, None for running text."""

    x0: float
    x1: float
    lines: tuple[Line, ...]
    zone: Zone | None = None

    @property
    def boxed(self) -> bool:
        """Whether it is running text in a box."""
        return self.zone is not None and not self.zone.kind


@dataclass(frozen=True)
class _Block:
    """Lines that stand right below one another, or a zone."""

    box: Rectangle
    lines: tuple[Line, ...]
    zone: Zone | None = None


def columns(
    lines: Sequence[Line], zones: Sequence[Zone] = (), drawings: Sequence[Rectangle] = ()
) -> list[TextColumn]:
    """Return the columns of one page in reading order: its running text, and each zone as a column.

    Running text in a box has columns of its own. Long rules among the `drawings` part the stories of a
    newspaper, whose columns may be as wide.
    """
    boxes = [zone.box for zone in zones if not zone.kind]
    blocks = [*_blocks(lines, boxes), *(_Block(zone.box, zone.lines, zone) for zone in zones)]
    long = long_rules(drawings)
    least = _LONG_RULE * measures.line_width(lines) if long else 0.0
    rules = [_Block(box, ()) for box in long if box.width > least > 0]
    ordered = [block for block in _ordered([*blocks, *rules]) if block.lines]
    return [part for column in _columns(ordered) for part in _in_box(column)]


def _in_box(column: TextColumn) -> list[TextColumn]:
    if not column.boxed:
        return [column]
    return [replace(part, zone=column.zone) for part in columns(column.lines)]


def _blocks(lines: Sequence[Line], boxes: Sequence[Rectangle]) -> list[_Block]:
    """Return the chains of lines that have one line above and one below each; a box beside them ends one."""
    ordered = sorted(lines, key=lambda line: line.y0)
    below = _lines_below(ordered)
    above: list[list[int]] = [[] for _ in ordered]
    for place, others in enumerate(below):
        for other in others:
            above[other].append(place)
    chains: list[list[Line]] = []
    chain_of: list[list[Line]] = []  # by the place of the line
    for place, line in enumerate(ordered):
        if len(above[place]) == 1 and len(below[above[place][0]]) == 1:
            chain = chain_of[above[place][0]]
        else:
            chain = []
            chains.append(chain)
        chain.append(line)
        chain_of.append(chain)
    parts = [
        tuple(part)
        for chain in chains
        for _, part in groupby(chain, key=lambda line: [box.y0 < line.middle < box.y1 for box in boxes])
    ]
    return [_Block(around(part), part) for part in parts]


def _lines_below(ordered: Sequence[Line]) -> list[list[int]]:
    """Return the places of the lines right below each; the lines are given from top to bottom."""
    tops = [line.y0 for line in ordered]
    out: list[list[int]] = []
    for place, line in enumerate(ordered):
        found: list[int] = []
        lowest = float("inf")  # of the upper edges of lines beside the nearest one
        for other in range(place + 1, bisect_left(tops, line.y1 + _WHITE_BELOW * line.height)):
            candidate = ordered[other]
            aside = candidate.x0 >= line.x1 or candidate.x1 <= line.x0
            if aside or candidate.middle < line.y1 - _OVERLAP * line.height:
                continue
            if candidate.y0 > lowest:
                break
            if _crosses_gutter(line, candidate):
                continue
            if not found:
                lowest = candidate.y0 + _SAME_ROW * candidate.height
            found.append(other)
        out.append(found)
    return out


def _crosses_gutter(line: Line, below: Line) -> bool:
    """Whether one is in much larger print, and reaches out of the other: a heading above two columns."""
    small, large = sorted((line.size, below.size))
    left, right = below.x0 - line.x0, line.x1 - below.x1
    return large >= _LARGER * small and left * right < -measures.TOUCH


def _ordered(blocks: Sequence[_Block]) -> list[_Block]:
    """Return the blocks in reading order: columns from left to right, what runs across them in its place."""
    if len(blocks) <= 1:
        return list(blocks)
    if gaps := _white(blocks, *_edges(blocks)):
        return [block for part in _divided(blocks, gaps) for block in _ordered(part)]
    strips = _strips(blocks)
    if len(strips) > 1:
        groups = _grouped(strips)
        return [block for group in groups for block in (_ordered(group) if len(groups) > 1 else _down(group))]
    return _down(blocks)


def _down(blocks: Iterable[_Block]) -> list[_Block]:
    return sorted(blocks, key=lambda block: (block.box.y0, block.box.x0))


def _divided(blocks: Iterable[_Block], gaps: Sequence[tuple[float, float]]) -> list[list[_Block]]:
    parts: list[list[_Block]] = [[] for _ in range(len(gaps) + 1)]
    edges = [begin for begin, _ in gaps]
    for block in blocks:
        parts[bisect_left(edges, block.box.x1 - _NEARLY)].append(block)
    return parts


def _strips(blocks: Iterable[_Block]) -> list[list[_Block]]:
    """Return the blocks in horizontal strips, from top to bottom; no block is in two of them."""
    out: list[list[_Block]] = []
    reach = 0.0
    for block in sorted(blocks, key=lambda block: block.box.y0):
        if not out or block.box.y0 > reach - measures.TOUCH:
            out.append([])
            reach = block.box.y1
        out[-1].append(block)
        reach = max(reach, block.box.y1)
    return out


def _grouped(strips: Sequence[list[_Block]]) -> list[list[_Block]]:
    """Return the strips, united where neighbours share a vertical white stripe, and so their columns."""
    left, right = _edges(chain.from_iterable(strips))
    groups: list[list[_Block]] = []
    common: list[tuple[float, float]] = []
    for strip in strips:
        white = _white(strip, left, right)
        shared = [
            (max(a, c), min(b, d)) for a, b in common for c, d in white if min(b, d) - max(a, c) >= _GUTTER
        ]
        if shared and groups:
            groups[-1] += strip
            common = shared
        else:
            groups.append(list(strip))
            common = white
    return groups


def _edges(blocks: Iterable[_Block]) -> tuple[float, float]:
    lefts, rights = zip(*((block.box.x0, block.box.x1) for block in blocks), strict=True)
    return min(lefts), max(rights)


def _white(strip: Iterable[_Block], left: float, right: float) -> list[tuple[float, float]]:
    """Return the vertical white stripes between two edges and the blocks of a strip, from left to right."""
    out: list[tuple[float, float]] = []
    reach = left
    for block in sorted(strip, key=lambda block: block.box.x0):
        if block.box.x0 - reach >= _GUTTER:
            out.append((reach, block.box.x0))
        reach = max(reach, block.box.x1)
    return [*out, (reach, right)] if right - reach >= _GUTTER else out


class _Run:
    """Blocks between the same edges that follow one another downwards."""

    def __init__(self, block: _Block) -> None:
        self.blocks: list[_Block] = []
        self.zone = block.zone
        self.lines = 0
        self.edges = block.box.x0, block.box.x1
        """Not those of its short blocks, which may be headings, if it has others."""
        self._has_wide = False
        self.append(block)

    def append(self, block: _Block) -> None:
        left, right = block.box.x0, block.box.x1
        is_wide = len(block.lines) > _FEW_LINES
        if is_wide and not self._has_wide:
            self._has_wide, self.edges = True, (left, right)
        elif is_wide == self._has_wide:
            self.edges = min(self.edges[0], left), max(self.edges[1], right)
        self.blocks.append(block)
        self.lines += len(block.lines)

    @cached_property
    def usual_edges(self) -> tuple[float, float]:
        """The edges of the column, beyond which few lines hang out."""
        wide = [block for block in self.blocks if len(block.lines) > _FEW_LINES] or self.blocks
        lines = [line for block in wide for line in block.lines]
        out = len(lines) // _HANGING_OUT
        return sorted(line.x0 for line in lines)[out], sorted(line.x1 for line in lines)[-1 - out]


def _columns(blocks: Sequence[_Block]) -> list[TextColumn]:
    """Return the columns: blocks that follow one another downwards between the same edges."""
    out: list[_Run] = []
    for block in blocks:
        if out and not (block.zone or out[-1].zone) and _goes_on(out[-1], block):
            out[-1].append(block)
        else:
            out.append(_Run(block))
    return [
        TextColumn(*run.usual_edges, tuple(line for block in run.blocks for line in block.lines), run.zone)
        for run in out
    ]


def _goes_on(run: _Run, block: _Block) -> bool:
    last = run.blocks[-1]
    if block.box.y0 < last.box.y1 - _SAME_ROW * last.lines[-1].height:
        return False
    x0, x1 = run.edges
    shared = min(x1, block.box.x1) - max(x0, block.box.x0)
    width, other = x1 - x0, block.box.width
    if shared < _WITHIN * min(width, other):
        return False
    if len(block.lines) > _FEW_LINES < run.lines:
        return abs(block.box.x0 - x0) <= _SAME_LEFT and shared >= _SAME_EDGES * max(width, other)
    narrower = len(block.lines) if other < width else run.lines
    return shared >= _SAME_EDGES * max(width, other) or narrower <= _FEW_LINES
