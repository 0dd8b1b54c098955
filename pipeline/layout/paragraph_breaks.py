"""Where one paragraph ends and the next begins, within a column."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.layout import measures
from pipeline.layout.boilerplate import begins_keywords, begins_notes
from pipeline.layout.captions import CAPTION, is_caption
from pipeline.layout.printed_paragraph import PrintedParagraph
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.run_in import run_in_heading
from pipeline.layout.zones import is_prose
from pipeline.pdf.reading import Line

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

_INDENTED = 0.6
"""Share of the lines after a short last line that are indented in a document that marks its paragraphs so."""

_FINISHED = re.compile(r"[.!?:;…)\]”\"’][\d,–\-*†‡\s]*$")
"""How the last line of a paragraph ends; citation marks may follow the stop."""

_ENOUGH = 6
"""Lines that tell whether first lines or the others are indented."""

_FLUSH = 2.0
"""Points by which a justified line may miss the column's edge."""

_SPACE = 0.3
"""Em: a usual space between words."""

_OFF_ITEM = 3.0
"""Points by which a line must be off the text of an item of a list not to belong to it."""

_LINK = re.compile(r"(?:https?://|doi:\s*10\.)\S+$")
"""The address of a figure, printed below its caption."""

LIST_MARK = re.compile(r"(?:[•●○▪■◦‣–—]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s")
"""What an item of a list, or an entry of a reference list, begins with."""


@dataclass(frozen=True)
class Style:
    """How a document sets its paragraphs: the usual distance between lines in points, and whether first lines are indented."""

    pitch: float
    indents: bool


def style(columns: Sequence[TextColumn], size: float) -> Style:
    """How paragraphs are set in these columns of running text; `size` is that of the text's font."""
    pitch = measures.pitch(line for column in columns for line in column.lines)
    starts = [
        _is_indented(line, column)
        for column in columns
        for upper, before, line in zip(column.lines, column.lines[1:], column.lines[2:], strict=False)
        if _ends_short(before, column)
        and not _is_short(upper, column)
        and not _is_short(line, column)
        and abs(line.size - size) <= _SIZE_CHANGE / 2
        and _alike(before, line)
        and line.y1 - before.y1 <= _GAP * pitch
        and not LIST_MARK.match(line.text)
    ]
    return Style(pitch, len(starts) > 0 and sum(starts) >= _INDENTED * len(starts))


def cut(column: TextColumn, usual: Style) -> list[PrintedParagraph]:
    """The column's lines as paragraphs, whose kinds are yet unknown; run-in headings of usual words are headings."""
    return _Cutter(column, usual).paragraphs()


class _Cutter:
    """Goes down a column and begins a paragraph wherever something tells."""

    def __init__(self, column: TextColumn, usual: Style) -> None:
        self._column = column
        self._indents = usual.indents
        self._zone = column.zone.kind if column.zone else ""
        own = len(column.lines) >= _OWN_PITCH
        self._pitch = max(usual.pitch, measures.pitch(column.lines)) if own else usual.pitch
        self._hanging = _hanging(column, self._pitch)

    def paragraphs(self) -> list[PrintedParagraph]:
        out: list[PrintedParagraph] = []
        group: list[Line] = []  # the lines of the paragraph that is being made
        opens = True
        for before, line in _with_previous(self._column.lines):
            follows = before is not None and _is_caption(group) and self._continues_caption(before, line)
            heading = None
            if not follows and (before is None or _may_end(before, self._column)):
                heading = run_in_heading(line)
            if heading:
                out += [
                    *self._paragraph(group, opens=opens),
                    PrintedParagraph("heading", (heading[0],), self._zone),
                ]
                group, opens = [heading[1]], True
            elif before is None:
                group, opens = [line], _is_indented(line, self._column)
            elif follows or not self._begins(before, line, group):
                group.append(line)
            else:
                out += self._paragraph(group, opens=opens)
                group, opens = [line], True
        return [*out, *self._paragraph(group, opens=opens)]

    def _paragraph(self, lines: Sequence[Line], *, opens: bool) -> list[PrintedParagraph]:
        return (
            [PrintedParagraph("", tuple(lines), self._zone, opens, self._closes(lines[-1]))] if lines else []
        )

    def _closes(self, last: Line) -> bool:
        """Whether a last line ends as the last of a paragraph does; where no indent tells the next one, it must be flush to go on."""
        return _is_short(last, self._column) if self._indents else last.x1 < self._column.x1 - _FLUSH

    def _continues_caption(self, before: Line, line: Line) -> bool:
        """A caption's title may be set in another font than the rest, and may end short; in a zone with a table, its cells follow."""
        return (
            abs(before.size - line.size) <= _SIZE_CHANGE
            and not self._is_apart(before, line)
            and not CAPTION.match(line.text)
            and not _LINK.match(line.text)
            and not begins_notes(line.text)
            and not (self._zone == "table" and _FINISHED.search(before.text) and not is_prose(line))
        )

    def _is_apart(self, before: Line, line: Line) -> bool:
        return line.y1 - before.y1 > _GAP * max(self._pitch, 1.1 * line.size)

    def _begins(self, before: Line, line: Line, group: Sequence[Line]) -> bool:
        """Whether the line begins a paragraph; the line before it is the last of `group`."""
        if not _alike(before, line) or _stands_for_itself(line, group):
            return True
        if _is_short(before, self._column) and _looks_otherwise(before, line):
            return True  # a heading, in most cases
        if self._is_apart(before, line) or _after_item(before, line, self._column, group):
            return True
        indent, before_indent = (one.x0 - self._column.x0 for one in (line, before))
        if id(line) in self._hanging:
            return indent < before_indent - 2 or (indent < 2 and _is_item(line))
        if _is_item(line):
            outdented = len(group) > 1 and indent < before_indent - 2  # below the rest of the item before it
            after_mark = len(group) == 1 and _is_item(before)
            if outdented or after_mark or _ends_short(before, self._column):
                return True
        if _is_indented(line, self._column) and before_indent < 0.4 * line.size:
            # What is indented below an unfinished line hangs from it: an item of a list, an entry of a reference list.
            return not _is_item(before) and _may_end(before, self._column)
        ended = _ends_short(before, self._column) and _had_room(before, line, self._column)
        return ended and not line.text[:1].islower() and not self._indents


