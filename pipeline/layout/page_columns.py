"""Page columns: the strips of white that run down a page, found once, before its lines are joined.

A strip is grown from the white between two fragments of a row, up and down, until a line crosses it. Line
merging joins no words over one that divides lines, and reading order goes down at its left side, then at its
right. Those of a page's neighbours count, too: pages of the same parity have the same columns.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import inf
from operator import itemgetter
from typing import NamedTuple

from lookup.text.scripts import FULL_STOPS
from pipeline.layout.captions import is_label
from pipeline.layout.line_features import line_says, of_line
from pipeline.layout.list_marks import BULLETS, printed_mark
from pipeline.layout.measures import LEAST_SIZE, SAME_EDGE, SAME_PLACE, SAME_ROW, SAME_SIZE, TOUCH
from pipeline.layout.zones import is_of_formula
from pipeline.pdf.reading import Line

GLUE = 0.12  # flat
"""Em: fragments closer than this are one word, cut by a change of font (a superscript, say)."""

WORD_SPACE = 0.7  # 1.25x: exact -.004, precision -.006
"""Em: fragments closer than this are of one line, whatever stands above and below."""

REACH = 16.0  # Line heights, up and down, in which lines beside white are looked at; flat
_LEAST_GUTTER = 0.5  # Em: the least width of the white between columns.
_MANY = 8  # Rows that white divides, at least, to be a gutter of the pages around it, too.
_MOST_STRIPS = 200  # Of a page: tables and figures have 60.
_PAGES_NEAR = 2  # Pages before and after whose gutters count: pages of the same parity have the same.
_COLUMN = 5  # Rows at one side of white, at least, that are a column, whatever stands beside it.
GUTTER, COLUMNS = 3, 2
"""Rows that white divides, at least, to be a gutter; where one is near, or both sides are drawn apart."""

_TITLE, _HEADS_WITHIN = 1.5, 3.0
"""Times the size of the text, at least, of a title above columns; and its heights in which these begin."""

_OVERFULL = 8.0  # Em by which a line that was set too long goes into the next column, at most.

_ROW = 0.5  # flat
"""Em: lines whose middles are in one step of this height are one row; and line heights to the next row."""

_BESIDE = 100.0  # flat
"""Points to either side of the white in which lines above and below are looked at."""

_WOVEN, _ONE_BASELINE = 1.5, 0.02
"""Em by which fragments of one line may overlap, where the first ends with the upper part of a fraction or
the upper limit of a sum, and by which the baselines of their text may differ."""

_OVER_EACH_OTHER = 0.6  # Share of the first one's width by which they may: a ring around a letter has more.

_OFF_BASELINE = 0.25  # flat
"""Em by which the baselines of two fragments of text in one row may differ."""

_TEXT = 4  # flat
"""Words of two letters or more of a fragment that is text, not a mark, a number or a formula."""


_SECTION = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){1,5}\.?")
"""The number of a heading, which stands apart from its title."""

_MARK = re.compile(rf"[{BULLETS}–—*-]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{1,4}})[.)]|\[\d{{1,3}}\]")
"""The mark of a list, which stands apart from its item."""


class Strip(NamedTuple):
    """White between two edges, and between the lines that cross it above and below, points.

    `divides` is how many rows of lines stand at both of its sides.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    divides: int

    @property
    def ends(self) -> bool:
        """Whether a line crosses it above or below."""
        return self.y0 > -inf or self.y1 < inf

    @property
    def middle(self) -> float:
        """The x between its edges."""
        return (self.x0 + self.x1) / 2

    def ends_between(self, lines: Sequence[Line], below: Line) -> bool:
        """Whether a column ends beside it, with a stop, and the line below is the first that crosses it."""
        if not below.x0 < self.middle < below.x1 or len(lines) < 2:
            return False
        last = lines[-2:]
        beside = all(one.x1 <= self.middle or one.x0 >= self.middle for one in last)
        return beside and last[-1].middle < self.y1 <= below.middle and last[-1].text[-1] in FULL_STOPS

    def shares(self, other: "Strip") -> bool:
        """Whether two strips have white in common."""
        return min(self.x1, other.x1) - max(self.x0, other.x0) > SAME_PLACE


