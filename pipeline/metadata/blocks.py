"""Blocks of text on a page: lines of one font size, one below the other."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.cleaning.clean import clean
from pipeline.layout.measures import SAME_SIZE
from pipeline.layout.zones import around
from pipeline.pdf.reading import Line, PdfPage

_PITCH = (0.6, 1.75)  # Em: from the lower edge of a block's line to that of the next.
_BESIDE = 1.0  # Em: the largest gap between two pieces of one printed line.

_LISTED, _LISTING = 2.5, "|,;•·"
"""Em: the same in a list, with one of these separators at the end of one piece or the beginning of the
other."""

_MARK_GAP, _MARK_LETTERS = 1.1, 12
"""Em before a mark at a line's upper or lower edge, and characters of the mark, at most."""

_MARK_SIZE = (0.4, 0.85)  # Font size of a mark, in that of its line.
_MARK_SHARED = 0.4  # Share of a mark's height within its line, more than which.

_SAME_EDGE, _SAME_ROW = 0.3, 0.4
"""Em by which the lower edges of pieces of one printed line, and of one row, may differ."""

_SHARED = 0.5
"""Share of the lower one's height that pieces of one row in two sizes have in common, more than which."""

_WIDEST = 2.5  # Em: what is further to the side is not of the line's block.

_REACH = 60.0
"""Points from lower edge to lower edge: lines further apart belong together only through others."""

_BROKEN = re.compile(r"[^\W\d_][-‐]$")


@dataclass(frozen=True)
class TextBlock:
    """Printed lines that belong together: rows from top to bottom, pieces from left to right."""

    lines: tuple[tuple[Line, ...], ...]
    size: float
    x0: float
    y0: float
    x1: float
    y1: float
    foot: float
    """The lower edge of its first row."""

    @cached_property
    def text(self) -> str:
        """Its rows, separated by spaces, but not after a hyphen."""
        return joined(self.rows)

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The text of each printed row."""
        return tuple(" ".join(clean([line], {}).text for line in row) for row in self.lines)

    def unbroken(self, words: Mapping[str, int]) -> str:
        """Return the text with hyphens of line ends judged by the document's words (vocabulary)."""
        return clean([line for row in self.lines for line in row], words).text


def joined(rows: Sequence[str]) -> str:
    """Return the rows, separated by spaces, but not after a hyphen, which the caller judges."""
    text = ""
    for row in rows:
        text += row if not text or _BROKEN.match(text[-2:]) else f" {row}"
    return text


def blocks(page: PdfPage) -> list[TextBlock]:
    """Return the page's upright lines as blocks, from top to bottom.

    The lines are those that the PDF draws, not the layout's; superscripts join the line beside them.
    """
    lines = sorted((line for line in page.lines if line.upright), key=lambda line: (line.y1, line.x0))
    parents = list(range(len(lines)))

    def root(place: int) -> int:
        while parents[place] != place:
            parents[place] = parents[parents[place]]
            place = parents[place]
        return place

    first = 0
    for place, line in enumerate(lines):
        while lines[first].y1 < line.y1 - _REACH:
            first += 1
        left, right = line.x0 - _WIDEST * line.size, line.x1 + _WIDEST * line.size
        for at, other in enumerate(lines[first:place], first):
            if other.x1 >= left and other.x0 <= right and (_beside(line, other) or _below(line, other)):
                parents[root(at)] = root(place)
    groups: defaultdict[int, list[Line]] = defaultdict(list)
    for place, line in enumerate(lines):
        groups[root(place)].append(line)
    return sorted(map(_block, groups.values()), key=lambda block: (block.y0, block.x0))


def _beside(line: Line, other: Line) -> bool:
    """Whether the line continues the other one, whose lower edge is not below its own, in its row."""
    gap = max(line.x0 - other.x1, other.x0 - line.x1)
    same = abs(line.size - other.size) <= SAME_SIZE and abs(line.y1 - other.y1) < _SAME_EDGE * line.size
    if not same:
        return gap < _MARK_GAP * max(line.size, other.size) and _is_mark(line, other)
    left, right = sorted((line, other), key=lambda one: one.x0)
    goes_on = left.words[-1].text[-1] in _LISTING or right.words[0].text[0] in _LISTING
    return gap < (_LISTED if goes_on else _BESIDE) * line.size


def _is_mark(line: Line, other: Line) -> bool:
    """Whether the smaller line is a mark at the upper or lower edge of the larger."""
    small, large = sorted((line, other), key=lambda one: one.size)
    shared = min(line.y1, other.y1) - max(line.y0, other.y0)
    return (
        _MARK_SIZE[0] * large.size < small.size < _MARK_SIZE[1] * large.size
        and shared > _MARK_SHARED * small.height
        and len(small.text) <= _MARK_LETTERS
    )


def _below(line: Line, other: Line) -> bool:
    """Whether the line follows the other, by lower edges: some fonts have boxes several lines high."""
    return (
        abs(line.size - other.size) <= SAME_SIZE
        and (line.bold == other.bold or line.words[0].bold == other.words[0].bold)
        and _PITCH[0] * line.size <= line.y1 - other.y1 <= _PITCH[1] * line.size
        and line.x0 < other.x1
        and other.x0 < line.x1
    )


def _block(lines: Sequence[Line]) -> TextBlock:
    main = max(lines, key=lambda line: (line.x1 - line.x0, line.x1))
    return TextBlock(
        _rows(lines),
        main.size,
        *around(lines),
        min(line.y1 for line in lines if abs(line.size - main.size) <= SAME_SIZE),
    )


def _rows(lines: Sequence[Line]) -> tuple[tuple[Line, ...], ...]:
    """Return the printed rows from top to bottom, their pieces from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: (-line.size, line.y1)):  # marks come after their lines
        row = next((row for row in rows if any(_shares_row(line, other) for other in row)), None)
        if row is None:
            rows.append([line])
        else:
            row.append(line)
    rows.sort(key=lambda row: row[0].y1)
    return tuple(tuple(sorted(row, key=lambda line: line.x0)) for row in rows)


def _shares_row(line: Line, other: Line) -> bool:
    if abs(line.size - other.size) <= SAME_SIZE:
        return abs(line.y1 - other.y1) < _SAME_ROW * line.size
    return min(line.y1, other.y1) - max(line.y0, other.y0) > _SHARED * min(line.height, other.height)


@dataclass(frozen=True)
class ParagraphText:
    """A paragraph: its kind, the page on which it begins, its text, and its section's heading or ''."""

    kind: str
    page: int
    text: str
    section: str
