"""Paragraph breaks: where in a column one paragraph ends and the next begins."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from lookup.text.scripts import FULL_STOPS, begins_small, has_syllables
from pipeline.layout import measures
from pipeline.layout.boilerplate import begins_keywords, begins_notes, begins_role
from pipeline.layout.captions import CAPTION, is_caption, is_label
from pipeline.layout.footnotes import SIGNS, NoteMark, note_mark
from pipeline.layout.headings import BEGINS_STATEMENT, KNOWN
from pipeline.layout.list_marks import begins_item, counts_on, is_next_clause
from pipeline.layout.printed_paragraph import SPOKEN, TAGGED, PrintedParagraph
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.run_in import begins_numbered, run_in_heading
from pipeline.layout.zones import is_prose
from pipeline.pdf.reading import Line

_GAP = 1.35  # 0.8x: exact -.157, precision -.250; 1.25x: precision -.013, captions -.091
"""Line pitches: a larger step from baseline to baseline separates paragraphs. 1.2 after a full stop in
running text: precision -.002 of papers as of other documents, exact -.001 and +.002."""

_ROOM_GAP = 1.15
"""Line pitches: a larger step is enough below a line that had room for the next word."""

_LARGEST_PITCH = 1.1  # 1.25x: exact -.008, precision -.013, captions -.039, sections -.003
"""Em: the pitch of a line of large print, where it is more than the usual one."""

_OWN_PITCH = 4  # flat
"""Lines that a column must have for its own pitch to count: an abstract may be set wider than the text."""

_INDENT = (0.6, 4.5)  # Em: a line that begins so far right of the column's edge begins a paragraph; flat
_NO_INDENT = 0.4  # Em: a line that begins nearer to the column's edge is not indented; flat

_SHORT = 0.88  # 0.8x: exact -.004, precision -.004; 1.25x: exact -.086, precision -.161
"""Share of the column's width: a line that ends before it and with a stop ends a paragraph."""

_TELLING = 2  # Lines at the head of a paragraph that tell whether it is a caption.

_SIZE_CHANGE = 0.6  # Points by which the font size of consecutive lines may differ within a paragraph; flat

_INDENTED = 0.6  # flat
"""Share of the lines after a short last line that are indented in a document that indents first lines."""

QED = "□∎■"  # Signs at the end of a proof.

FINISHED = re.compile(rf"[{re.escape(FULL_STOPS)}:;：；؛)\]”\"’」』）】»][\d,–—\-*†‡\s{QED}]*$")
"""How the last line of a paragraph ends; citation marks, or the end of a proof, may follow the stop."""

_TERM = 0.5
"""Share of the column's width: a shorter line, above what is indented, is a term that is explained."""

_HANGING_LINES = 6  # Lines, at least, that show a hanging indentation; flat
_HANGING = 0.5  # Share of the lines, at least, that are broken as hanging indentation breaks them.

_VERSE_LINES = 8  # Lines, at least, that show verse.

_STANZA_LINES, _STANZA_BROKEN = 4, 0.6
"""Lines of a stanza, at least, and the share of them that had room, where there are fewer."""

_VERSE_CAPITALS, _VERSE_BROKEN, _VERSE_STOPS = 0.8, 0.15, 0.5
"""Shares of the lines of verse that begin with a capital, that had room for another word, and, at most, that
end with a full stop: of pages of verse .83 to 1, .17 to .71 and 0 to .24, of prose .23, .03 and .03."""

_VERSE_MARKED = 0.15
"""Share of the lines of verse that end with a mark, at least: those of lists and addresses have none."""

_UNLIKE_VERSE = re.compile(r"[\d=]")  # What a stanza has not, and lines below a formula or a title have.

_VERSE_WHOLE, _VERSE_TURNED, _GOES_ON = 0.6, 0.5, ",;:—–-"
"""Share of the lines of verse that are not the rest of a long one, at least; entries that hang have .3. Where
more are turned over, so many of the whole ones end with a mark at which the sentence goes on."""

