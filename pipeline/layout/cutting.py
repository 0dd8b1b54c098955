"""Where one paragraph ends and the next begins, within a column."""

import re
from collections.abc import Iterator
from itertools import pairwise

from pipeline.layout import measures
from pipeline.layout.order import Column
from pipeline.layout.run_in import run_in_heading
from pipeline.reading import Line

_GAP = 1.35
"""Times the usual pitch: a step from foot to foot larger than this parts paragraphs."""

_OWN_PITCH = 4
"""Lines that a column must have for its own distance between lines to count: an abstract may be set wider than the text."""

_INDENT = (0.6, 4.5)
"""Em: a line that begins so far right of the column's edge begins a paragraph."""

_SHORT = 0.88
"""Share of the column's width: a line that ends before it and with a stop ends a paragraph."""

_SIZE_CHANGE = 0.6
"""Points by which the font size of consecutive lines may differ within a paragraph."""

_FINISHED = re.compile(r"[.!?:;…)\]”\"’][\d,–\-*†‡\s]*$")
"""How the last line of a paragraph ends; citation marks may follow the stop."""

LIST_MARK = re.compile(r"(?:[•●○▪■◦‣–—]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s")
"""What an item of a list, or an entry of a reference list, begins with."""


def cut(column: Column, pitch: float) -> list[list[Line]]:
    """The column's lines as paragraphs; `pitch` is the document's usual distance between lines, points."""
    groups: list[list[Line]] = []
    hanging = _hangs(column)
    if len(column.lines) >= _OWN_PITCH:
        pitch = max(pitch, measures.pitch(column.lines))
    for before, line in _with_previous(column.lines):
        heading = run_in_heading(line) if before is None or _may_end(before, column) else None
        if heading:
            groups += [[heading[0]], [heading[1]]]
        elif before is None or _begins(before, line, column, pitch, hanging=hanging, place=len(groups[-1])):
            groups.append([line])
        else:
            groups[-1].append(line)
    return groups


def _with_previous(lines: tuple[Line, ...]) -> Iterator[tuple[Line | None, Line]]:
    if lines:
        yield None, lines[0]
        yield from pairwise(lines)


def _begins(before: Line, line: Line, column: Column, pitch: float, *, hanging: bool, place: int) -> bool:
    """Whether the line begins a paragraph; the line before it is the `place`-th of its own."""
    if abs(before.size - line.size) > _SIZE_CHANGE or before.bold != line.bold:
        return True
    if before.font and line.font and before.font != line.font and _is_short(before, column):
        return True  # a heading, in most cases
    if line.y1 - before.y1 > _GAP * max(pitch, 1.1 * line.size):
        return True
    indent, before_indent = (one.x0 - column.x0 for one in (line, before))
    if hanging:
        return indent < before_indent - 2 or (indent < 2 and LIST_MARK.match(line.text + " ") is not None)
    if LIST_MARK.match(line.text + " "):
        outdented = place > 1 and indent < before_indent - 2  # below the rest of the item before it
        if outdented or LIST_MARK.match(before.text + " ") or _ends_short(before, column):
            return True
    if _INDENT[0] * line.size < indent < _INDENT[1] * line.size and before_indent < 0.4 * line.size:
        # What is indented below an unfinished line hangs from it: an item of a list, an entry of a reference list.
        return not LIST_MARK.match(before.text + " ") and _may_end(before, column)
    return _ends_short(before, column) and not line.text[:1].islower()


def _ends_short(line: Line, column: Column) -> bool:
    return _is_short(line, column) and _FINISHED.search(line.text) is not None


def _may_end(line: Line, column: Column) -> bool:
    return _is_short(line, column) or _FINISHED.search(line.text) is not None


def _is_short(line: Line, column: Column) -> bool:
    return line.x1 < column.x0 + _SHORT * (column.x1 - column.x0)


def _hangs(column: Column) -> bool:
    """Whether most lines of the column are indented: the others begin its entries."""
    if len(column.lines) < 6:
        return False
    indented = sum(line.x0 - column.x0 > 0.6 * line.size for line in column.lines)
    return 0.5 * len(column.lines) <= indented < len(column.lines)
