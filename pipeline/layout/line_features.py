"""Features: what is known of each line of a document and of the line above it, each under a name.

A feature is a function; `FEATURES` has all by their names. What a line is by itself (`of_line`) stands in the
module of what it tells, is found once, kept with the line, and read by all steps. The others are functions of
a table of lines. `LineTable` has every feature as a column of whole numbers. Lengths are in 1/64 em of the
line, shares in 1/64; what holds or not is 1 or 0. What compares a line with the one above is 0 for the first
line of a column.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from lookup.text.scripts import FULL_STOPS, begins_small, has_syllables, parts_no_words
from pipeline.layout.measures import INDENT, LEAST_SIZE, NO_INDENT, NOT_LATIN, SPACE, first_width
from pipeline.pdf.reading import Line
from retrieval.raw_text.cleaning import BREAKS

if TYPE_CHECKING:  # it has features, too
    from pipeline.layout.reading_order import TextColumn

EM = 64  # Units of an em, and of one.

QED = "□∎■"  # Signs at the end of a proof.

_FINISHED = re.compile(rf"[{re.escape(FULL_STOPS)}:;：；؛)\]”\"’」』）】»][\d,–—\-*†‡\s{QED}]*$")
"""How the last line of a paragraph ends; citation marks, or the end of a proof, may follow the stop."""

OPENING = "“‘\"'«(—–"  # What may stand before the first word of a line.
_BEFORE = OPENING + "0123456789. "  # That, or the number of a stanza.

_SHORT = 0.88  # 0.8x: exact -.004, precision -.004; 1.25x: exact -.086, precision -.161
"""Share of the column's width: a line that ends before it and with a stop ends a paragraph."""

SIZE_CHANGE = 0.59  # Points by which sizes of lines of a paragraph may differ; 0.6: 20 headings less

_SET_IN = 3  # Lines that stand deeper than any indent, at least, to have an edge of their own.

Column = NDArray[np.int64]
Points = NDArray[np.float64]
Known = TypeVar("Known")


class HasFeatures(Protocol):
    """A line or a paragraph: it keeps what was found of it, by the names of the features."""

    @property
    def known(self) -> dict[str, Any]:
        """What was found of it."""


One = TypeVar("One", bound=HasFeatures)


class Feature(Generic[One, Known]):
    """A function of a line or a paragraph alone: what it finds is kept with that, under its name."""

    find_each: Callable[[list[One]], Iterable[Known]] | None = None  # Faster, where there is a way.

    def __init__(self, name: str, find: Callable[[One], Known]) -> None:
        self.name, self.find = name, find
        self.__doc__, self.__module__ = find.__doc__, find.__module__

    def __call__(self, one: One) -> Known:
        """Return what it finds of one."""
        if self.name not in one.known:
            one.known[self.name] = self.find(one)
        value: Known = one.known[self.name]
        return value

    def of_each(self, several: Sequence[One]) -> list[Known]:
        """Return what it finds of each."""
        name = self.name
        unknown = [one for one in several if name not in one.known]
        found = self.find_each(unknown) if self.find_each else map(self.find, unknown)
        for one, value in zip(unknown, found, strict=True):
            one.known[name] = value
        return [one.known[name] for one in several]


class Features(dict[str, Feature[One, Any]]):
    """The features of lines, or of paragraphs, by their names; `text` gives what is read of one."""

    def __init__(self, text: Callable[[One], str]) -> None:
        super().__init__()
        self._text = text

    def named(self, name: str) -> Callable[[Callable[[One], Known]], Feature[One, Known]]:
        """Return what makes a function of one alone a feature with this name."""

        def feature(find: Callable[[One], Known]) -> Feature[One, Known]:
            self[name] = found = Feature(name, find)
            return found

        return feature

    def says(self, name: str, asks: Callable[[str], object]) -> Feature[One, bool]:
        """Return the feature whether a pattern, or a function of text, finds something in the text."""
        text = self._text
        found: Feature[One, bool] = self.named(name)(lambda one: bool(asks(text(one))))
        found.find_each = lambda several: map(bool, map(asks, map(text, several)))
        return found