_VERSE_WORDS = 4  # Words of the median line of verse, at least: lists of names and cells have fewer.
_POEM_LINES = 2  # Lines of a stanza, at least, where most of the document is verse: the last of a page; flat
_EMPTY_LINE = 0.02  # Times the line pitch by which white may differ from an empty line of verse; flat
_STANZA = 1.25  # Times the line pitch of verse: a larger step from line to line begins a stanza.
_STANZAS = 0.6  # flat
"""Share of the stanzas whose last line is finished, at least, where they are paragraphs: of tercets in which
sentences go on .52, of blank verse .70, of verses in a dictionary .95."""

_SPEAKER = re.compile(r"(?:[^\W\d_a-z][\w.’'-]*\s){0,3}[^\W\d_a-z][\w’'-]+[.:](?=\s+[^\W_]|$|\s[“‘(\[])")
_SPEECHES, _SPEAKERS = 5, 2
"""Lines of a column that begin with a name, and different names among them, at least, of a play; some name
comes again."""

_OPENING = "“‘\"'«(—–"
"""What may stand before the first word of a line."""

_TAGS, _TAG_WIDTH, _TAG_WHITE = 3, 8.0, 0.7
"""Lines of a column, at least, that show tags in the margin; em from their edge to that of the text, at most;
and em of white between the two, at least: a space of a monospaced font is .6."""

_FLUSH = 2.0  # Points by which a justified line may miss the column's edge; flat

_LINK = re.compile(r"(?:https?://|doi:\s*10\.)\S+$")
"""The address of a figure, printed below its caption; in a list of references it ends an entry."""

_QUOTED = re.compile("[“„«]")  # How a quotation begins.

_SPEECH = "「『〈《（"
"""How a paragraph may begin that Japanese does not indent: the bracket has its own white."""

_BRACKET = 0.5  # Em of that white.


@dataclass(frozen=True)
class Style:
    """How a document sets paragraphs: its line pitch in points, and whether first lines are indented.

    `stanzas` is whether an empty line of verse ends a paragraph: sentences end there too. `poem` is whether
    most of the document is verse. `speakers` are those of a play, as their names begin lines.
    """

    pitch: float
    indents: bool
    stanzas: bool = True
    poem: bool = False
    speakers: Container[str] = ()


def style(columns: Sequence[TextColumn], size: float) -> Style:
    """Return how paragraphs are set in these columns of running text; `size` is that of the text's font."""
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
        and not begins_item(line)
    ]
    verse = [(column.lines, _verse(column)) for column in columns]
    ends = [
        _ends_verse(lines[place - 1])
        for lines, pitches in verse
        for place, own in pitches.items()
        if lines[place].y1 - lines[place - 1].y1 > _STANZA * own
    ]
    indents = len(starts) > 0 and sum(starts) >= _INDENTED * len(starts)
    poem = 2 * sum(len(pitches) for _, pitches in verse) > sum(len(lines) for lines, _ in verse)
    speakers = frozenset().union(*(_speakers(column.lines) for column in columns))
    return Style(pitch, indents, sum(ends) >= _STANZAS * len(ends), poem, speakers)


def break_into_paragraphs(column: TextColumn, usual: Style) -> list[PrintedParagraph]:
    """Return the paragraphs of a column. Usual run-in headings are headings, other kinds still unknown."""
    if column.zone and column.zone.kind in ("code", "formula", "heading"):
        return [PrintedParagraph(column.zone.kind, column.lines, column.zone.kind)]
    return _ParagraphBreaks(column, usual).paragraphs() if column.lines else []


