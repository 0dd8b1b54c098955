"""Notes at the foot of a column, behind their marks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.layout import measures
from pipeline.layout.headings import heads_references
from pipeline.layout.line_features import of_line
from pipeline.layout.measures import SAME_SIZE
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.zones import Zone, around
from pipeline.pdf.reading import Line, PdfPage

SIGNS = "*∗⋆†‡§¶#‖∥"
"""Signs that mark notes."""

_MARK = re.compile(rf"(?:[{SIGNS}]{{1,3}}|\(?\d{{1,3}}[.)]?|[a-z]|\[\d{{1,3}}\])")
"""The mark of a note, where it is raised."""

_PLAIN_MARK = re.compile(rf"(?:[{SIGNS}]{{1,3}}|\[?\d{{1,3}})[.)\]]?(?=$|\D)")
"""That of a note, on the line."""


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
    for page, columns in laid_out:
        parts: list[TextColumn] = []
        entries: list[int] = []  # the places of headings of lists of references
        for column in columns:
            entries = [-1] if entries else []
            entries += [at for at, heads in enumerate(heads_references.of_each(column.lines)) if heads]
            parts += _parts(column, page, size, entries)
        yield parts


def _of_notes(lines: tuple[Line, ...]) -> TextColumn:
    box = around(lines)
    return TextColumn(box.x0, box.x1, lines, Zone(box, lines, "footnote"))


def _parts(
    column: TextColumn,
    page: PdfPage,
    size: float,
    entries: Sequence[int],
) -> Iterator[TextColumn]:
    """Return the column in one or two: its text, and its notes."""
    place = None if column.zone else _first_note(column, page, size, entries)
    if place is None:
        yield column
        return
    text, notes = column.lines[:place], column.lines[place:]
    if text:
        yield replace(column, lines=text)
    yield _of_notes(notes)


def _first_note(
    column: TextColumn,
    page: PdfPage,
    size: float,
    entries: Sequence[int],
) -> int | None:
    """Return the place of the first line of a column's notes; None if it has none.

    Below the places in `entries` stands a list of references: its numbers are no marks of notes.
    """
    lines = column.lines
    low = [place for place, line in enumerate(lines) if line.y0 > page.height / 2]
    listed = min(entries, default=len(lines))
    marked = [
        start
        for place in low
        if (mark := note_mark(line := lines[place]))
        and ((sure := mark.raised or mark.text[0] in SIGNS) or (mark.text[-1] == "." and place < listed))
        and (start := _start(lines, place, size)) is not None
        and ((small := line.size <= size - SAME_SIZE) or sure)
        and ((start == place and small and sure) or _has_twin(mark, page, line))
    ]
    return min((place for place in marked if _are_notes(lines[place:])), default=None)


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
        word.text.endswith(twin) and (bool(word.superscripts) or mark.text[0] in SIGNS)
        for line in page.lines
        if twin in line.text and line.size > note.size - SAME_SIZE and line.y1 < note.y1
        for word in line.words
    )


def _are_notes(lines: Sequence[Line]) -> bool:
    """Whether no line is larger than the first: the notes go down to the foot of their column."""
    return all(line.size < lines[0].size + SAME_SIZE for line in lines)