def _looks_otherwise(before: Line, line: Line) -> bool:
    """Whether a line in one font is followed by another, or one in capitals by one that is not."""
    other_font = before.font != "" and line.words[0].font != before.font
    return other_font or (before.text.isupper() and not line.text.isupper())


def _is_item(line: Line) -> bool:
    return LIST_MARK.match(line.text + " ") is not None


def _is_indented(line: Line, column: TextColumn) -> bool:
    return _INDENT[0] * line.size < line.x0 - column.x0 < _INDENT[1] * line.size


def _alike(before: Line, line: Line) -> bool:
    return abs(before.size - line.size) <= _SIZE_CHANGE and before.bold == line.bold


def _is_caption(lines: Sequence[Line]) -> bool:
    return is_caption(" ".join(line.text for line in lines[:2]))


def _with_previous(lines: tuple[Line, ...]) -> Iterator[tuple[Line | None, Line]]:
    if lines:
        yield None, lines[0]
        yield from pairwise(lines)


def _stands_for_itself(line: Line, group: Sequence[Line]) -> bool:
    """Whether a line begins keywords, is a link, or begins the notes below a caption, which is the `group` above."""
    text = line.text
    return (
        begins_keywords(text) or _LINK.match(text) is not None or (begins_notes(text) and _is_caption(group))
    )


def _after_item(before: Line, line: Line, column: TextColumn, group: Sequence[Line]) -> bool:
    """Whether an item of a list ended short before the line, which does not hang below it."""
    first = group[0]
    if not _is_item(first) or len(first.words) < 2 or not _ends_short(before, column):
        return False
    return abs(line.x0 - first.words[1].x0) > _OFF_ITEM and abs(line.x0 - before.x0) > _OFF_ITEM


def _ends_short(line: Line, column: TextColumn) -> bool:
    return _is_short(line, column) and _FINISHED.search(line.text) is not None


def _had_room(before: Line, line: Line, column: TextColumn) -> bool:
    """Whether the line's first word would have fitted on the line before: it was broken for another reason."""
    word = line.words[0]
    return before.x1 + _SPACE * line.size + word.x1 - word.x0 < column.x1


def _may_end(line: Line, column: TextColumn) -> bool:
    return _is_short(line, column) or _FINISHED.search(line.text) is not None


def _is_short(line: Line, column: TextColumn) -> bool:
    return line.x1 < column.x0 + _SHORT * (column.x1 - column.x0)


def _hanging(column: TextColumn, pitch: float) -> set[int]:
    """The `id`s of the lines of lists of references and the like: most of their lines are indented, the others begin entries."""
    runs: list[list[Line]] = []
    for before, line in _with_previous(column.lines):
        if (
            before is None
            or abs(before.size - line.size) > _SIZE_CHANGE
            or line.y1 - before.y1 > _GAP * pitch
        ):
            runs.append([])
        runs[-1].append(line)
    return {id(line) for run in runs if _hangs(run) for line in run}


def _hangs(lines: Sequence[Line]) -> bool:
    if len(lines) < _ENOUGH:
        return False
    left = min(line.x0 for line in lines)
    indented = sum(line.x0 - left > _INDENT[0] * line.size for line in lines)
    return 0.5 * len(lines) <= indented < len(lines)
