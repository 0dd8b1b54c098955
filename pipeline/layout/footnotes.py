"""Footnotes: the notes at the foot of a column, below a rule or behind raised marks, whatever their size."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.layout.reading_order import TextColumn
from pipeline.layout.zones import Zone, around
from pipeline.pdf.reading import Line, PdfPage, Rectangle

_RULE_HEIGHT = 2.5
"""Points: what is drawn no higher than this is a rule."""

_RULE_WIDTH = (30.0, 0.75)
"""Points, and share of the column's width: a rule above notes is no shorter and no longer."""

_RULE_EDGE = 6.0
"""Points by which a rule above notes may begin beside the column's edge."""

_RULE_OVERLAP = 0.4
"""Em by which a rule may reach into the line above or below it: boxes of lines are a little high."""

_SAME_SIZE = 0.6
"""Points by which the font sizes of a column's notes may differ, and by which they differ from the text's."""

_FOOT = 0.5
"""Share of the page's height: notes without a rule begin below."""

_MARK = re.compile(r"(?:[*†‡§¶#‖]{1,3}|\(?\d{1,3}[.)]?|[a-z]|\[\d{1,3}\])")
"""The mark of a note, where it is raised."""

_PLAIN_MARK = re.compile(r"(?:[*†‡§¶#‖]{1,3}|\d{1,3})[.)]?(?=$|\D)")
"""That of a note below a rule, on the line."""


@dataclass(frozen=True)
class NoteMark:
    """What a note begins with: a number, a letter or a sign, raised or on the line."""

    text: str
    raised: bool

    def follows(self, other: "NoteMark") -> bool:
        """Whether this is the mark of a note after `other`'s, not a number at the beginning of a line."""
        if self.raised != other.raised:
            return False
        number, before = (re.sub(r"\D", "", mark.text) for mark in (self, other))
        if not number or not before:
            return not number
        return int(before) < int(number) if self.raised else int(number) == int(before) + 1


def note_mark(line: Line) -> NoteMark | None:
    """Return the mark that a line begins with; None if it begins as other text does."""
    word = line.words[0]
    if word.superscripts and word.superscripts[0] == 0:
        raised = word.text[: word.superscripts[1]]
        return NoteMark(raised, raised=True) if _MARK.fullmatch(raised) else None
    plain = _PLAIN_MARK.match(word.text)
    return NoteMark(plain[0], raised=False) if plain else None


def set_notes_apart(
    laid_out: Iterable[tuple[PdfPage, Sequence[TextColumn]]], size: float
) -> Iterator[list[TextColumn]]:
    """Return the columns of each page, with the notes at the foot of one as a column of their own.

    `size` is that of the document's text, points.
    """
    pages = [(page, columns, _rules(page)) for page, columns in laid_out]
    usual = {
        round(rule.width): column.lines[place].size
        for _, columns, rules in pages
        for column in columns
        for place, rule in _below_rules(column, rules)
        if _begins_note(column.lines[place], size) and _are_notes(column.lines[place:])
    }
    for page, columns, rules in pages:
        yield [part for column in columns for part in _parts(column, page, rules, size, usual)]


def _parts(
    column: TextColumn,
    page: PdfPage,
    rules: Sequence[Rectangle],
    size: float,
    usual: Mapping[int, float],
) -> Iterator[TextColumn]:
    """Return the column in one or two: its text, and its notes."""
    place = None if column.zone else _first_note(column, page, rules, size, usual)
    if place is None:
        yield column
        return
    text, notes = column.lines[:place], column.lines[place:]
    if text:
        yield replace(column, lines=text)
    box = around(notes)
    yield TextColumn(box.x0, box.x1, notes, Zone(box, notes, "footnote"))


def _first_note(
    column: TextColumn,
    page: PdfPage,
    rules: Sequence[Rectangle],
    size: float,
    usual: Mapping[int, float],
) -> int | None:
    """Return the place of the first line of a column's notes; None if it has none.

    A page may begin with the rest of a note, without a mark: then its rule and its size are the usual ones.
    """
    low = [place for place, line in enumerate(column.lines) if line.y0 > _FOOT * page.height]
    ruled = [
        place
        for place, rule in _below_rules(column, rules)
        if _begins_note(line := column.lines[place], size)
        or (place in low and abs(line.size - usual.get(round(rule.width), 0.0)) < _SAME_SIZE)
    ]
    raised = [
        place
        for place in low
        if (mark := note_mark(line := column.lines[place]))
        and mark.raised
        and line.size <= size - _SAME_SIZE
        and (place == 0 or column.lines[place - 1].size >= line.size + _SAME_SIZE)
    ]
    return min((place for place in (*ruled, *raised) if _are_notes(column.lines[place:])), default=None)


def _begins_note(line: Line, size: float) -> bool:
    """Whether a line begins with a raised mark, or in small print with one on the line."""
    mark = note_mark(line)
    return mark is not None and (mark.raised or line.size <= size - _SAME_SIZE)


def _are_notes(lines: Sequence[Line]) -> bool:
    """Whether no line is larger than the first: the notes go down to the foot of their column."""
    return all(line.size < lines[0].size + _SAME_SIZE for line in lines)


def _below_rules(column: TextColumn, rules: Sequence[Rectangle]) -> Iterator[tuple[int, Rectangle]]:
    """Return the places of the lines right below a short rule at the column's left edge, and the rules."""
    least, most = _RULE_WIDTH
    for rule in rules:
        if abs(rule.x0 - column.x0) > _RULE_EDGE or not least <= rule.width <= most * (column.x1 - column.x0):
            continue
        for place, (before, line) in enumerate(pairwise((None, *column.lines))):
            reach = _RULE_OVERLAP * line.size if line else 0.0
            if line and (before is None or before.y1 <= rule.y0 + reach) and rule.y1 <= line.y0 + reach:
                yield place, rule
                break


def _rules(page: PdfPage) -> list[Rectangle]:
    return [box for box in page.drawings if box.height <= _RULE_HEIGHT and box.width >= _RULE_WIDTH[0]]
