"""Line merging: the fragments that a PDF draws side by side become printed lines, never across a gutter."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from math import inf
from typing import NamedTuple

from pipeline.layout.captions import is_label
from pipeline.layout.line_features import line_says, of_line
from pipeline.layout.list_marks import BULLETS, printed_mark
from pipeline.layout.measures import (
    LEAST_SIZE,
    SAME_EDGE,
    SAME_PLACE,
    SAME_ROW,
    SAME_SIZE,
)
from pipeline.layout.zones import is_of_formula
from pipeline.pdf.lines import joined
from pipeline.pdf.reading import Line, Word, bounds
from pipeline.pdf.superscripts import is_superscript

_GLUE = 0.12  # flat
"""Em: fragments closer than this are one word, cut by a change of font (a superscript, say)."""

_SUPERSCRIPT_GAP = 0.5  # flat
"""Em of the larger of the two: the most white between a superscript and what it stands at."""

_WORD_SPACE = 0.7  # 1.25x: exact -.004, precision -.006
"""Em: fragments closer than this are of one line, whatever stands above and below."""

_WIDEST_SPACE = 5.0  # flat
"""Em: the widest space in a justified line."""

_WIDEST_SPACED, _EVEN = 12.0, 0.1
"""Em: the widest space in a line of few words that was spaced out, and by how much its spaces may differ."""

_LONE_SPACE = 1.2  # flat
"""Em: the widest space in a line with nothing above or below to tell by."""

_REACH = 16.0  # Line heights, up and down, in which lines beside white are looked at; flat
_LEAST_GUTTER = 0.5  # Em: the least width of the white between columns.
_MANY = 8  # Rows that white divides, at least, to be a gutter of the pages around it, too.
_PAGES_NEAR = 2  # Pages before and after whose gutters count: pages of the same parity have the same.
_COLUMN = 5  # Rows at one side of white, at least, that are a column, whatever stands beside it.
_GUTTER, _COLUMNS = 3, 2
"""Rows that white divides, at least, to be a gutter; where one is near, or both sides are drawn apart."""

_ROW = 0.5  # flat
"""Em: lines whose middles are in one step of this height are one row; and line heights to the next row."""

_BESIDE = 100.0  # flat
"""Points to either side of the white in which lines above and below are looked at."""

_WOVEN, _ONE_BASELINE = 1.5, 0.02
"""Em by which fragments of one line may overlap, where the first ends with the upper part of a fraction or
the upper limit of a sum, and by which the baselines of their text may differ."""

_OVER_EACH_OTHER = 0.6  # Share of the first one's width by which they may: a ring around a letter has more.

_LARGER = 1.25  # Times the size of words: others as large beside them are of another line.

_OFF_BASELINE = 0.25  # flat
"""Em by which the baselines of two fragments of text in one row may differ."""

_TEXT = 4  # flat
"""Words of two letters or more of a fragment that is text, not a mark, a number or a formula."""

_DROP_CAP = 1.8  # flat
"""Times the size of the text: an initial at least as large, beside several lines, is a drop cap."""

_DROP_CAP_LETTERS = 2  # flat
"""Characters: an opening quotation mark may stand before the letter."""

_DROP_CAP_GAP = 1.5  # flat
"""Em of the text: the most white between a drop cap and the lines beside it."""

_GOES_ON = 2  # 1.25x: captions -.026
"""Rows that the white must divide above or below to be a gutter."""

_SECTION = re.compile(r"(?:\d{1,2}|[A-Z])(?:\.\d{1,2}){1,5}\.?")
"""The number of a heading, which stands apart from its title."""

_MARK = re.compile(rf"[{BULLETS}–—*-]|\(?(?:\d{{1,3}}|[a-zA-Z]|[ivx]{{1,4}})[.)]|\[\d{{1,3}}\]")
"""The mark of a list, which stands apart from its item."""


_INITIAL_GAP = 0.5  # Of its own width: the most white between a large capital and the rest of its word.
_LETTERS_THAT_ARE_WORDS = "AIOEÀÈÓÉYUÁÅÖ"
_AROUND = "“”‘’„‚«»‹›\"'(),.;:"


def merge_pages(pages: Sequence[tuple[Sequence[Line], bool]]) -> Iterator[list[Line]]:
    """Yield the printed lines of each page, each merged from its fragments; in no certain order.

    A page is its fragments, and whether they were recognised by OCR: then their baselines say nothing. The
    gutters of a page count for those around it, two pages before and after it.
    """
    rows = [_Rows(_with_drop_caps(fragments), inf if ocr else _OFF_BASELINE) for fragments, ocr in pages]
    gutters = [one.gutters() for one in rows]
    for place, one in enumerate(rows):
        near = gutters[max(0, place - _PAGES_NEAR) : place + _PAGES_NEAR + 1]
        yield one.lines([gutter for of_page in near for gutter in of_page])


def merge_fragments(fragments: Sequence[Line], *, recognised: bool = False) -> list[Line]:
    """Return the printed lines of one page, each merged from its fragments; in no certain order."""
    (found,) = merge_pages([(fragments, recognised)])
    return found


def _with_drop_caps(fragments: Sequence[Line]) -> Sequence[Line]:
    """Return the fragments, with each drop cap at the head of the uppermost line beside it, or of its own."""
    words = (word.text.strip(_AROUND).casefold() for one in fragments for word in one.words)
    printed = cache(lambda: Counter(words))  # few pages have initials
    fragments = [_with_initial(one, printed) for one in fragments]
    out = dict(enumerate(fragments))
    down = sorted(out, key=lambda place: fragments[place].y0)
    tops = [fragments[place].y0 for place in down]
    for at, cap in enumerate(fragments):
        letter = cap.text.lstrip(_AROUND)
        if len(cap.text) > _DROP_CAP_LETTERS or not letter[:1].isupper() or out.get(at) is not cap:
            continue
        size = max(word.size for word in cap.words)
        beside = [
            place
            for place in down[bisect_left(tops, cap.y0 - cap.size) : bisect_right(tops, cap.y1)]
            if (other := out.get(place))
            and size >= _DROP_CAP * other.size
            and 0 <= other.x0 - cap.x1 + SAME_PLACE <= _DROP_CAP_GAP * other.size
            and cap.y0 - other.size <= other.y0
        ]
        if len(beside) > 1:
            first = out[beside[0]]
            apart = _is_word_of_its_own(letter, first.words[0].text, printed())
            initial = cap.words if apart else (_joined(cap.text.replace(" ", ""), cap.x0, first.words[0]),)
            out[beside[0]] = replace(first, x0=cap.x0, words=(*initial, *first.words[not apart :]))
            del out[at]
    return [*out.values()]


def _joined(text: str, x0: float, word: Word) -> Word:
    """Return a word with an initial at its head, which begins at `x0`."""
    return word._replace(
        text=text + word.text,
        x0=x0,
        superscripts=tuple(len(text) + at for at in word.superscripts),
        printed=text + word.printed if word.printed else "",
    )


def _with_initial(line: Line, printed: Callable[[], Mapping[str, int]]) -> Line:
    """Return a line of which the large letter that it begins with, apart, belongs to the next word."""
    if len(line.words) < 2:
        return line
    cap, word, *others = line.words
    letter = cap.text.lstrip(_AROUND)
    if (
        len(letter) != 1
        or not letter.isupper()
        or cap.size < _DROP_CAP * word.size
        or not word.text[0].islower()
        or word.x0 - cap.x1 > _INITIAL_GAP * (cap.x1 - cap.x0)
        or _is_word_of_its_own(letter, word.text, printed())
    ):
        return line
    return replace(line, words=(_joined(cap.text, cap.x0, word), *others))


def _is_word_of_its_own(letter: str, rest: str, printed: Mapping[str, int]) -> bool:
    """Whether an initial is a word ("A keeper"): what follows is one that the page prints, or part of one.

    `printed` counts the words of the page, in small letters.
    """
    rest = rest.strip(_AROUND).casefold()
    if letter not in _LETTERS_THAT_ARE_WORDS or len(rest) < 2 or letter.casefold() + rest in printed:
        return False
    return printed[rest] > 1 or any(rest + ending in printed for ending in ("s", "es", "d", "ed", "n", "en"))


class Strip(NamedTuple):
    """White between two edges, points, and how many rows of lines it divides.

    `ends` is whether a line crosses it above or below, `marks` whether it follows marks and numbers alone.
    """

    x0: float
    x1: float
    divides: int
    ends: bool
    marks: bool

    def shares(self, other: "Strip") -> bool:
        """Whether two strips have white in common."""
        return min(self.x1, other.x1) - max(self.x0, other.x0) > SAME_PLACE


class _Rows:
    """The fragments of a page by height, to find what stands beside, above and below a fragment."""

    def __init__(self, fragments: Sequence[Line], off: float) -> None:
        self._fragments = fragments
        self._off = off
        self._order = sorted(range(len(fragments)), key=lambda place: fragments[place].middle)
        self._middles = [fragments[place].middle for place in self._order]
        self._rows = [round(one.middle / (_ROW * max(one.size, LEAST_SIZE))) for one in fragments]
        self._right = [self._right_of(place) for place in range(len(fragments))]
        self._strips: dict[int, Strip] = {}  # by the place of a fragment left of it

    def gutters(self) -> list[Strip]:
        """Return the strips of white that divide many lines."""
        for place, right in enumerate(self._right):
            if right is not None and self._is_wide(place, right):
                self._strips[place] = self._strip(place, right)
        return [strip for strip in self._strips.values() if strip.divides >= _MANY]

    def lines(self, gutters: Sequence[Strip]) -> list[Line]:
        """Return the printed lines; `gutters` are those of this page and of pages near it."""
        follower: dict[int, int] = {}  # the place of a fragment, and of the next one of its line
        follows: set[int] = set()
        for place, right in enumerate(self._right):
            if right is not None and right not in follows and self._are_one(place, right, gutters):
                follower[place] = right
                follows.add(right)
        out: list[Line] = []
        for first in range(len(self._fragments)):
            if first in follows:
                continue
            row = [first]
            while row[-1] in follower:
                row.append(follower[row[-1]])
            out.append(_merged([self._fragments[place] for place in row]))
        return out

    def _places_between(self, top: float, foot: float) -> Sequence[int]:
        return self._order[bisect_left(self._middles, top) : bisect_right(self._middles, foot)]

    def _right_of(self, place: int) -> int | None:
        """Return the place of the nearest fragment to the right in the same row."""
        fragments, fragment = self._fragments, self._fragments[place]
        edge, top, foot = fragment.x1 - SAME_PLACE, fragment.y0, fragment.y1
        woven = fragment.x1 - _WOVEN * fragment.size
        beside = [
            other
            for other in self._places_between(top - fragment.height, foot + fragment.height)
            if fragments[other].x0 > fragment.x0
            and (
                fragments[other].x0 >= edge
                or (fragments[other].x0 > woven and fragments[other].x1 > fragment.x1)
            )
            and fragments[other].y0 < foot
            and fragments[other].y1 > top
            and _same_row(fragment, fragments[other], self._off)
        ]
        return min(beside, key=lambda other: fragments[other].x0, default=None)

    def _is_wide(self, left: int, right: int) -> bool:
        """Whether the white between two neighbours may be a gutter.

        That between words of a line is narrow, but columns of which each is drawn by itself may be near.
        """
        one, other = self._fragments[left], self._fragments[right]
        white, sizes = other.x0 - one.x1, (one.size, other.size)
        if self._are_drawn_apart(left, right):
            return _GLUE * max(sizes) < white <= _WIDEST_SPACE * max(sizes)
        return _WORD_SPACE * min(sizes) < white <= _WIDEST_SPACE * max(sizes)

    def _are_drawn_apart(self, left: int, right: int) -> bool:
        """Whether two neighbours of several words are not drawn one after the other."""
        return right != left + 1 and _is_text(self._fragments[left]) and _is_text(self._fragments[right])

    def _are_one(self, left: int, right: int, gutters: Sequence[Strip]) -> bool:
        """Whether two neighbours are of one line: the white between them is a space, no gutter.

        Words in two sizes are no line, but for initials, raised marks and formulas.
        """
        one, other = self._fragments[left], self._fragments[right]
        small, large = sorted((one.size, other.size))
        white = other.x0 - one.x1
        if white > _GLUE * large and large >= _LARGER * small and min(_words(one), _words(other)) > 1:
            return False
        strip = self._strips.get(left)
        if strip is None:
            return white <= _WORD_SPACE * small or self._are_justified(left, right)
        if strip.marks:
            return white <= _WIDEST_SPACE * large
        apart = self._are_drawn_apart(left, right)
        near = _is_text(one) and _is_text(other) and any(map(strip.shares, gutters))
        if strip.divides >= (_COLUMNS if apart or near else _GUTTER + (right == left + 1)):
            return not near and self._are_justified(left, right)
        return white <= (_WIDEST_SPACE if strip.ends else _LONE_SPACE) * large

    def _strip(self, left: int, right: int) -> Strip:
        """Return the white between two neighbours, as far up and down as no line crosses it."""
        one, other = self._fragments[left], self._fragments[right]
        x0, x1, white = one.x1, other.x0, other.x0 - one.x1
        middle, height = (one.middle + other.middle) / 2, min(one.height, other.height)
        least = min(_LEAST_GUTTER * min(one.size, other.size), white)
        before, after = [left], [right]
        ends = False
        above = self._places_between(middle - _REACH * height, middle - _ROW * height)
        below = self._places_between(middle + _ROW * height, middle + _REACH * height)
        for way in (reversed(above), below):
            for place in way:
                near = self._fragments[place]
                if near.x0 < x1 and near.x1 > x0:  # a line may be longer than the first, or begin before it
                    wider = (x0, near.x0) if near.x0 - x0 > x1 - near.x1 else (near.x1, x1)
                    if wider[1] - wider[0] < least:
                        ends = True
                        break
                    x0, x1 = wider
                if near.x1 <= x0 < near.x1 + _BESIDE:
                    before.append(place)
                elif near.x0 >= x1 > near.x0 - _BESIDE:
                    after.append(place)
        rows = sorted(len({self._rows[place] for place in places}) for places in (before, after))
        beside = rows[0] > 1 and rows[1] >= _COLUMN and not _is_any_mark(one)
        divides = max(rows[0], _GUTTER) if beside else rows[0]
        over = (near for near in map(self._fragments.__getitem__, before) if near.x1 > one.x0)
        marks = all(map(_is_any_mark, over))
        return Strip(x0, x1, divides, ends, marks)

    def _are_justified(self, left: int, right: int) -> bool:
        """Whether two neighbours are words of a line that was spaced out to the edges of the lines around it.

        It is drawn at once, with one white throughout, and no table: words of other lines that begin and end
        where it does stand at the place of the white.
        """
        if right != left + 1 or right not in (row := self._spaced[left]):
            return False
        first, last = self._fragments[row.start], self._fragments[row.stop - 1]
        middle = (self._fragments[left].x1 + self._fragments[right].x0) / 2
        reach = _REACH * last.height
        alike = crossing = 0
        around = self._places_between(last.y0 - reach, last.y1 + reach)
        for other in {self._spaced[at] for at in around} - {row}:
            begins, ends = self._fragments[other.start], self._fragments[other.stop - 1]
            if (
                len(other) != 2  # may stand in two columns
                and -SAME_EDGE <= ends.x1 - last.x1 <= SAME_EDGE
                and -SAME_EDGE <= first.x0 - begins.x0 <= _WIDEST_SPACE * last.size
                and abs(ends.size - last.size) < SAME_SIZE
            ):
                alike += 1
                crossing += any(self._fragments[at].x0 < middle < self._fragments[at].x1 for at in other)
        return alike >= _GOES_ON <= crossing + (len(row) > 2)

    @cached_property
    def _spaced(self) -> list[range]:
        """The places of the fragments that are drawn at once in one row, with one white, by each of them."""
        out: list[range] = []
        while (start := len(out)) < len(self._fragments):
            end, space = start + 1, None
            while end < len(self._fragments):
                here, beside = self._fragments[end - 1 : end + 1]
                white = beside.x0 - here.x1
                if abs(white) > _GLUE * here.size:
                    space = white if space is None else space
                    if not 0 < white <= _WIDEST_SPACED * here.size or abs(white - space) > _EVEN * here.size:
                        break
                if not _same_row(here, beside):
                    break
                end += 1
            out += [range(start, end)] * (end - start)
        return out


def _same_row(a: Line, b: Line, off: float = _OFF_BASELINE) -> bool:
    """Whether two fragments stand side by side on one baseline, not on two that overlap in height."""
    if a.x0 < b.x1 - SAME_PLACE and b.x0 < a.x1 - SAME_PLACE:
        return off < inf and _weave(a, b)
    if min(a.y1, b.y1) - max(a.y0, b.y0) <= SAME_ROW * min(a.height, b.height):
        return False
    return abs(a.baseline - b.baseline) <= off * a.size or not (_is_text(a) and _is_text(b))


def _weave(a: Line, b: Line) -> bool:
    """Whether the second goes on where the first ends: with what stands below a fraction bar, or at a sum."""
    overlap, size = a.x1 - b.x0, max(a.size, b.size)
    if not (overlap <= min(_WOVEN * size, _OVER_EACH_OTHER * a.width)):
        return False
    if min(a.y1, b.y1) - max(a.y0, b.y0) <= SAME_ROW * min(a.height, b.height):
        return False
    return abs(a.baseline - b.baseline) <= _ONE_BASELINE * size or is_of_formula(a)


is_section_number = line_says("number of a section", _SECTION.fullmatch)
"""Whether a fragment is the number of a heading or of a clause alone."""


@of_line("mark alone")
def is_mark(line: Line) -> bool:
    """Whether a fragment is the mark of a list alone."""
    return len(line.words) == 1 and _MARK.fullmatch(printed_mark(line)) is not None


def _is_any_mark(line: Line) -> bool:
    """Whether a fragment is the mark of an item, the number of a heading, or the label of a caption alone."""
    return is_mark(line) or is_section_number(line) or is_label(line)


def _is_text(line: Line) -> bool:
    return _words(line) >= _TEXT


@of_line("words of text")
def _words(line: Line) -> int:
    return sum([word.text[:2].isalpha() and len(word.text) > 1 for word in line.words])


def _merged(row: list[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    main = max(row, key=lambda line: line.letters)
    words: list[Word] = []
    for place, line in enumerate(row):
        beside = row[max(0, place - 1) : place] + row[place + 1 : place + 2]
        first, *others = line.words
        if _is_superscript(line, beside):
            first, *others = [word._replace(superscripts=(0, len(word.text))) for word in line.words]
        if words and -SAME_PLACE <= first.x0 - words[-1].x1 < _GLUE * max(first.size, words[-1].size):
            words[-1] = joined(words[-1], first)
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
