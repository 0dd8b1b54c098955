"""Line merging: the fragments that a PDF draws side by side become printed lines, never across a gutter."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import pairwise
from math import inf
from typing import NamedTuple

from pipeline.layout.captions import is_label
from pipeline.layout.line_features import line_says, of_line
from pipeline.layout.list_marks import BULLETS, is_next_clause, is_ring, printed_mark
from pipeline.layout.measures import (
    LEAST_SIZE,
    SAME_EDGE,
    SAME_PLACE,
    SAME_ROW,
    SAME_SIZE,
    TOUCH,
)
from pipeline.layout.zones import is_of_formula
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

_WINDOWS = (4.0, 16.0)  # flat
"""Line heights, up and down, in which to look whether white goes on; the second if the first does not
tell."""

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


def merge_fragments(fragments: Sequence[Line], *, recognised: bool = False) -> list[Line]:
    """Return the printed lines, each merged from its fragments; in no certain order.

    Baselines of fragments that were `recognised` by OCR say nothing.
    """
    if len(fragments) < 2:
        return list(fragments)
    fragments = _with_drop_caps(fragments)
    rows = _Rows(fragments, inf if recognised else _OFF_BASELINE)
    follower: dict[int, int] = {}  # the place of a fragment, and of the next one of its line
    follows: set[int] = set()
    for place, fragment in enumerate(fragments):
        right = rows.right_of(place)
        if right is None or right in follows:
            continue
        if rows.are_of_columns(place, right):
            continue
        if rows.are_one(fragment, fragments[right]) or rows.are_justified(place, right):
            follower[place] = right
            follows.add(right)
    out: list[Line] = []
    for first in range(len(fragments)):
        if first in follows:
            continue
        row = [first]
        while row[-1] in follower:
            row.append(follower[row[-1]])
        out.append(_merged([fragments[place] for place in row]))
    return out


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


class _Rows:
    """Fragments by height, to find what stands beside, above and below a fragment."""

    def __init__(self, fragments: Sequence[Line], off: float) -> None:
        self._fragments = fragments
        self._off = off
        self._order = sorted(range(len(fragments)), key=lambda place: fragments[place].middle)
        self._middles = [fragments[place].middle for place in self._order]
        self._rows = [round(one.middle / (_ROW * max(one.size, LEAST_SIZE))) for one in fragments]

    def _between(self, top: float, foot: float) -> list[Line]:
        return [self._fragments[place] for place in self._places_between(top, foot)]

    def _places_between(self, top: float, foot: float) -> Sequence[int]:
        return self._order[bisect_left(self._middles, top) : bisect_right(self._middles, foot)]

    def right_of(self, place: int) -> int | None:
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

    def are_of_columns(self, left: int, right: int) -> bool:
        """Whether two neighbours are of two columns, or of a column and a pull quote, however near they are.

        Words in two sizes are no line, but for initials, raised marks and formulas. Nor are two lines each of
        which is drawn before or after the next one of its own column.
        """
        one, other = self._fragments[left], self._fragments[right]
        small, large = sorted((one.size, other.size))
        apart = other.x0 - one.x1 > _GLUE * large
        if apart and large >= _LARGER * small and min(_words(one), _words(other)) > 1:
            return True
        apart = apart and right != left + 1 and _is_text(one) and _is_text(other)
        return apart and self._goes_down(left) and self._goes_down(right)

    def _goes_down(self, place: int) -> bool:
        """Whether the fragment drawn before or after one stands right above or below it, at its edge."""
        one = self._fragments[place]
        return any(
            abs(near.x0 - one.x0) <= SAME_PLACE
            and abs(near.size - one.size) < SAME_SIZE
            and one.height / 2 < abs(near.y1 - one.y1) < 2 * one.height
            for near in self._fragments[max(0, place - 1) : place + 2]
        )

    def are_one(self, left: Line, right: Line) -> bool:
        """Whether the white between two neighbours is a space, not a gutter."""
        size = max(left.size, right.size)
        white = right.x0 - left.x1
        if white <= _WORD_SPACE * min(left.size, right.size):  # a heading may stand beside the gutter
            return True
        if white > _WIDEST_SPACE * size:
            return False
        mark = is_mark(left) or (len(left.words) == 1 and is_ring(left.words[0], right.words[0]))
        if (mark or self._is_section(left, right) or is_label(left)) and self._begins_line(left, right):
            return True
        for lines in _WINDOWS:
            over, under = self._over_and_under(left, right, lines)
            if any(a.is_gutter and not b.have_space(white) for a, b in ((over, under), (under, over))):
                return False
            crossing, divided = len(over.across) + len(under.across), over.divided + under.divided
            if (over.across and under.across) or (crossing and not divided):
                return True
        return crossing > divided if crossing or divided else white <= _LONE_SPACE * size

    def _is_section(self, number: Line, text: Line) -> bool:
        """Whether a number is that of a heading, in the same print, or of a clause between others.

        Numbers of tables stand before numbers. A clause may begin in lower case.
        """
        if number.font != text.font or not text.text[0].isalpha() or not is_section_number(number):
            return False
        return not text.text[0].islower() or any(
            abs(one.x0 - number.x0) <= SAME_EDGE
            and (is_next_clause(one, number) or is_next_clause(number, one))
            for one in self._fragments
        )

    def are_justified(self, left: int, right: int) -> bool:
        """Whether two neighbours are words of a line that was spaced out to the edges of the lines around it.

        It is drawn at once, with one white throughout, and no table: words of other lines that begin and end
        where it does stand at the place of the white.
        """
        if right != left + 1 or right not in (row := self._spaced[left]):
            return False
        first, last = self._fragments[row.start], self._fragments[row.stop - 1]
        middle = (self._fragments[left].x1 + self._fragments[right].x0) / 2
        reach = _WINDOWS[1] * last.height
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

    def _begins_line(self, mark: Line, text: Line) -> bool:
        """Whether a mark is the first of its line: numbers of equations and of figures stand at the end.

        Marks of several digits may begin before it and end where it does: theirs are hanging items, too.
        """
        reach = _WINDOWS[1] * mark.height
        around = self._between(mark.y0 - reach, mark.y1 + reach)
        if any(
            other.x0 < mark.x0 - SAME_EDGE
            and mark.x0 < other.x1 <= mark.x1 + SAME_EDGE
            and not is_mark(other)
            for other in around
        ):
            return False
        if any(abs(other.x0 - mark.x0) <= SAME_EDGE and _is_text(other) for other in around):
            return True
        beside = any(other.x0 < mark.x0 and mark.x0 - mark.size < other.x1 <= mark.x0 for other in around)
        hanging = [one for one in around if abs(one.x0 - text.x0) <= SAME_EDGE and _is_text(one)]
        if not beside and any(
            min(abs(one.x0 - mark.x0), abs(one.x1 - mark.x1)) <= SAME_EDGE
            and any(_same_row(one, item) for item in hanging)
            for one in around
            if one is not mark and is_mark(one)
        ):
            return True
        return not any(
            other.x1 <= mark.x0 and not _is_text(other) and _same_row(other, mark) for other in around
        )

    def _over_and_under(self, left: Line, right: Line, lines: float) -> tuple["_Neighbours", "_Neighbours"]:
        """Return what is above and below the white between two fragments, `lines` line heights far."""
        height = min(left.height, right.height)
        middle = (left.middle + right.middle) / 2
        return (
            self._neighbours(left.x1, right.x0, middle - lines * height, middle - _ROW * height),
            self._neighbours(left.x1, right.x0, middle + _ROW * height, middle + lines * height),
        )

    def _neighbours(self, x0: float, x1: float, top: float, foot: float) -> "_Neighbours":
        across: list[Line] = []
        before: set[int] = set()
        after: set[int] = set()
        for place in self._places_between(top, foot):
            other = self._fragments[place]
            if other.x0 < x0 - TOUCH and other.x1 > x1 + TOUCH:
                across.append(other)
                continue
            begins, ends = x0 <= other.x0 < x1 + _BESIDE, x0 - _BESIDE < other.x1 <= x1
            if begins or ends:
                (before if ends else after).add(self._rows[place])
        return _Neighbours(across, min(len(before), len(after)))


class _Neighbours(NamedTuple):
    """Lines above or below the white between two fragments: those across it, and how many rows it divides."""

    across: Sequence[Line]
    divided: int

    @property
    def is_gutter(self) -> bool:
        """Whether the white goes on between them."""
        return not self.across and self.divided >= _GOES_ON

    def have_space(self, white: float) -> bool:
        """Whether words of those across are so far apart: then the white is no gutter but a river."""
        return any(after.x0 - one.x1 >= white for line in self.across for one, after in pairwise(line.words))


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
    if not (a.x0 < b.x0 and a.x1 < b.x1 and overlap <= min(_WOVEN * size, _OVER_EACH_OTHER * a.width)):
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
            last = words[-1]
            printed = (last.printed or last.text) + (first.printed or first.text)
            words[-1] = last._replace(
                text=last.text + first.text,
                x0=min(last.x0, first.x0),
                y0=min(last.y0, first.y0),
                x1=max(last.x1, first.x1),
                y1=max(last.y1, first.y1),
                superscripts=last.superscripts + tuple(len(last.text) + at for at in first.superscripts),
                printed=printed if last.printed or first.printed else "",
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
