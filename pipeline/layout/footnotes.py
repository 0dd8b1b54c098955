"""Notes at the foot of a column, below a rule or behind raised marks, whatever their size."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lookup.text.scripts import FULL_STOPS
from pipeline.layout import measures
from pipeline.layout.headings import heads_references
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


_MARGIN = 0.6  # Times the width of the text beside them: notes in a margin are no wider.


@dataclass(frozen=True)
class NoteMark:
    """What a note begins with: a number, a letter or a sign, raised or on the line."""

    text: str
    raised: bool

    @property
    def is_sure(self) -> bool:
        """Whether no text but a note begins so."""
        return self.raised or self.text[0] in SIGNS or self.text[-1] in ".]"

    def follows(self, other: "NoteMark") -> bool:
        """Whether this is the mark of a note after `other`'s, not a number at the beginning of a line."""
        number, before = (re.sub(r"\D", "", mark.text) for mark in (self, other))
        if not number or not before:
            return not number  # signs may be raised or not
        if self.raised != other.raised:
            return False
        return int(before) < int(number) if self.raised else int(number) == int(before) + 1


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
    pages = [(page, list(columns), _rules(page)) for page, columns in laid_out]
    found = {
        (round(rule.width), page.number): column.lines[place].size
        for page, columns, rules in pages
        for column in columns
        for place, rule in _below_rules(column, rules)
        if _begins_note(column.lines[place], size) and _are_notes(column.lines[place:])
    }
    usual = {width: of_notes for (width, _), of_notes in found.items()}
    for page, columns, rules in pages:
        parts: list[TextColumn] = []
        entries: list[int] = []  # the places of headings of lists of references
        for column in columns:
            entries = [-1] if entries else []
            entries += [at for at, heads in enumerate(heads_references.of_each(column.lines)) if heads]
            place = None if column.zone else _first_note(column, page, rules, size, usual, entries)
            if place is None and not column.zone and _is_in_small_print(column, size):
                place = 0 if any(_is_beside(column, other, size) for other in columns) else None
            parts += [column] if place is None else _parted(column, place)
        yield parts


def _parted(column: TextColumn, place: int) -> Iterator[TextColumn]:
    """Yield a column's text, if it has any above the place at which its notes begin, and these."""
    if place:
        yield replace(column, lines=column.lines[:place])
    notes = column.lines[place:]
    box = around(notes)
    yield TextColumn(box.x0, box.x1, notes, Zone(box, notes, "footnote"))


def _first_note(
    column: TextColumn,
    page: PdfPage,
    rules: Sequence[Rectangle],
    size: float,
    usual: Mapping[int, float],
    entries: Sequence[int],
) -> int | None:
    """Return the place of the first line of a column's notes; None if it has none.

    Below the places in `entries` stands a list of references: its numbers are no marks of notes. A page may
    begin with the rest of a note, without a mark: below a rule as wide as those of other pages. Below such a
    rule notes may quote in larger print.
    """
    lines = column.lines
    low = [place for place, line in enumerate(lines) if line.y0 > page.height / 2]
    listed = min(entries, default=len(lines))
    ruled = [
        place
        for place, rule in _below_rules(column, rules)
        if _go_on(lines[place:], usual.get(round(rule.width), 0.0), column.x0)
    ]
    marked = [
        start
        for place in low
        if (mark := note_mark(line := lines[place]))
        and ((sure := mark.raised or mark.text[0] in SIGNS) or (mark.text[-1] == "." and place < listed))
        and (start := _start(lines, place, size)) is not None
        and ((small := line.size <= size - SAME_SIZE) or sure)
        and ((start == place and small and sure) or _has_twin(mark, page, line))
    ]
    return min((*ruled, *(place for place in marked if _are_notes(lines[place:]))), default=None)


def _start(lines: Sequence[Line], place: int, size: float) -> int | None:
    """Return where notes begin of which one has its mark at `place`: there, or with the rest of another.

    None where no larger text stands above, with more white than between the lines of the rest, or these are
    headings. Notes as large as the text stand apart from it.
    """
    if lines[place].size > size - SAME_SIZE:
        apart = place and lines[place].y1 - lines[place - 1].y1 > measures.GAP * measures.pitch(lines)
        return place if apart else None
    start = place
    while start and lines[start - 1].size < lines[place].size + SAME_SIZE:
        start -= 1
    white = [below.y0 - above.y1 for above, below in pairwise(lines[max(0, start - 1) : place + 1])]
    rest = start < place and not any(line.bold for line in lines[start:place])
    return start if start == place or (rest and (start == 0 or white[0] > max(white[1:]))) else None


def _has_twin(mark: NoteMark, page: PdfPage, note: Line) -> bool:
    """Whether a word above a note, in no smaller text, ends with its mark."""
    twin = mark.text.rstrip(".")
    return any(
        word.text.rstrip(",;").endswith(twin) and (bool(word.superscripts) or mark.text[0] in SIGNS)
        for line in page.lines
        if twin in line.text and line.size > note.size - SAME_SIZE and line.y1 < note.y1
        for word in line.words
    )


def _is_in_small_print(column: TextColumn, size: float) -> bool:
    """Whether a column is sentences in smaller print, as notes in the margin are."""
    return all(line.size <= size - SAME_SIZE for line in column.lines) and any(
        line.text.endswith(tuple(FULL_STOPS)) for line in column.lines
    )


def _is_beside(column: TextColumn, text: TextColumn, size: float) -> bool:
    """Whether a column is in the margin of a much wider one."""
    if text.zone or column.x1 - column.x0 > _MARGIN * (text.x1 - text.x0):
        return False
    apart = column.x0 > text.x1 or column.x1 < text.x0
    beside = column.lines[0].y0 > text.lines[0].y0 - size and column.lines[0].y0 < text.lines[-1].y1
    return apart and beside and measures.body_size(text.lines) > size - SAME_SIZE


def _begins_note(line: Line, size: float) -> bool:
    """Whether a line begins with a raised mark, or in small print with one on the line."""
    mark = note_mark(line)
    return mark is not None and (mark.raised or line.size <= size - SAME_SIZE)


def _are_notes(lines: Sequence[Line]) -> bool:
    """Whether no line is larger than the first: the notes go down to the foot of their column."""
    return all(line.size < lines[0].size + SAME_SIZE for line in lines)


def _go_on(lines: Sequence[Line], size: float, edge: float) -> bool:
    """Whether lines are notes of this size, and what they quote, which is set in from the edge."""
    return any(abs(line.size - size) < SAME_SIZE for line in lines) and all(
        line.size < size + SAME_SIZE or line.x0 > edge + line.size for line in lines
    )


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