class _ParagraphBreaks:
    """Goes down a column and begins a paragraph wherever a rule says so."""

    def __init__(self, column: TextColumn, usual: Style) -> None:
        self._column = column
        self._indents = usual.indents
        self._stanzas = usual.stanzas
        self._zone = column.zone.kind if column.zone else ""
        own = len(column.lines) >= _OWN_PITCH
        least = 0.0 if column.boxed or self._zone == "footnote" else usual.pitch  # these may be set narrower
        self._pitch = max(least, measures.pitch(column.lines)) if own else usual.pitch
        self._hanging = _hanging(column.lines, self._pitch)
        self._verse = _verse(column, poem=usual.poem)
        named = _named(column.lines) if usual.speakers else {}
        self._speeches = {place for place, name in named.items() if name in usual.speakers}
        verse = {place - 1 for place in self._verse} | set(self._verse)
        self._lines_of_verse = {column.lines[place] for place in verse}
        self._spoken = {column.lines[place] for place in verse | self._speeches}
        self._tagged = set() if self._zone else _tagged(column.lines)

    def paragraphs(self) -> list[PrintedParagraph]:
        out: list[PrintedParagraph] = []
        group: list[Line] = []  # the lines of the paragraph that is being made
        opens, caption = True, False
        for place, line in enumerate(self._column.lines):
            before = self._column.lines[place - 1] if place else None
            if len(group) <= _TELLING:
                caption = _is_caption(group)
            follows = before is not None and caption and self._continues_caption(before, line)
            heading = None
            if not follows and (before is None or _may_end(before, self._column)):
                heading = run_in_heading(line)
            if heading:
                out += self._paragraph(group, opens=opens)
                out.append(PrintedParagraph("heading", (heading[0],), self._zone, boxed=self._column.boxed))
                group, opens = [heading[1]], True
            elif before is None:
                group, opens = [line], place in self._speeches or _is_indented(line, self._column)
            elif follows or not self._begins(place, group):
                group.append(line)
            else:
                out += self._paragraph(group, opens=opens)
                group, opens = [line], True
        return [*out, *self._paragraph(group, opens=opens)]

    def _paragraph(self, lines: Sequence[Line], *, opens: bool) -> list[PrintedParagraph]:
        if not lines:
            return []
        column = self._column
        if lines[-1] in self._lines_of_verse:
            closes = self._stanzas and _ends_verse(lines[-1])
            opens = opens and lines[0] is not column.lines[0]
        else:
            closes = self._closes(lines[-1])
        rule = SPOKEN if lines[0] in self._spoken else TAGGED if lines[0] in self._tagged else ""
        how = column.inset, column.boxed, rule
        return [PrintedParagraph("", tuple(lines), self._zone, opens, closes, *how)]

    def _closes(self, last: Line) -> bool:
        """Whether a last line ends as the last of a paragraph does.

        Where first lines are not indented, only a line that is flush with the column may go on.
        """
        return _is_short(last, self._column) if self._indents else last.x1 < self._column.x1 - _FLUSH

    def _continues_caption(self, before: Line, line: Line) -> bool:
        """Whether a line goes on with the caption above, whose title may end short and in another font.

        Below a label alone, the title may be in small capitals, or smaller. In the zone of a table, its
        cells follow the caption.
        """
        alike = abs(before.size - line.size) <= _SIZE_CHANGE
        below_label = is_label(before.text) and line.size < before.size
        return (
            (alike or below_label)
            and not self._is_apart(before, line)
            and not CAPTION.match(line.text)
            and not _LINK.match(line.text)
            and not begins_notes(line.text)
            and not (self._zone == "table" and FINISHED.search(before.text) and not is_prose(line))
        )

    def _is_apart(self, before: Line, line: Line) -> bool:
        return line.y1 - before.y1 > _GAP * max(self._pitch, _LARGEST_PITCH * line.size)

    def _ends_heading(self, place: int) -> bool:
        """Whether the line above this place is, in most cases, a heading, by how it is set."""
        before, line = self._column.lines[place - 1 : place + 1]
        return (
            (_is_short(before, self._column) and _looks_otherwise(before, line))
            or (_is_centred(before, self._column) and _ends_capitals(before, line))
            or self._stands_in_middle(place)
        )

    def _is_set_in_below(self, before: Line, line: Line) -> bool:
        """Whether a line in bold is a term set in below a heading, which had room for its first word."""
        return (
            not self._zone
            and line.x0 - before.x0 > _INDENT[0] * line.size
            and measures.next_word_fits(before, line, self._column.x1)
            and not _on_one_axis(before, line)
        )

    def _stands_in_middle(self, place: int) -> bool:
        """Whether the line above is in the middle, centred or in bold, and the one here at the edge."""
        above, before, line = [None, *self._column.lines][place - 1 : place + 2]
        if before is None or line is None or self._zone or self._indent(before) <= _INDENT[1] * before.size:
            return False
        centred = _is_centred(before, self._column) or (above is not None and _on_one_axis(above, before))
        if self._indent(line) < _NO_INDENT * line.size:
            return before.bold or centred
        return centred and _is_indented(line, self._column) and not _on_one_axis(before, line)

    def _is_known_heading(self, line: Line) -> bool:
        """Whether a line in the middle of the column says no more than "Abstract" or the like."""
        deep = self._indent(line) > _INDENT[1] * line.size
        return deep and not self._zone and KNOWN.fullmatch(line.text) is not None

    def _begins(self, place: int, group: Sequence[Line]) -> bool:
        """Whether the line at this place begins a paragraph; `group` are the lines of the one above it."""
        before, line = self._column.lines[place - 1 : place + 1]
        if place in self._speeches or line in self._tagged or _stands_for_itself(line, group):
            return True
        if BEGINS_STATEMENT.match(line.text) and _may_end(before, self._column):
            return True
        if place in self._verse:
            return self._begins_stanza(before, line, self._verse[place])
        first = note_mark(group[0]) if self._zone == "footnote" else None
        if first and first.text == before.text:
            return False  # the mark stands above its note
        if first and (first.raised or not self._hanging):
            return (
                self._begins_note(before, line, first)
                or self._is_apart(before, line)
                or (is_caption(line.text) and _may_end(before, self._column))
                or self._begins_in_note(before, line, group)
            )
        if self._is_set_apart(place, group):
            return True
        if place in self._hanging:
            opens = place - 1 not in self._hanging and _may_end(before, self._column)
            return opens or self._begins_entry(before, line) or self._ended(before, line)
        if self._begins_item(before, line, group) or _begins_term(before, line, group):
            return True
        return self._begins_body(place, group)

    def _begins_stanza(self, before: Line, line: Line, pitch: float) -> bool:
        """Whether a line of verse begins a paragraph, below a sentence's end and white."""
        steps = (line.y1 - before.y1) / pitch
        empty = abs(steps - round(steps)) < _EMPTY_LINE
        return steps > _STANZA and _ends_verse(before) and (self._stanzas or not empty)

    def _is_set_apart(self, place: int, group: Sequence[Line]) -> bool:
        """Whether a line is set otherwise than the one above it, or apart from it, or begins with a mark."""
        before, line = self._column.lines[place - 1 : place + 1]
        link = _LINK.match(line.text) is not None and place not in self._hanging
        pitch = max(self._pitch, _LARGEST_PITCH * line.size)
        apart = line.y1 - before.y1 > _ROOM_GAP * pitch and not line.bold
        return (
            not (_alike(before, line) or _goes_on_bold(before, line, group))
            or line.marked
            or link
            or _quotes_again(before, line, group)
            or self._ends_heading(place)
            or (before.bold and line.bold and self._is_set_in_below(before, line))
            or self._is_known_heading(line)
            or self._is_apart(before, line)
            or (apart and measures.next_word_fits(before, line, self._column.x1))
            or (begins_numbered(before, line) and _may_end(before, self._column))
            or (self._zone == "footnote" and self._begins_note(before, line, note_mark(group[0])))
        )

    def _begins_body(self, place: int, group: Sequence[Line]) -> bool:
        """Whether a line of running text begins a paragraph, by its indent or by what ended above it."""
        before, line = self._column.lines[place - 1 : place + 1]
        if _is_indented(line, self._column) and self._indent(before) < _NO_INDENT * line.size:
            # What is indented below an unfinished line hangs from it: an item or an entry of a list.
            if self._is_under_title(place):
                return True
            hangs = begins_item(before) or (len(group) == 1 and self._hangs_from_term(place))
            return not hangs and _may_end(before, self._column)
        if self._indents and line.x0 >= before.x0 - _FLUSH and line.text[0] not in _SPEECH:
            return len(group) == 1 and self._follows_one_line(place)
        return self._ended(before, line)

    def _is_under_title(self, place: int) -> bool:
        """Whether the line here alone is indented, below one in italics: "A. Title" may fill its column."""
        before, line, *below = self._column.lines[place - 1 : place + 2]
        italic = before.words[0].italic and before.font != "" and not line.words[0].italic
        return italic and any(self._indent(one) < _NO_INDENT * one.size for one in below)

    def _hangs_from_term(self, place: int) -> bool:
        """Whether the line at this place and the one below hang at one edge from a line with a term."""
        before, line, *below = self._column.lines[place - 1 : place + 2]
        level = bool(below) and abs(below[0].x0 - line.x0) <= _FLUSH
        goes_on = not _is_short(before, self._column) and not self._is_apart(before, line)
        return level and goes_on and has_term(before)

    def _begins_note(self, before: Line, line: Line, first: NoteMark | None) -> bool:
        """Whether a line among notes begins one, after the note with the mark `first` or the rest of one."""
        mark = note_mark(line)
        if mark is None:
            return False
        if first and first.raised >= mark.raised:
            return mark.follows(first)
        sure = (
            mark.raised or mark.text[0] in SIGNS or mark.text.endswith((".", "]"))
        )  # "(Fuller, p. / 293) ..." is within a note
        return sure and FINISHED.search(before.text) is not None

    def _begins_in_note(self, before: Line, line: Line, group: Sequence[Line]) -> bool:
        """Whether a line begins a further paragraph of a note, by its indent or what ended above it."""
        indented = _is_indented(line, self._column) and self._indent(before) < _NO_INDENT * line.size
        if indented:  # what is indented below the first line may hang from it
            return len(group) > 1 and FINISHED.search(before.text) is not None
        apart = line.y1 - before.y1 > _ROOM_GAP * self._pitch
        return self._ended(before, line) or (apart and measures.next_word_fits(before, line, self._column.x1))

    def _indent(self, line: Line) -> float:
        return line.x0 - self._column.x0

    def _begins_entry(self, before: Line, line: Line) -> bool:
        """Whether a line of a list with hanging indentation begins an entry, or the text below a term."""
        flush = self._indent(line) < _FLUSH and (
            begins_item(line) or FINISHED.search(before.text) is not None
        )
        if line.x0 < before.x0 - _FLUSH or flush:
            return True
        term = self._indent(before) < _FLUSH and before.width < _TERM * (self._column.x1 - self._column.x0)
        return term and _is_indented(line, self._column) and line.text[:1].isupper()

    def _begins_item(self, before: Line, line: Line, group: Sequence[Line]) -> bool:
        """Whether a line begins an item of a list: a mark alone may also be a number within a sentence."""
        if (
            abs(line.x0 - group[0].x0) <= line.size
            and FINISHED.search(before.text)
            and (counts_on(line, group[0]) or is_next_clause(line, group[0]))
        ):
            return True
        if not begins_item(line):
            return False
        outdented = len(group) > 1 and line.x0 < before.x0 - _FLUSH  # left of the item before it
        after_mark = len(group) == 1 and begins_item(before)
        return outdented or after_mark or _ends_short(before, self._column)

    def _follows_one_line(self, place: int) -> bool:
        """Whether the line at this place and the one above are both first lines, not lines of a block."""
        before, line, *below = self._column.lines[place - 1 : place + 2]
        if not _is_indented(line, self._column) or abs(line.x0 - before.x0) > _FLUSH:
            return False
        flush = any(self._indent(other) < _NO_INDENT * other.size for other in below)
        ends = before.text[-1] in FULL_STOPS or measures.next_word_fits(before, line, self._column.x1)
        return self._ended(before, line) or (flush and ends)

    def _ended(self, before: Line, line: Line) -> bool:
        """Whether the line before ends a paragraph, by its length and its stop."""
        ended = _ends_short(before, self._column) and measures.next_word_fits(before, line, self._column.x1)
        outdented = before.x0 - line.x0 > _INDENT[0] * line.size  # an option, below what the last one does
        return ended and (not begins_small(line.text) or before.text[-1] == ":" or outdented)