OF_LINE = Features[Line](attrgetter("text"))
"""The features of a line by itself, each with a column of its name in a table of lines."""

of_line, line_says = OF_LINE.named, OF_LINE.says


class Label(NamedTuple):
    """What a line or a paragraph is known to be, and the rule or the module's table that says so.

    `line` is the place of the line among those of its paragraph.
    """

    name: str
    value: str
    rule: str
    line: int = 0


class LineTable:
    """The lines of the columns of pages in reading order; `table[name]` is the column of a feature."""

    def __init__(self, pages: Sequence[Sequence["TextColumn"]]) -> None:
        """Take the lines of each page's columns, whose edges and order are final."""
        self.pages = pages
        self.columns = columns = [column for of_page in pages for column in of_page]
        self.lines = [line for column in columns for line in column.lines]
        self.starts = np.cumsum([0, *(len(column.lines) for column in columns)]).tolist()
        """The places where columns begin, and the number of lines."""
        boxes = [(line.x0, line.y0, line.x1, line.y1, max(line.size, LEAST_SIZE)) for line in self.lines]
        edges = [(column.x0, column.x1) for column in columns for _ in column.lines]
        self.x0, self.y0, self.x1, self.y1, self.size = np.array(boxes, float).reshape(-1, 5).T
        self.left, self.right = np.array(edges, float).reshape(-1, 2).T
        kinds = [column.zone.kind if column.zone else "" for column in columns for _ in column.lines]
        self.zones = np.array(kinds, str)  # '' for running text
        deep = (self.zones == "") & (self.x0 - self.left > INDENT[1] * self.size)
        for start, end in pairwise([*np.flatnonzero(np.diff(deep, prepend=False, append=False))]):
            if deep[start] and end - start >= _SET_IN:  # beside something that is set into the column
                self.left[start:end] = self.x0[start:end].min()
        self.inner = np.ones(len(self.lines), bool)  # not the first line of its column
        self.inner[[start for start in self.starts[:-1] if start < len(self.lines)]] = False
        self._known: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        if name not in self._known:
            found = FEATURES[name](self) if name in FEATURES else np.array([*map(bool, self.values(name))])
            self._known[name] = found.astype(np.int64)
        return self._known[name]

    def flags(self, name: str) -> NDArray[np.bool_]:
        """Return where a feature holds."""
        holds: NDArray[np.bool_] = self[name] > 0
        return holds

    def above(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return for each line the value of the line above it, 0 for the first line of a column."""
        return np.concatenate([column[:1], column[:-1]]) * self.inner

    def below(self, column: NDArray[Any]) -> NDArray[Any]:
        """Return for each line the value of the line below it, 0 for the last line of a column."""
        return np.concatenate([(column * self.inner)[1:], np.zeros_like(column[:1])])

    def ems(self, points: Points) -> Column:
        """Return lengths in 1/64 em of their lines."""
        units: Column = np.rint(points * EM / self.size).astype(np.int64)
        return units

    def values(self, name: str) -> list[Any]:
        """Return what a feature of lines by themselves found: a mark, a match, whether it holds."""
        return OF_LINE[name].of_each(self.lines)

    def each_below(self, holds: Callable[[Line, Line], object]) -> Column:
        """Return where something holds of the line above and a line of its column."""
        pairs = zip([None, *self.lines], self.lines, self.inner.tolist(), strict=False)
        return np.array([bool(inner and above and holds(above, line)) for above, line, inner in pairs], int)

    @cached_property
    def dense(self) -> bool:
        """Whether a character may be a word, as in Chinese, Japanese and Korean."""
        return has_syllables("".join([line.text for line in self.lines]))

    @cached_property
    def step(self) -> Points:
        """Points from the lower edge of the line above to that of a line."""
        steps: Points = (self.y1 - self.above(self.y1)) * self.inner
        return steps

    def labels(self, place: int, count: int) -> tuple[Label, ...]:
        """Return the marks that `count` lines from this place on begin with, and what found each."""
        lines = range(place, place + count)
        return tuple(of[at]._replace(line=at - place) for of in self._marks for at in lines if at in of)

    @cached_property
    def _marks(self) -> list[dict[int, Label]]:
        """The marks of each kind, by the places of the lines that begin with them."""
        return [
            {at: Label(name, mark, rule) for at, mark in enumerate(self.values(feature)) if mark}
            for name, feature in _MARKS.items()
            for rule in [OF_LINE[feature].__module__.rpartition(".")[2]]
        ]


FEATURES: dict[str, Callable[[LineTable], NDArray[np.generic]]] = {
    # where it stands in its column, and to the line above
    "indent": lambda t: t.ems(t.x0 - t.left),
    "room": lambda t: t.ems(t.right - t.x1),
    "fill": lambda t: np.rint(EM * (t.x1 - t.left) / np.maximum(t.right - t.left, 1.0)),
    "shift": lambda t: t.ems((t.x0 - t.above(t.x0)) * t.inner),
    "spare": lambda t: t.ems((t.right - t.above(t.x1) - [*map(first_width, t.lines)]) * t.inner),
    "short": lambda t: t["fill"] < _SHORT * EM,
    "flush": lambda t: t["indent"] < NO_INDENT * EM,
    "indented": lambda t: (INDENT[0] * EM < t["indent"]) & (t["indent"] < INDENT[1] * EM),
    "fits": lambda t: t.inner & (t["spare"] > SPACE * EM),
    # how it is set
    "size change": lambda t: np.rint(EM * (t.size - t.above(t.size)) * t.inner),
    "same size": lambda t: np.abs(t["size change"]) <= SIZE_CHANGE * EM,
    "last size change": lambda t: np.rint(EM * (_sizes(t, 0) - t.above(_sizes(t, -1))) * t.inner),
    "bold": lambda t: np.array([line.bold for line in t.lines]),
    "begins bold": lambda t: np.array([line.words[0].bold for line in t.lines]),
    "ends bold": lambda t: np.array([line.words[-1].bold for line in t.lines]),
    "other font": lambda t: t.each_below(lambda above, line: above.font not in ("", line.words[0].font)),
    "other fonts": lambda t: t.each_below(_in_other_fonts) if t.dense else np.zeros(len(t.lines)),
    # what it says
    "stop": lambda t: np.array([line.text[-1] in FULL_STOPS for line in t.lines]),
    "colon": lambda t: np.array([line.text[-1] in ":：" for line in t.lines]),
    "broken": lambda t: np.array([line.text[-1] in BREAKS for line in t.lines]),
    "capital": lambda t: np.array([line.text.lstrip(_BEFORE)[:1].isupper() for line in t.lines]),
    "capitals": lambda t: np.array([line.text.isupper() for line in t.lines]),
    "syllables": lambda t: np.array([line.text.isupper() and has_syllables(line.text) for line in t.lines]),
    "unparted": lambda t: np.array(
        [line.text > NOT_LATIN and parts_no_words(*line.text[:2].ljust(2)) for line in t.lines]
    ),
    # the marks that it begins with
    "sure note": lambda t: np.array([bool(mark and mark.is_sure) for mark in t.values("note mark")]),
}
"""The features of a line in its place, by their names."""

_MARKS = {
    "list mark": "item",
    "caption mark": "title of caption",
    "note mark": "raised note",
}
"""The features that labels show, by the names of these."""


is_finished = line_says("finished", _FINISHED.search)
"""Whether a line ends as a paragraph does."""

is_small = line_says("small", begins_small)
"""Whether a line begins in lower case, where sentences of its script begin with a capital."""


def _in_other_fonts(above: Line, line: Line) -> bool:
    """Whether Chinese, Japanese or Korean shares no font with the line above: headings have no bold."""
    if "" != above.font == line.font or not has_syllables(above.text + line.text):
        return False
    return {word.font for word in above.words}.isdisjoint({word.font for word in line.words})


def _sizes(table: LineTable, place: int) -> Points:
    return np.array([line.words[place].size for line in table.lines])
