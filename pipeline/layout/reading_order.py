"""Reading order: a page's lines column by column, around what runs across columns, with zones apart."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from pipeline.layout import measures
from pipeline.layout.page_columns import GUTTER, Strip, is_overfull
from pipeline.layout.zones import Zone, around, long_rules
from pipeline.pdf.reading import Line, Rectangle

_LONG_RULE = 1.5  # Times the width of lines: a wider rule parts the columns above it from those below.
_WHITE_BELOW = 0.9  # Line heights: the most white between two lines of one block; 1.25x: exact -.004

_OVERLAP = 0.2  # flat
"""Line heights by which the middle of the next line may be above the lower edge of a line."""

_SAME_ROW = 0.5  # flat
"""Line heights by which the upper edges of lines beside each other may differ, and by which a block may begin
above the lower edge of the last line of its column."""

_LARGER = 1.25  # Times the size of a line: what is as large above or below it is a heading.

_SAME_EDGES = 0.7  # flat
"""Share of the wider one's width that two blocks of one column have in common, at least."""

_SAME_LEFT = 20.0  # Points by which the left edges of two blocks of one column may differ; flat

_WITHIN = 0.9  # 1.25x: precision -.012, sections -.019
"""Share of the narrower one's width that two blocks of one column have in common, at least."""

_FEW_LINES = 2  # Lines of a block, at most, that does not show how wide its column is; flat

_LAST_BLOCKS = 20  # Blocks of a column that show how wide it is, at most.

_TALL = 8  # Blocks of a page, the highest ones, that something may be set into.

_SET_IN = 4.0  # Times what it is set in by: what is set into lines is no higher.

_MIDDLE = attrgetter("middle")

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

    def beside(self, strip: Strip) -> bool:
        """Whether it ends between the lines that cross a strip above and below."""
        return strip.y0 < (self.lines[-1].middle if self.lines else self.box.y1) < strip.y1

    def side(self, strip: Strip) -> bool | None:
        """Return whether it stands right of a strip, not left; None where it crosses it.

        The box of a zone has some white around it.
        """
        left, right = (strip.x0, strip.x1) if self.zone else (strip.middle, strip.middle)
        if self.box.x0 >= left:
            return True
        return False if self.box.x1 <= right else None

    def holds(self, other: "_Block") -> bool:
        """Whether it goes on above and below what stands in its box."""
        (x0, y0, x1, y1), box = self.box, other.box
        return y0 < box.y0 and box.y1 < y1 and min(x1, box.x1) - max(x0, box.x0) > box.height / _SET_IN


def columns(
    lines: Sequence[Line],
    strips: Sequence[Strip] = (),
    zones: Sequence[Zone] = (),
    drawings: Sequence[Rectangle] = (),
) -> list[TextColumn]:
    """Return the columns of one page in reading order: its running text, and each zone as a column.

    `strips` are the white between them (`page_columns`). Running text in a box has columns of its own. Long
    rules among the `drawings` part the stories of a newspaper, whose columns may be as wide.
    """
    boxes = [zone.box for zone in zones if not zone.kind]
    cut = _within_columns(lines, strips)
    whole = {id(short): line for short, line in zip(cut, lines, strict=True)}
    blocks = [
        *_blocks(cut, boxes, [strip for strip in strips if strip.divides >= GUTTER]),
        *(_Block(zone.box, zone.lines, zone) for zone in zones),
    ]
    long = long_rules(drawings)
    least = _LONG_RULE * measures.line_width(lines) if long else 0.0
    blocks += [_Block(box, ()) for box in long if box.width > least > 0]
    blocks.sort(key=lambda block: (block.box.y0, block.box.x0))
    ordered = [block for block in _with_set_in(blocks, strips) if block.lines]
    found = [part for column in _columns(ordered) for part in _in_box(column, strips)]
    return [
        replace(column, lines=tuple([whole.get(id(one), one) for one in column.lines])) for column in found
    ]