def has_term(line: Line) -> bool:
    """Whether a line begins in bold and goes on otherwise, as the entries of a glossary do."""
    return line.words[0].bold and not line.words[-1].bold


def _tagged(lines: Sequence[Line]) -> set[Line]:
    """Return the lines that begin with a tag in the margin, at one edge, and go on at another, all alike.

    They have one white space as wide, behind the tag.
    """
    edges: dict[tuple[int, int], list[Line]] = defaultdict(list)
    hanging: Counter[tuple[int, int]] = Counter()
    for line, below in pairwise([*lines, None]):
        white = [after.x0 - word.x1 for word, after in pairwise(line.words)] if line and not line.bold else []
        if not line or not white or (widest := max(white)) < _TAG_WHITE * line.size:
            continue
        tag, first = line.words[white.index(widest) :][:2]
        alone = len([one for one in white if 2 * one > widest]) == 1 and tag.text[-1] not in FULL_STOPS
        if alone and first.x0 - line.x0 <= _TAG_WIDTH * line.size:
            at = round(line.x0), round(first.x0)
            edges[at].append(line)
            hanging[at] += below is not None and abs(below.x0 - first.x0) <= _FLUSH
    return {line for at, found in edges.items() if len(found) + hanging[at] >= _TAGS for line in found}


