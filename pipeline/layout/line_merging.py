"""Line merging: the fragments that a PDF draws side by side become printed lines, never across a gutter."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property

from pipeline.layout.measures import SAME_EDGE, SAME_PLACE, SAME_SIZE
from pipeline.layout.page_columns import (
    COLUMNS,
    GLUE,
    GUTTER,
    REACH,
    WORD_SPACE,
    PageColumns,
    is_text,
    same_row,
    words_of_text,
)
from pipeline.layout.zones import is_uncased
from pipeline.pdf.lines import joined
from pipeline.pdf.reading import Line, Word, bounds
from pipeline.pdf.superscripts import is_superscript

_SUPERSCRIPT_GAP = 0.5  # flat
"""Em of the larger of the two: the most white between a superscript and what it stands at."""

_WIDEST_SPACE = 5.0  # flat
"""Em: the widest space in a justified line."""

_WIDEST_SPACED, _EVEN = 12.0, 0.1
"""Em: the widest space in a line of few words that was spaced out, and by how much its spaces may differ."""

_LONE_SPACE = 1.2  # flat
"""Em: the widest space in a line with nothing above or below to tell by."""

_LARGER = 1.25  # Times the size of words: others as large beside them are of another line.

_DROP_CAP = 1.8  # flat
"""Times the size of the text: an initial at least as large, beside several lines, is a drop cap."""

_DROP_CAP_LETTERS = 2  # flat
"""Characters: an opening quotation mark may stand before the letter."""

_DROP_CAP_GAP = 1.5  # flat
"""Em of the text: the most white between a drop cap and the lines beside it."""

_GOES_ON = 2  # 1.25x: captions -.026
"""Rows that the white must divide above or below to be a gutter."""

_INITIAL_GAP = 0.5  # Of its own width: the most white between a large capital and the rest of its word.
_LETTERS_THAT_ARE_WORDS = "AIOEÀÈÓÉYUÁÅÖ"
_AROUND = "“”‘’„‚«»‹›\"'(),.;:"


def merge_pages(pages: Iterable[PageColumns]) -> list[list[Line]]:
    """Return the printed lines of each page, each merged from its fragments; in no certain order."""
    return [_Rows(page).lines() for page in pages]


def with_drop_caps(fragments: Sequence[Line]) -> Sequence[Line]:
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
    """The fragments of a page, to be joined where they are of one line."""

    def __init__(self, page: PageColumns) -> None:
        self._page, self._fragments = page, page.fragments

    def lines(self) -> list[Line]:
        """Return the printed lines."""
        follower: dict[int, int] = {}  # the place of a fragment, and of the next one of its line
        follows: set[int] = set()
        for place, right in enumerate(self._page.right):
            if right is not None and right not in follows and self._are_one(place, right):
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

    def _are_one(self, left: int, right: int) -> bool:
        """Whether two neighbours are of one line: the white between them is a space, no gutter.

        Words in two sizes are no line, but for initials, raised marks and formulas.
        """
        one, other = self._fragments[left], self._fragments[right]
        small, large = sorted((one.size, other.size))
        white = other.x0 - one.x1
        sizes_differ = large >= _LARGER * small and not self._page.recognised
        if sizes_differ and white > GLUE * large and words_of_text(one) and words_of_text(other):
            return False
        strip = self._page.strip_of.get(left)
        if strip is None or white > _WIDEST_SPACE * large:
            return white <= WORD_SPACE * small or self._are_justified(left, right)
        if self._page.follows_marks(left, right, strip):
            return True
        apart = self._page.are_drawn_apart(left, right)
        near = is_text(one) and is_text(other) and any(map(strip.shares, self._page.gutters))
        if strip.divides >= (COLUMNS if apart or near else GUTTER + (right == left + 1)):
            return not near and self._are_justified(left, right)
        return white <= (_WIDEST_SPACE if strip.ends else _LONE_SPACE) * large

    def _are_justified(self, left: int, right: int) -> bool:
        """Whether two neighbours are words of a line that was spaced out to the edges of the lines around it.

        It is drawn at once, with one white throughout, and no table: words of other lines that begin and end
        where it does stand at the place of the white.
        """
        if right != left + 1 or right not in (row := self._spaced[left]):
            return False
        first, last = self._fragments[row.start], self._fragments[row.stop - 1]
        middle = (self._fragments[left].x1 + self._fragments[right].x0) / 2
        reach = REACH * last.height
        alike = crossing = 0
        around = self._page.places_between(last.y0 - reach, last.y1 + reach)
        for other in map(self._spaced.__getitem__, {self._spaced[at].start for at in around} - {row.start}):
            begins, ends = self._fragments[other.start], self._fragments[other.stop - 1]
            if (
                -SAME_EDGE <= ends.x1 - last.x1 <= SAME_EDGE
                and -SAME_EDGE <= first.x0 - begins.x0 <= _WIDEST_SPACE * last.size
                and abs(ends.size - last.size) < SAME_SIZE
                # Two may stand in two columns, but for the long words of scripts without case.
                and (len(other) != 2 or (is_uncased(begins.text) and is_uncased(ends.text)))
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
                if abs(white) > GLUE * here.size:
                    space = white if space is None else space
                    if not 0 < white <= _WIDEST_SPACED * here.size or abs(white - space) > _EVEN * here.size:
                        break
                if not same_row(here, beside):
                    break
                end += 1
            out += [range(start, end)] * (end - start)
        return out


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
        if words and -SAME_PLACE <= first.x0 - words[-1].x1 < GLUE * max(first.size, words[-1].size):
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