def _within_columns(lines: Sequence[Line], strips: Sequence[Strip]) -> list[Line]:
    """Return the lines, each that goes on into the next column as if it ended where its own does."""
    found = []
    by_middle = sorted(lines, key=_MIDDLE)
    for line in lines:
        crossed = [strip for strip in strips if line.x0 < strip.x0 < strip.x1 < line.x1]
        start = bisect_right(by_middle, line.middle - 2 * line.height, key=_MIDDLE) if crossed else 0
        end = bisect_left(by_middle, line.middle + 2 * line.height, key=_MIDDLE) if crossed else 0
        over = [strip for strip in crossed if is_overfull(line, strip.x1, by_middle[start:end])]
        found.append(replace(line, x1=over[0].x0) if over else line)
    return found


def _in_box(column: TextColumn, strips: Sequence[Strip]) -> list[TextColumn]:
    if not column.boxed:
        return [column]
    return [replace(part, zone=column.zone) for part in columns(column.lines, strips)]


def _with_set_in(blocks: Sequence[_Block], strips: Sequence[Strip]) -> list[_Block]:
    """Return blocks in reading order; what is set into the lines of one, as a pull quote, comes after it.

    The gutter that it interrupts goes on above and below.
    """
    tall = sorted((block for block in blocks if not block.zone), key=lambda block: block.box.height)[-_TALL:]
    within = {
        place: at for at, host in enumerate(tall) for place, one in enumerate(blocks) if host.holds(one)
    }
    if not within:
        return _ordered(blocks, strips)
    alike = ((strip, [*filter(strip.shares, strips)]) for strip in strips)
    whole = [
        strip._replace(y0=min(one.y0 for one in same), y1=max(one.y1 for one in same))
        for strip, same in alike
    ]
    others = [block for place, block in enumerate(blocks) if place not in within]
    after: list[list[_Block]] = [[] for _ in tall]
    for place, at in within.items():
        after[at].append(blocks[place])
    hosts = {id(host): after[at] for at, host in enumerate(tall)}
    ordered = [each for block in _ordered(others, whole) for each in (block, *hosts.pop(id(block), ()))]
    return [*ordered, *(block for left in hosts.values() for block in left)]


def _ordered(blocks: Sequence[_Block], strips: Sequence[Strip]) -> list[_Block]:
    """Return blocks, which are given from top to bottom, in reading order.

    Where a strip runs down between some of them, what is left of it comes before what is right of it; what
    crosses it comes before or after both. The longest strip decides first.
    """
    runs = [(run, strip) for strip in strips for run in _divided(blocks, strip)]
    if not runs:
        return [*blocks]
    (_, start, end), strip = max(runs, key=lambda found: found[0][0])
    left, right = ([one for one in blocks[start:end] if one.side(strip) is side] for side in (False, True))
    able = [*dict.fromkeys(strip for _, strip in runs)]
    return [one for part in (blocks[:start], left, right, blocks[end:]) for one in _ordered(part, able)]


def _divided(blocks: Sequence[_Block], strip: Strip) -> Iterator[tuple[float, int, int]]:
    """Yield the runs of blocks at both sides of a strip that none of them crosses.

    Of each: how high it is, and the places where it begins and ends.
    """
    start = 0
    sides: set[bool] = set()
    for place in range(len(blocks) + 1):
        is_beside = place < len(blocks) and blocks[place].beside(strip)
        if is_beside and (side := blocks[place].side(strip)) is not None:
            sides.add(side)
            continue
        if len(sides) > 1:
            foot = min(strip.y1, max(block.box.y1 for block in blocks[start:place]))
            yield foot - max(strip.y0, blocks[start].box.y0), start, place
        start, sides = place + 1, set()