def _begins_term(before: Line, line: Line, group: Sequence[Line]) -> bool:
    """Whether a line begins with a term that is set as the one of the group, after a full stop."""
    first = group[0]
    return (
        has_term(first)
        and has_term(line)
        and line.words[0].font == first.words[0].font
        and abs(line.x0 - first.x0) <= _FLUSH
        and FINISHED.search(before.text) is not None
    )


def _looks_otherwise(before: Line, line: Line) -> bool:
    """Whether a line in one font is followed by another font, or capitals by small letters."""
    other_font = before.font != "" and line.words[0].font != before.font
    return other_font or _ends_capitals(before, line)


def _ends_capitals(before: Line, line: Line) -> bool:
    return before.text.isupper() and not line.text.isupper() and not has_syllables(before.text)


def _is_indented(line: Line, column: TextColumn) -> bool:
    return _INDENT[0] * line.size < line.x0 - column.x0 < _INDENT[1] * line.size


def _is_centred(line: Line, column: TextColumn) -> bool:
    """Whether a line is set in from both edges of its column by as much."""
    left, right = line.x0 - column.x0, column.x1 - line.x1
    return min(left, right) > _INDENT[0] * line.size and abs(left - right) < _NO_INDENT * line.size


def _on_one_axis(above: Line, line: Line) -> bool:
    """Whether two lines of different widths have one middle."""
    most = _NO_INDENT * line.size
    return abs(above.x0 + above.x1 - line.x0 - line.x1) <= 2 * most < 2 * abs(above.x0 - line.x0)