class PageColumns:
    """The fragments of a page by height, and the strips of white between them.

    `right` has the place of the next fragment in the row of each, `strip_of` the strip between the two where
    their white is wider than a space. `gutters` are the strips that divide many rows, of this page and, as
    `find_columns` gives it, of those around it.
    """

    def __init__(self, fragments: Sequence[Line], *, recognised: bool = False) -> None:
        """Take the fragments of a page; if OCR recognised them, their baselines say nothing."""
        self.fragments = fragments
        self.recognised = recognised
        self._order = sorted(range(len(fragments)), key=lambda place: fragments[place].middle)
        self._left = min([one.x0 for one in fragments], default=0.0)
        self._middles = [fragments[place].middle for place in self._order]
        self._rows = [round(one.middle / (_ROW * max(one.size, LEAST_SIZE))) for one in fragments]
        self.right = [self._right_of(place) for place in range(len(fragments))]
        self.strips: list[Strip] = []
        self.strip_of: dict[int, Strip] = {}
        for place in self._order:
            right = self.right[place]
            if right is not None and self._is_wide(place, right) and len(self.strips) < _MOST_STRIPS:
                self.strip_of[place] = self._strip(place, right)
        self.gutters = [strip for strip in self.strips if strip.divides >= _MANY]
        for place, right in enumerate(self.right if self.gutters else ()):
            # The titles of two stories have spaces as wide as the gutter between them.
            if right is not None and (gutter := self._known(self.gutters, place, right)):
                self.strip_of[place] = gutter

    def places_between(self, top: float, foot: float) -> Sequence[int]:
        """Return the places of the fragments whose middles are between two heights, from top to bottom."""
        return self._order[bisect_left(self._middles, top) : bisect_right(self._middles, foot)]

    def _right_of(self, place: int) -> int | None:
        """Return the place of the nearest fragment to the right in the same row."""
        fragments, fragment = self.fragments, self.fragments[place]
        x0, top, x1, foot = fragment.x0, fragment.y0, fragment.x1, fragment.y1
        edge, woven = x1 - SAME_PLACE, x1 - _WOVEN * fragment.size
        beside = [
            (one.x0, other)
            for other in self.places_between(top - fragment.height, foot + fragment.height)
            if (one := fragments[other]).x0 > x0
            and (one.x0 >= edge or (one.x0 > woven and one.x1 > x1))
            and one.y0 < foot
            and one.y1 > top
        ]
        beside.sort(key=itemgetter(0))
        off = inf if self.recognised else _OFF_BASELINE
        return next((other for _, other in beside if same_row(fragment, fragments[other], off)), None)

    def _is_wide(self, left: int, right: int) -> bool:
        """Whether the white between two neighbours may be a gutter.

        That between words of a line is narrow, but columns of which each is drawn by itself may be near.
        """
        one, other = self.fragments[left], self.fragments[right]
        white, sizes = other.x0 - one.x1, (one.size, other.size)
        if self.are_drawn_apart(left, right):
            return white > GLUE * max(sizes)
        return white > WORD_SPACE * min(sizes)

    def are_drawn_apart(self, left: int, right: int) -> bool:
        """Whether two neighbours of several words are not drawn one after the other."""
        return right != left + 1 and is_text(self.fragments[left]) and is_text(self.fragments[right])

    def _known(self, strips: Sequence[Strip], left: int, right: int) -> Strip | None:
        """Return the first of some strips that runs down between two neighbours."""
        one, other = self.fragments[left], self.fragments[right]
        middle, x0, x1 = (one.middle + other.middle) / 2, one.x1 - TOUCH, other.x0 + TOUCH
        for strip in strips:
            if strip.y0 < middle < strip.y1 and x0 <= strip.x0 and strip.x1 <= x1:
                return strip
        return None

    def _strip(self, left: int, right: int) -> Strip:
        """Return the white between two neighbours, as far up and down as no line crosses it."""
        one, other = self.fragments[left], self.fragments[right]
        x0, x1, white = one.x1, other.x0, other.x0 - one.x1
        middle, height = (one.middle + other.middle) / 2, min(one.height, other.height)
        if known := self._known(self.strips, left, right):
            return known
        least = min(_LEAST_GUTTER * min(one.size, other.size), white)
        title = _TITLE * max(one.size, other.size)
        before, after = {self._rows[left]}, {self._rows[right]}
        above = self.places_between(-inf, middle - _ROW * height)
        below = self.places_between(middle + _ROW * height, inf)
        reach = [-inf, inf]
        for side, way in enumerate((reversed(above), below)):
            for place in way:
                near = self.fragments[place]
                # A line may be longer than the first, or begin before it.
                begins, ends = max(x0, near.x1), min(x1, near.x0)
                wider = (begins, x1) if x1 - begins >= ends - x0 else (x0, ends)
                narrow = wider[1] - wider[0] < least
                if (narrow and not self._is_overfull(near, x1)) or (
                    near.size >= title and self._heads_columns(near, x0, x1)
                ):
                    reach[side] = near.y0 if side else near.y1
                    break
                if not narrow:
                    x0, x1 = wider
                if near.x1 <= x0 < near.x1 + _BESIDE:
                    before.add(self._rows[place])
                elif near.x0 >= x1 > near.x0 - _BESIDE:
                    after.add(self._rows[place])
        few, many = sorted((len(before), len(after)))
        is_column = few > 1 and many >= _COLUMN and not is_any_mark(one)
        found = Strip(x0, reach[0], x1, reach[1], max(few, GUTTER) if is_column else few)
        self.strips.append(found)
        return found

    def _is_overfull(self, line: Line, edge: float) -> bool:
        near = self.places_between(line.y0 - line.height, line.y1 + line.height)
        return is_overfull(line, edge, map(self.fragments.__getitem__, near))

    def _heads_columns(self, line: Line, x0: float, x1: float) -> bool:
        """Whether a title is alone at the left, and columns beside white begin below it at one height."""
        if line.x0 > self._left + SAME_EDGE or len(self.places_between(line.y0, line.y1)) > 1:
            return False
        near = self.places_between(line.y1, line.y1 + _HEADS_WITHIN * line.height)
        below = [one for one in map(self.fragments.__getitem__, near) if _TITLE * one.size <= line.size]
        tops = [[one.y0 for one in below if one.x1 <= x0], [one.y0 for one in below if one.x0 >= x1]]
        return all(tops) and abs(min(tops[0]) - min(tops[1])) <= line.height / 2

    def follows_marks(self, left: int, right: int, strip: Strip) -> bool:
        """Whether a fragment left of a strip, and what ends there near it, are marks and numbers alone.

        Numbers without a stop count the paragraphs, in their print; those of lines are as many as these.
        """
        one, reach = self.fragments[left], REACH * self.fragments[left].height
        counts = one.text.isdecimal() and abs(one.size - self.fragments[right].size) <= SAME_SIZE
        if not (counts or is_any_mark(one)):
            return False
        near = map(self.fragments.__getitem__, self.places_between(one.middle - reach, one.middle + reach))
        beside = [other for other in near if strip.y0 < other.middle < strip.y1 and one.x0 < other.x1]
        marks = [other for other in beside if other.x1 <= strip.x0 + TOUCH]
        if not counts:
            return all(map(is_any_mark, marks))
        numbers = [int(other.text) if other.text.isdecimal() else 0 for other in marks]
        on = sum(after in (before + 1, 1) for before, after in pairwise(numbers))
        after = sum(abs(other.x0 - strip.x1) <= TOUCH for other in beside)
        return all(numbers) and 0 < len(numbers) - 1 == on and after > len(numbers)