def _blocks(lines: Sequence[Line], boxes: Sequence[Rectangle], gutters: Sequence[Strip]) -> list[_Block]:
    """Return the chains of lines that have one line above and one below each.

    A box beside them ends one, and so does a gutter: what runs below it across columns is of none of them.
    """
    ordered = sorted(lines, key=attrgetter("y0"))
    pairs = [*_one_below_another(ordered)]
    above, below = Counter(lower for _, lower in pairs), Counter(upper for upper, _ in pairs)
    head = {lower: upper for upper, lower in pairs if above[lower] == below[upper] == 1}
    chains: list[list[Line]] = [[] for _ in ordered]
    for place, line in enumerate(ordered):
        if place in head and not any(one.ends_between(chains[head[place]], line) for one in gutters):
            chains[place] = chains[head[place]]
        else:
            head.pop(place, None)
        chains[place].append(line)
    parts = [
        tuple(part)
        for place, chain in enumerate(chains)
        if place not in head
        for _, part in groupby(chain, key=lambda line: [box.y0 < line.middle < box.y1 for box in boxes])
    ]
    return [_Block(around(part), part) for part in parts]


def _one_below_another(ordered: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yield the places of lines, which are given from top to bottom, with those of the lines right below."""
    tops = [line.y0 for line in ordered]
    for place, line in enumerate(ordered):
        near = range(place + 1, bisect_left(tops, line.y1 + _WHITE_BELOW * line.height))
        found = [other for other in near if _is_over(line, ordered[other])]
        lowest = tops[found[0]] + _SAME_ROW * ordered[found[0]].height if found else 0.0
        yield from ((place, other) for other in found if tops[other] <= lowest)


def _is_over(line: Line, below: Line) -> bool:
    """Whether a line stands over one below, and is no heading across two columns: larger, and wider."""
    if not (below.x0 < line.x1 and line.x0 < below.x1 and below.middle >= line.y1 - _OVERLAP * line.height):
        return False
    small, large = sorted((line.size, below.size))
    crosses = (below.x0 - line.x0) * (line.x1 - below.x1) < -measures.TOUCH
    return not crosses or large < _LARGER * small


def _columns(blocks: Sequence[_Block]) -> list[TextColumn]:
    """Return the columns: blocks that follow one another downwards between the same edges."""
    runs: list[list[_Block]] = []
    for block in blocks:
        if runs and not (block.zone or runs[-1][0].zone) and _goes_on(runs[-1], block):
            runs[-1].append(block)
        else:
            runs.append([block])
    return [*map(_column, runs)]


def _wide(run: Sequence[_Block]) -> Sequence[_Block]:
    """Return the last blocks of a column but for short ones, which may be headings, if it has others."""
    last = run[-_LAST_BLOCKS:]
    return [block for block in last if len(block.lines) > _FEW_LINES] or last


def _column(run: Sequence[_Block]) -> TextColumn:
    """Return a column of blocks, between edges beyond which few lines hang out."""
    wide = [line for block in _wide(run) for line in block.lines]
    out = len(wide) // _HANGING_OUT
    x0, x1 = sorted([line.x0 for line in wide])[out], sorted([line.x1 for line in wide])[-1 - out]
    return TextColumn(x0, x1, tuple([line for block in run for line in block.lines]), run[0].zone)


def _goes_on(run: Sequence[_Block], block: _Block) -> bool:
    """Whether a block is below those of a column, between the same edges."""
    last = run[-1]
    if block.box.y0 < last.box.y1 - _SAME_ROW * last.lines[-1].height:
        return False
    x0, x1 = min(one.box.x0 for one in _wide(run)), max(one.box.x1 for one in _wide(run))
    shared = min(x1, block.box.x1) - max(x0, block.box.x0)
    width, other = x1 - x0, block.box.width
    if shared < _WITHIN * min(width, other):
        return False
    lines = sum(len(one.lines) for one in run[-_LAST_BLOCKS:])
    if len(block.lines) > _FEW_LINES < lines:
        return abs(block.box.x0 - x0) <= _SAME_LEFT and shared >= _SAME_EDGES * max(width, other)
    narrower = len(block.lines) if other < width else lines
    return shared >= _SAME_EDGES * max(width, other) or narrower <= _FEW_LINES