def _alike(before: Line, line: Line) -> bool:
    """Whether two lines are in one print, but for a run-in heading in the first.

    Most of the last line of a paragraph may be set smaller: names in capitals, say.
    """
    first, last, following = before.words[0], before.words[-1], line.words[0]
    if before.bold == line.bold and (
        abs(before.size - line.size) <= _SIZE_CHANGE
        or (abs(last.size - following.size) <= _SIZE_CHANGE and not FINISHED.search(before.text))
    ):
        return True
    return (
        first.bold > last.bold == following.bold == line.bold
        and abs(last.size - following.size) <= _SIZE_CHANGE
    )


def _goes_on_bold(before: Line, line: Line, group: Sequence[Line]) -> bool:
    """Whether words in bold within a paragraph, the `group`, end the line before, and may go on in it."""
    if abs(before.size - line.size) > _SIZE_CHANGE or group[0].bold:
        return False
    return before.words[-1].bold and (line.words[0].bold or before.bold)


def _is_caption(lines: Sequence[Line]) -> bool:
    return is_caption(" ".join([line.text for line in lines[:_TELLING]]))


def _stands_for_itself(line: Line, group: Sequence[Line]) -> bool:
    """Whether a line begins keywords, or begins the notes below a caption, the `group` above."""
    if begins_keywords(line.text) or begins_role(line.text):
        return True
    return begins_notes(line.text) and _is_caption(group)


