"""Features: what is known of each line of a document and of the line above it, as columns of whole numbers.

A feature is a function of a table of lines; its name is that of the column. Lengths are in 1/64 em of
the line, shares in 1/64; what holds or not is 1 or 0. What compares a line with the one above is 0 for the
first line of a column. Rules of the layout, and tables that are trained, read the same columns.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lookup.text.scripts import has_syllables, parts_no_words
from pipeline.layout.boilerplate import KEYWORDS, begins_notes, begins_role
from pipeline.layout.captions import begins_caption, is_label
from pipeline.layout.features_of_line import OF_LINE
from pipeline.layout.footnotes import SIGNS, NoteMark, note_mark
from pipeline.layout.headings import BEGINS_STATEMENT
from pipeline.layout.list_marks import printed_mark
from pipeline.layout.measures import LEAST_SIZE, NOT_LATIN, first_width
from pipeline.layout.printed_paragraph import Label
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.run_in import begins_numbered
from pipeline.pdf.reading import Line

EM = 64  # Units of an em, and of one.

_LINK = re.compile(r"(?:https?://|doi:\s*10\.)\S+$")
"""The address of a figure, printed below its caption; in a list of references it ends an entry."""

_QUOTED = re.compile("[“„«]")  # How a quotation begins.
_LEVELS = re.compile(r"\d{1,2}((?:\.\d{1,2})*)\.?(?=\s+\S)")  # The number of a heading.

Column = NDArray[np.int64]
Points = NDArray[np.float64]


class LineTable:
    """The lines of the columns of pages in reading order; `table[name]` is the column of a feature."""

    def __init__(self, pages: Sequence[Sequence[TextColumn]]) -> None:
        """Take the lines of each page's columns, whose edges and order are final."""
        self.pages = pages
        self.columns = columns = [column for of_page in pages for column in of_page]
        self.lines = [line for column in columns for line in column.lines]
        self.starts = np.cumsum([0, *(len(column.lines) for column in columns)]).tolist()
        """The places where columns begin, and the number of lines."""
        ends = [self.starts[end] for end in accumulate(map(len, pages), initial=0)]
        self.of_pages = [slice(*of_page) for of_page in pairwise(ends)]
        """The places of each page's lines."""
        boxes = [(line.x0, line.y0, line.x1, line.y1, max(line.size, LEAST_SIZE)) for line in self.lines]
        edges = [(column.x0, column.x1) for column in columns for _ in column.lines]
        self.x0, self.y0, self.x1, self.y1, self.size = np.array(boxes, float).reshape(-1, 5).T
        self.left, self.right = np.array(edges, float).reshape(-1, 2).T
        kinds = [column.zone.kind if column.zone else "" for column in columns for _ in column.lines]
        self.zones = np.array(kinds, str)  # '' for running text
        self.inner = np.ones(len(self.lines), bool)  # not the first line of its column
        self.inner[[start for start in self.starts[:-1] if start < len(self.lines)]] = False
        self._known: dict[str, Column] = {}

    def __getitem__(self, name: str) -> Column:
        column = self._known.get(name)
        if column is None:
            column = self._known[name] = FEATURES[name](self).astype(np.int64)
        return column

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

    def known(self, name: str) -> Column:
        """Return where a feature of `features_of_line` holds; it is kept with each line."""
        find = OF_LINE[name]
        unknown = [line for line in self.lines if name not in line.known]
        for line in unknown:
            line.known[name] = find(line)
        return np.array([bool(line.known[name]) for line in self.lines], np.int64)

    def each(self, holds: Callable[[Line], object], among: str = "") -> Column:
        """Return where something holds of a line; of those `among` which another feature holds, if given."""
        if not among:
            return np.array([bool(holds(line)) for line in self.lines], np.int64)
        column = np.zeros(len(self.lines), np.int64)
        for place in np.flatnonzero(self[among]).tolist():
            column[place] = bool(holds(self.lines[place]))
        return column

    @cached_property
    def notes(self) -> list[NoteMark | None]:
        """The mark of a note that each line begins with."""
        return [note_mark(line) for line in self.lines]

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
        """Return the marks that `count` lines from this place on begin with."""
        marks = (
            Label(name, text(self.lines[at]), rule, at - place)
            for name, rule, text, places in self._marks
            for at in places[bisect_left(places, place) : bisect_left(places, place + count)]
        )
        return tuple(marks)

    @cached_property
    def _marks(self) -> list[tuple[str, str, Callable[[Line], str], list[int]]]:
        """What gives the marks, and the places of the lines that begin with them."""
        return [
            (name, rule, text, np.flatnonzero(self[feature]).tolist()) for name, rule, feature, text in _MARKS
        ]


