"""Notes at the foot of a column, below a rule or behind raised marks, whatever their size."""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.layout.line_features import of_line
from pipeline.layout.measures import RULE_HEIGHT, SAME_SIZE
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.zones import Zone, around
from pipeline.pdf.reading import Line, PdfPage, Rectangle

_RULE_WIDTH = (30.0, 0.75)
"""Points, and share of the column's width: a rule above notes is no shorter and no longer."""

_RULE_EDGE = 6.0  # Points by which a rule above notes may begin beside the column's edge.

_RULE_OVERLAP = 0.4
"""Em by which a rule may reach into the line above or below it: boxes of lines are a little high."""

SIGNS = "*∗⋆†‡§¶#‖∥"
"""Signs that mark notes."""

_MARK = re.compile(rf"(?:[{SIGNS}]{{1,3}}|\(?\d{{1,3}}[.)]?|[a-z]|\[\d{{1,3}}\])")
"""The mark of a note, where it is raised."""

_PLAIN_MARK = re.compile(rf"(?:[{SIGNS}]{{1,3}}|\[?\d{{1,3}})[.)\]]?(?=$|\D)")
"""That of a note below a rule, on the line."""


@dataclass(frozen=True)
class NoteMark:
    """What a note begins with: a number, a letter or a sign, raised or on the line."""

    text: str
    raised: bool

    @property
    def is_sure(self) -> bool:
        """Whether no text but a note begins so."""
        return self.raised or self.text[0] in SIGNS or self.text[-1] in ".]"


@of_line("note mark")
def note_mark(line: Line) -> NoteMark | None:
    """Return the mark that a line begins with; None if it begins as other text does."""
    word = line.words[0]
    if word.superscripts and word.superscripts[0] == 0:
        raised = word.text[: word.superscripts[1]]
        return NoteMark(raised, raised=True) if _MARK.fullmatch(raised) else None
    plain = _PLAIN_MARK.match(word.text)
    return NoteMark(plain[0], raised=False) if plain else None


@of_line("raised note")
def raised_note_mark(line: Line) -> str:
    """Return the raised mark of a note that a line begins with, else ''."""
    mark = note_mark(line) if line.words[0].superscripts else None
    return mark.text if mark and mark.raised else ""


def set_notes_apart(
    laid_out: Sequence[tuple[PdfPage, Sequence[TextColumn]]], size: float
) -> Iterator[list[TextColumn]]:
    """Return the columns of each page, with the notes at the foot of one as a column of their own.

    `size` is that of the document's text, points.
    """
    pages = [(page, columns, _rules(page)) for page, columns in laid_out]
    widths = {
        round(rule.width)
        for _, columns, rules in pages
        for column in columns
        for place, rule in _below_rules(column, rules)
        if _begins_note(column.lines[place], size) and _are_notes(column.lines[place:])
    }
    for page, columns, rules in pages:
        parts: list[TextColumn] = []
        for column in columns:
            place = None if column.zone else _first_note(column, page, rules, size, widths)
            if place is None:
                parts.append(column)
                continue
            parts += [replace(column, lines=column.lines[:place])] if place else []
            parts.append(_of_notes(column.lines[place:]))
        yield parts


def _of_notes(lines: tuple[Line, ...]) -> TextColumn:
    box = around(lines)
    return TextColumn(box.x0, box.x1, lines, Zone(box, lines, "footnote"))


def _first_note(
    column: TextColumn, page: PdfPage, rules: Sequence[Rectangle], size: float, widths: Container[int]
) -> int | None:
    """Return the place of the first line of a column's notes; None if it has none.

    They stand below a rule, or are small behind a raised mark or a sign. A page may begin with the rest of a
    note, without a mark: below a rule as wide as those above notes, whose `widths` are these.
    """
    lines = column.lines
    ruled = [
        place
        for place, rule in _below_rules(column, rules)
        if _begins_note(lines[place], size) or round(rule.width) in widths
    ]
    marked = [
        place
        for place, line in enumerate(lines)
        if line.y0 > page.height / 2
        and line.size <= size - SAME_SIZE
        and (mark := note_mark(line))
        and (mark.raised or mark.text[0] in SIGNS)
    ]
    return min((place for place in (*ruled, *marked) if _are_notes(lines[place:])), default=None)


def _begins_note(line: Line, size: float) -> bool:
    """Whether a line begins with a raised mark, or in small print with one on the line."""
    mark = note_mark(line)
    return mark is not None and (mark.raised or line.size <= size - SAME_SIZE)


def _are_notes(lines: Sequence[Line]) -> bool:
    """Whether no line is larger than the first: the notes go down to the foot of their column."""
    return all(line.size < lines[0].size + SAME_SIZE for line in lines)


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
    return [box for box in page.drawings if box.height <= RULE_HEIGHT and box.width >= _RULE_WIDTH[0]]