def _quotes_again(before: Line, line: Line, group: Sequence[Line]) -> bool:
    """Whether a line begins a further paragraph of a quotation, each of which begins with its mark."""
    return bool(_QUOTED.match(line.text) and _QUOTED.match(group[0].text) and FINISHED.search(before.text))


def _ends_short(line: Line, column: TextColumn) -> bool:
    return _is_short(line, column) and FINISHED.search(line.text) is not None


def _may_end(line: Line, column: TextColumn) -> bool:
    return _is_short(line, column) or FINISHED.search(line.text) is not None


def _is_short(line: Line, column: TextColumn) -> bool:
    return line.x1 < column.x0 + _SHORT * (column.x1 - column.x0)


def _speakers(lines: Sequence[Line]) -> set[str]:
    """Return the names of those who speak in a column of a play: "LANE. I am."."""
    names = Counter(_named(lines).values())
    play = _SPEAKERS <= len(names) < names.total() >= _SPEECHES
    return set(names) if play else set()


def _named(lines: Sequence[Line]) -> dict[int, str]:
    """Return the names that begin lines, in capitals or below the end of a sentence, by their places."""
    return {
        place: name[0]
        for place, (before, line) in enumerate(pairwise([None, *lines]))
        if line and (name := _SPEAKER.match(line.text)) and not KNOWN.fullmatch(name[0])
        if name[0].isupper() or (name[0][0].isupper() and (not before or FINISHED.search(before.text)))
    }


def _ends_verse(line: Line) -> bool:
    return FINISHED.search(line.text) is not None


def _verse(column: TextColumn, *, poem: bool = False) -> dict[int, float]:
    """Return the places of the lines, but for the first, in runs of verse, and the pitch of their run."""
    breaks = [
        place
        for place, (before, line) in enumerate(pairwise(column.lines), start=1)
        if abs(before.size - line.size) > _SIZE_CHANGE
        or before.bold != line.bold
        or "" != before.font != line.font != ""
    ]
    runs = (range(*ends) for ends in pairwise([0, *breaks, len(column.lines)]))
    return {
        place: pitch
        for run in runs
        if _is_verse(run, column, poem=poem)
        for pitch in [measures.pitch(column.lines[run.start : run.stop])]
        for place in run[1:]
    }