FEATURES: dict[str, Callable[[LineTable], NDArray[np.generic]]] = {
    # what it is by itself, as all steps know it
    **{name: partial(LineTable.known, name=name) for name in OF_LINE},
    # where it stands in its column, and to the line above
    "indent": lambda t: t.ems(t.x0 - t.left),
    "room": lambda t: t.ems(t.right - t.x1),
    "fill": lambda t: np.rint(EM * (t.x1 - t.left) / np.maximum(t.right - t.left, 1.0)),
    "step": lambda t: t.ems(t.step),
    "shift": lambda t: t.ems((t.x0 - t.above(t.x0)) * t.inner),
    "off axis": lambda t: t.ems(np.abs(t.x0 + t.x1 - t.above(t.x0 + t.x1)) * t.inner / 2),
    "spare": lambda t: t.ems((t.right - t.above(t.x1) - _first_widths(t)) * t.inner),
    # how it is set
    "size change": lambda t: np.rint(EM * (t.size - t.above(t.size)) * t.inner),
    "last size change": lambda t: np.rint(EM * (_sizes(t, 0) - t.above(_sizes(t, -1))) * t.inner),
    "bold": lambda t: t.each(lambda line: line.bold),
    "begins bold": lambda t: t.each(lambda line: line.words[0].bold),
    "ends bold": lambda t: t.each(lambda line: line.words[-1].bold),
    "begins italic": lambda t: t.each(lambda line: line.words[0].italic),
    "one font": lambda t: t.each(lambda line: line.font),
    "other font": lambda t: t.each_below(lambda above, line: above.font not in ("", line.words[0].font)),
    "other fonts": lambda t: t.each_below(_in_other_fonts) if t.dense else np.zeros(len(t.lines)),
    "same first font": lambda t: t.each_below(lambda above, line: above.words[0].font == line.words[0].font),
    # what it says
    "colon": lambda t: t.each(lambda line: line.text[-1] in ":："),
    "capital": lambda t: t.each(lambda line: line.text[0].isupper()),
    "digit": lambda t: t.each(lambda line: line.text[0].isdigit()),
    "capitals": lambda t: t.each(lambda line: line.text.isupper()),
    "syllables": lambda t: t.each(lambda line: has_syllables(line.text), "capitals"),
    "unparted": lambda t: t.each(
        lambda line: line.text > NOT_LATIN and parts_no_words(*line.text[:2].ljust(2))
    ),
    "words": lambda t: np.array([len(line.words) for line in t.lines], int),
    # the marks that it begins with
    "drawn mark": lambda t: t.each(lambda line: line.marked),
    "label": lambda t: t.each(lambda line: is_label(line.text), "caption"),
    "raised note": lambda t: np.array([mark is not None and mark.raised for mark in t.notes], bool),
    "sure note": lambda t: np.array(
        [
            mark is not None and (mark.raised or mark.text[0] in SIGNS or mark.text[-1] in ".]")
            for mark in t.notes
        ],
        bool,
    ),
    "numbered": lambda t: t.each_below(begins_numbered),
    "level": lambda t: np.array(
        [1 + at[1].count(".") if (at := _LEVELS.match(line.text)) else 0 for line in t.lines], int
    ),
    "statement": lambda t: t.each(lambda line: BEGINS_STATEMENT.match(line.text)),
    "with colon": lambda t: t.each(lambda line: ":" in line.text),
    "keywords": lambda t: (
        t.each(lambda line: KEYWORDS.match(line.text))
        | t.each(lambda line: begins_role(line.text), "with colon")
    ),
    "notes": lambda t: t.each(lambda line: begins_notes(line.text), "with colon"),
    "link": lambda t: t.each(lambda line: _LINK.match(line.text)),
    "quoted": lambda t: t.each(lambda line: _QUOTED.match(line.text)),
    "term": lambda t: t.flags("begins bold") & ~t.flags("ends bold"),
}
"""The features by their names."""

_MARKS: tuple[tuple[str, str, str, Callable[[Line], str]], ...] = (
    ("list mark", "list_marks", "item", lambda line: "drawn" if line.marked else printed_mark(line)),
    ("caption mark", "captions", "title of caption", lambda line: _found(begins_caption(line))),
    ("note mark", "footnotes", "raised note", lambda line: mark.text if (mark := note_mark(line)) else ""),
    ("heading level", "headings", "level", lambda line: str(1 + _found(_LEVELS.match(line.text)).count("."))),
    ("usual heading", "headings", "heading", lambda line: line.text),
)
"""Names of labels, what gives them, the features that say where they are, and what the line shows."""


def has_term(line: Line) -> bool:
    """Whether a line begins in bold and goes on otherwise, as the entries of a glossary do."""
    return line.words[0].bold and not line.words[-1].bold


def _in_other_fonts(above: Line, line: Line) -> bool:
    """Whether Chinese, Japanese or Korean shares no font with the line above: headings have no bold."""
    if "" != above.font == line.font or not has_syllables(above.text + line.text):
        return False
    return {word.font for word in above.words}.isdisjoint({word.font for word in line.words})


def _first_widths(table: LineTable) -> list[float]:
    """Return the widths of what lines may not be broken within, from their beginnings, points."""
    words = [line.words[0] for line in table.lines]
    return [
        first_width(line) if word.text > NOT_LATIN else word.x1 - word.x0
        for word, line in zip(words, table.lines, strict=True)
    ]


def _found(match: re.Match[str] | None) -> str:
    return match[0] if match else ""


def _sizes(table: LineTable, place: int) -> Points:
    return np.array([line.words[place].size for line in table.lines])