def find_columns(pages: Iterable[tuple[Sequence[Line], bool]]) -> list[PageColumns]:
    """Return the columns of pages: the fragments of each, and whether they were recognised by OCR."""
    found = [PageColumns(fragments, recognised=recognised) for fragments, recognised in pages]
    gutters = [page.gutters for page in found]
    for place, page in enumerate(found):
        near = gutters[max(0, place - _PAGES_NEAR) : place + _PAGES_NEAR + 1]
        page.gutters = [gutter for of_page in near for gutter in of_page]
    return found


def is_overfull(line: Line, edge: float, near: Iterable[Line]) -> bool:
    """Whether a line was set too long: it goes on into the next column, which begins at an `edge`.

    It does so over lines there, or its own column goes on above and below it. `near` are the lines around it.
    """
    if not edge <= line.x1 < edge + _OVERFULL * line.size or not is_text(line):
        return False
    ends = [one for one in near if one.size == line.size and one is not line]
    beside = [one for one in ends if edge - TOUCH <= one.x0 < line.x1]
    if any(one.y0 < line.middle < one.y1 for one in beside):
        return True
    if not any(one.x1 > line.x1 + _OVERFULL * line.size for one in beside):
        return False
    own = [one.middle for one in ends if abs(one.x0 - line.x0) < 2 * line.size and one.x1 <= edge]
    return bool(own) and min(own) < line.middle < max(own)


def same_row(a: Line, b: Line, off: float = _OFF_BASELINE) -> bool:
    """Whether two fragments stand side by side on one baseline, not on two that overlap in height."""
    if min(a.y1, b.y1) - max(a.y0, b.y0) <= SAME_ROW * min(a.height, b.height):
        return False
    if a.x0 < b.x1 - SAME_PLACE and b.x0 < a.x1 - SAME_PLACE:
        return off < inf and _weave(a, b)
    return abs(a.baseline - b.baseline) <= off * a.size or not (is_text(a) and is_text(b))


def _weave(a: Line, b: Line) -> bool:
    """Whether the second goes on where the first ends: with what stands below a fraction bar, or at a sum."""
    size = max(a.size, b.size)
    if a.x1 - b.x0 > min(_WOVEN * size, _OVER_EACH_OTHER * a.width):
        return False
    return abs(a.baseline - b.baseline) <= _ONE_BASELINE * size or is_of_formula(a)


is_section_number = line_says("number of a section", _SECTION.fullmatch)
"""Whether a fragment is the number of a heading or of a clause alone."""


@of_line("mark alone")
def is_mark(line: Line) -> bool:
    """Whether a fragment is the mark of a list alone."""
    return len(line.words) == 1 and _MARK.fullmatch(printed_mark(line)) is not None


def is_any_mark(line: Line) -> bool:
    """Whether a fragment is the mark of an item, the number of a heading, or the label of a caption alone."""
    return is_mark(line) or is_section_number(line) or is_label(line)


def is_text(line: Line) -> bool:
    """Whether a fragment is text, not a mark, a number or a formula."""
    return len(line.words) >= _TEXT <= words_of_text(line)


@of_line("words of text")
def words_of_text(line: Line) -> int:
    """Return how many words of two letters or more a fragment has."""
    return sum([word[:2].isalpha() and len(word) > 1 for word in line.text.split(" ")])