def _is_verse(run: Sequence[int], column: TextColumn, *, poem: bool) -> bool:
    """Whether most lines begin with a capital and end before they are full, few of them with a full stop."""
    if len(run) < (_POEM_LINES if poem else _STANZA_LINES) or column.zone is not None:
        return False
    lines = [column.lines[place] for place in run]
    capitals = sum([line.words[0].text.lstrip(_OPENING)[:1].isupper() for line in lines])
    if 3 * capitals < _VERSE_CAPITALS * len(lines):
        return False
    # What does not fit on a line of verse is turned over, twice at most, and set in.
    whole = [line for line in lines if not (_is_indented(line, column) and begins_small(line.text))]
    ends = [before for before, line in pairwise(lines) if line in whole] + lines[-1:]
    turned = len(whole) < _VERSE_WHOLE * len(lines)
    goes_on = sum(line.text[-1] in _GOES_ON for line in ends)
    if capitals < _VERSE_CAPITALS * len(whole) or (turned and goes_on < _VERSE_TURNED * len(ends)):
        return False
    broken = sum(measures.next_word_fits(before, line, column.x1) for before, line in pairwise(lines))
    stops = sum(line.text[-1] in FULL_STOPS for line in ends)
    words = median(len(line.words) for line in lines)
    marked = sum(line.text[-1] not in ")]" and not line.text[-1].isalnum() for line in lines)
    short = not poem and len(run) < _VERSE_LINES
    return (
        broken >= (_STANZA_BROKEN if short else _VERSE_BROKEN) * len(whole)
        and marked >= _VERSE_MARKED * len(lines)
        and not (short and any(_UNLIKE_VERSE.search(line.text) for line in lines))
        and stops <= _VERSE_STOPS * len(ends)
        and words >= _VERSE_WORDS
        and not any(begins_item(line) for line in whole)
    )


def _hanging(lines: Sequence[Line], pitch: float) -> set[int]:
    """Return the places of the lines in runs with hanging indentation, such as lists of references."""
    breaks = [
        place
        for place, (before, line) in enumerate(pairwise(lines), start=1)
        if abs(before.size - line.size) > _SIZE_CHANGE or line.y1 - before.y1 > _GAP * pitch
    ]
    runs = (range(*ends) for ends in pairwise([0, *breaks, len(lines)]))
    edges = [line.x0 + (_BRACKET * line.size if line.text[0] in _SPEECH else 0.0) for line in lines]
    parts = (part for run in runs for part in _with_one_indent(lines, edges, run))
    return {place for part in parts if _hangs(lines, edges, part) for place in part}


def _with_one_indent(lines: Sequence[Line], edges: Sequence[float], run: range) -> Iterator[range]:
    """Return the parts of a run in each of which indented lines begin at one edge.

    The first lines of paragraphs and the lines that hang below entries of a list seldom do.
    """
    left = min(edges[run.start : run.stop])
    start, edge = run.start, None
    for place in run:
        size = lines[place].size
        if edges[place] - left <= _INDENT[0] * size:
            continue
        if edge is not None and abs(edges[place] - edge) > _NO_INDENT * size:
            flush = edges[place - 1] - left <= _INDENT[0] * size
            first = place - 1 if flush else place  # with the first line of the entry from which it hangs
            yield range(start, first)
            start = first
        edge = edges[place]
    yield range(start, run.stop)


def _hangs(column: Sequence[Line], edges: Sequence[float], part: range) -> bool:
    """Whether indented lines of a part stand below full ones, and flush lines below short or finished ones.

    `edges` are where the print of the column's lines begins: brackets of Japanese have white before them.
    """
    if len(part) < _HANGING_LINES:
        return False
    lines = column[part.start : part.stop]
    left, right = min(edges[part.start : part.stop]), max(line.x1 for line in lines)
    indented = [edges[place] - left > _INDENT[0] * column[place].size for place in part]
    if not any(indented):
        return False
    steps = [
        (outer != inner and measures.next_word_fits(before, line, right) != inner)
        or (not inner and FINISHED.search(before.text) is not None)
        for (before, line), (outer, inner) in zip(pairwise(lines), pairwise(indented), strict=True)
        if not (outer and inner)
    ]
    return sum(steps) >= _HANGING * len(steps)
