"""Side headings: short titles in the margin, next to the first lines of sections, as Acts print them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from pipeline.layout.footnotes import note_mark
from pipeline.layout.line_features import of_line
from pipeline.layout.measures import MAINLY
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.zones import Zone, around
from pipeline.pdf.reading import Line, PdfPage

_NARROW = 0.4  # Times the width of the text next to it: a column of side headings is no wider.
_LONGEST = 120  # Letters of a side heading, at most.
_WHITE = 0.6  # Em between two side headings, at least.
_LEVEL = 0.5  # Em by which the middles of a side heading and of its section's line may differ.
_HEADINGS = 3  # Side headings of a document, at least.

_SECTION = re.compile(r"(?:§{1,2}\s?|Art(?:icle|\.)?\s|Sec(?:tion|\.)?\s|\()?\d{1,3}[A-Z]{0,2}\b[.)]{0,2}")
"""How a section begins."""


def set_side_headings_apart(
    laid_out: Sequence[tuple[PdfPage, Sequence[TextColumn]]],
) -> Sequence[tuple[PdfPage, Sequence[TextColumn]]]:
    """Return the columns of each page, with each side heading as a column of its own before its section."""
    lines = (line for _, columns in laid_out for column in columns for line in column.lines)
    if sum(1 for _ in islice(filter(begins_section, lines), _HEADINGS)) < _HEADINGS:
        return laid_out
    found = [list(_of_page(columns)) for _, columns in laid_out]
    sections = [section for page in found for _, section in page]
    level = sum(section is not None for section in sections)
    if level < max(_HEADINGS, MAINLY * len(sections)):
        return laid_out
    return [(page, list(_parts(columns, of))) for (page, columns), of in zip(laid_out, found, strict=True)]


_SideHeading = tuple[tuple[Line, ...], Line | None]
"""The lines of a heading in the margin, and the first line of its section; None where no section is level."""


def _of_page(columns: Sequence[TextColumn]) -> Iterator[_SideHeading]:
    for column in columns:
        texts = [] if column.zone else [text for text in columns if _is_beside(column, text)]
        if texts:
            lines = [line for text in texts for line in text.lines]
            for heading in _headings(column.lines):
                yield heading, _section(heading[0], lines)


def _is_beside(column: TextColumn, text: TextColumn) -> bool:
    """Whether a column without marks of notes stands in the margin of a much wider one."""
    return (
        not text.zone
        and column.x1 - column.x0 <= _NARROW * (text.x1 - text.x0)
        and (column.x0 > text.x1 or column.x1 < text.x0)
        and not any(note_mark(line) or line.size > text.lines[0].size for line in column.lines)
    )


def _headings(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Return the lines of each heading in a column, which are parted by white."""
    start = 0
    for place, (before, line) in enumerate(pairwise([*lines, None]), start=1):
        if before and (line is None or line.y0 - before.y1 > _WHITE * line.size):
            yield tuple(lines[start:place])
            start = place


def _section(heading: Line, lines: Sequence[Line]) -> Line | None:
    """Return the line of a section's number and first words that is level with a side heading."""
    level = (line for line in lines if abs(line.middle - heading.middle) <= _LEVEL * line.size)
    return next(filter(begins_section, level), None)


@of_line("section")
def begins_section(line: Line) -> bool:
    """Whether a line begins a section of an Act: "§ 3", "Art. 5.", "(2)"."""
    return len(line.words) > 1 and _SECTION.match(line.text) is not None


def _parts(columns: Sequence[TextColumn], headings: Sequence[_SideHeading]) -> Iterator[TextColumn]:
    """Return the columns in reading order, with the headings before their sections."""
    before = {section: lines for lines, section in headings if section and _is_title(lines)}
    placed = {line for lines in before.values() for line in lines}
    for column in columns:
        rest = tuple(line for line in column.lines if line not in placed)
        start = 0
        for place, line in enumerate(rest):
            if line in before:
                if start < place:
                    yield replace(column, lines=rest[start:place])
                lines, start = before[line], place
                yield TextColumn(column.x0, column.x1, lines, Zone(around(lines), lines, "heading"))
        if rest[start:] or not column.lines:
            yield replace(column, lines=rest[start:])


def _is_title(lines: Sequence[Line]) -> bool:
    letters = sum(line.letters for line in lines)
    return letters <= _LONGEST and lines[0].text[0].isalnum()
