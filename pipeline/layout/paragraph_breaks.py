"""Paragraph breaks: where in a column one paragraph ends and the next begins."""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from lookup.text.scripts import FULL_STOPS
from pipeline.layout import measures
from pipeline.layout.captions import is_caption
from pipeline.layout.footnotes import NoteMark
from pipeline.layout.headings import KNOWN
from pipeline.layout.line_features import EM, Label, LineTable, is_finished, is_small, line_says, of_line
from pipeline.layout.list_marks import counts_on, is_next_clause, item_mark
from pipeline.layout.measures import FLUSH, NO_INDENT
from pipeline.layout.printed_paragraph import SPOKEN, PrintedParagraph
from pipeline.layout.reading_order import TextColumn
from pipeline.layout.run_in import run_in_heading
from pipeline.pdf.reading import Line

Flags = NDArray[np.bool_]

_ROOM_GAP = 1.15
"""Line pitches: a larger step is enough below a line that had room for the next word, and between lines of
scripts without spaces: in Thai no stop ends a sentence."""

_LARGEST_PITCH = 1.1  # 1.25x: exact -.008, precision -.013, captions -.039, sections -.003
"""Em: the pitch of a line of large print, where it is more than the usual one."""

_OWN_PITCH = 4  # flat
"""Lines that a column must have for its own pitch to count: an abstract may be set wider than the text."""

_AS_USUAL = 0.05  # Em by which the indent of a first line may differ from that of most.

_SHORT = 0.88  # 0.8x: exact -.004, precision -.004; 1.25x: exact -.086, precision -.161
"""Share of the column's width: a line that ends before it and with a stop ends a paragraph."""

_TELLING = 2  # Lines at the head of a paragraph that tell whether it is a caption.

_SIZE_CHANGE = 0.59  # Points by which the font size of consecutive lines may differ within a paragraph; flat

_HANGING_LINES = 6  # Lines, at least, that show a hanging indentation; flat

_VERSE_LINES = 8  # Lines, at least, that show verse.

_STANZA_LINES = 4  # Lines of a stanza, at least, where there are fewer.

_VERSE_BROKEN = 0.15
"""Share of the lines of verse that had room for another word, and that end with a mark, at least: lines of
lists and addresses end with none. Of pages of verse .17 to .71 had room, of prose .03."""

_UNLIKE_VERSE = re.compile(r"[\d=]")  # What a stanza has not, and lines below a formula or a title have.

_GOES_ON = ",;:—–-"  # Marks at which a sentence goes on.

_VERSE_WORDS = 4  # Words of the median line of verse, at least: lists of names and cells have fewer.
_POEM_LINES = 2  # Lines of a stanza, at least, where most of the document is verse: the last of a page; flat
_EMPTY_LINE = 0.02  # Times the line pitch by which white may differ from an empty line of verse; flat
_STANZA = 1.25  # Times the line pitch of verse: a larger step from line to line begins a stanza.

_SPEAKER = re.compile(
    r"(?:(?:[^\W\d_a-z][\w.’'-]*\s){0,3}[^\W\d_a-z][\w’'-]+|[QA])[.:](?=\s+[^\W_]|$|\s[“‘(\[])"
)
_DATE, _TIME = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}", r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp]\.?[Mm]\.?)?"
_STAMPED = re.compile(rf"[\[(]?(?:{_DATE},?\s)?{_TIME}[\])]?(?:\s?[-–—])?\s[^:.]{{1,40}}:(?=\s)")
"""How a message of a chat begins that has its time and its writer before its words, on one line."""

_STAMP = re.compile(rf"[^\W\d_][^:.]{{1,40}}\s[\[(]?{_TIME}[\])]?")
"""A line above a message: the writer and the time."""

_SPEECHES, _SPEAKERS = 5, 2
"""Lines of a column that begin with a name, and different names among them, at least, of a play; some name
comes again."""

_OPENING = "“‘\"'«(—–"
"""What may stand before the first word of a line."""

_SPEECH = "「『〈《（"
"""How a paragraph may begin that Japanese does not indent: the bracket has half an em of white."""


@dataclass(frozen=True)
class Style:
    """How a document sets paragraphs: size and line pitch in points, and whether first lines are indented.

    `indent` is by how much most of them are, in 1/64 em; 0 if they are not. `stanzas` is whether an empty
    line of verse ends a paragraph: sentences end there too. `poem` is whether most of the document is verse.
    `speakers` are those of a play, as their names begin lines.
    """

    size: float
    pitch: float
    indents: bool
    stanzas: bool = True
    poem: bool = False
    speakers: Container[str] = ()
    indent: int = 0


def style(t: LineTable, size: float, tables: Sequence[int] = ()) -> Style:
    """Return how paragraphs are set in columns of running text; `size` is that of the text's font.

    Pages at the places in `tables` tell nothing.
    """
    pages = [of_page for place, of_page in enumerate(t.pages) if place not in tables]
    columns = [one for of_page in pages for one in of_page if not one.zone or one.boxed]
    pitch = measures.pitch([line for column in columns for line in column.lines])
    short = _is_short(t)
    told = (
        (t.zones == "")
        & t.above(short & (t.flags("finished") | _without_stops(t)))
        & t.above(t.above(~short))
        & ~short
        & (np.abs(t.size - size) <= _SIZE_CHANGE / 2)
        & _alike(t)
        & (t.step <= measures.GAP * pitch)
        & ~t.flags("item")
    )
    for place in tables:
        told[t.of_pages[place]] = False
    starts = _is_indented(t)[told]
    depths = Counter(t["indent"][told][starts].tolist()).most_common(1)
    verse = [(column.lines, _verse(column)) for column in columns]
    ends = [
        is_finished(lines[place - 1])
        for lines, pitches in verse
        for place, own in pitches.items()
        if lines[place].y1 - lines[place - 1].y1 > _STANZA * own
    ]
    indents = len(starts) > 0 and bool(starts.sum() >= measures.MOST * len(starts))
    poem = 2 * sum(len(pitches) for _, pitches in verse) > sum(len(lines) for lines, _ in verse)
    speakers = frozenset().union(*(_speakers(column.lines) for column in columns))
    stanzas = sum(ends) >= measures.MOST * len(ends)
    return Style(size, pitch, indents, stanzas, poem, speakers, depths[0][0] if indents else 0)


def break_into_paragraphs(table: LineTable, usual: Style) -> Iterator[list[PrintedParagraph]]:
    """Yield the paragraphs of each page. Usual run-in headings are headings, other kinds still unknown."""
    rules = _Rules(table, usual)
    starts = iter(table.starts)
    for columns in table.pages:
        out: list[PrintedParagraph] = []
        for column, start in zip(columns, starts, strict=False):
            if column.lines:
                out += _ParagraphBreaks(column, start, rules, usual).paragraphs()
        yield out


def _pitch(column: TextColumn, usual: Style) -> float:
    """Return the line pitch of a column, points: its own where it has lines enough and is not tighter."""
    if len(column.lines) < _OWN_PITCH:
        return usual.pitch
    tight = column.zone is not None and column.zone.kind in ("", "footnote")  # these may be set narrower
    return max(0.0 if tight else usual.pitch, measures.pitch(column.lines))


class _Rules:
    """The rules that look at a line and its neighbours alone, with what holds for each line."""

    def __init__(self, table: LineTable, usual: Style) -> None:
        t, of, above = table, table.flags, table.above
        lines = [len(column.lines) for column in t.columns]
        running = t.zones == ""
        self.table = t
        self.notes: list[NoteMark | None] = t.values("note mark")
        self.pitch = np.repeat([_pitch(column, usual) for column in t.columns] or [0.0], lines or [0])
        large = max(_LARGEST_PITCH, usual.pitch / usual.size)
        ems = np.where(t.size > usual.size + _SIZE_CHANGE, large, _LARGEST_PITCH)
        pitch = np.maximum(self.pitch, ems * t.size)
        indent, room, shift = t["indent"], t["room"], t["shift"]
        fits = t.inner & (t["spare"] > measures.SPACE * EM)
        short, indented, flush = _is_short(t), _is_indented(t), indent < NO_INDENT * EM
        may_end, ends_short = short | of("finished"), short & of("finished")
        apart, outdented = t.inner & (t.step > measures.GAP * pitch), shift < -FLUSH * EM
        roomy = (t.step > _ROOM_GAP * pitch) & (fits | (of("unparted") & above(of("unparted"))))
        alike = _alike(t)
        below = above(of("colon")) | ~of("small") | (shift < -measures.INDENT[0] * EM)
        ended = above(ends_short) & fits & below
        same_size = np.abs(t["size change"]) <= _SIZE_CHANGE * EM
        # what stands in the middle, above text
        even = np.abs(indent - room) < NO_INDENT * EM
        centred = even & (np.minimum(indent, room) > measures.INDENT[0] * EM)
        title = above(of("capitals") & ~of("syllables")) & ~of("capitals")
        ends = of("stop") | of("colon")
        titled = (above(ends) & short & ~of("finished")) | above(short & ~ends) | (t["size change"] != 0)
        titled |= indented & ~centred & above(flush)
        named = (
            ("below a heading", (above(short) & (of("other font") | title)) | (above(centred) & title)),
            ("other fonts", of("other fonts") & titled),
            ("white above", apart),
            ("white below a short line", roomy & ~of("bold")),
        )
        self.named: list[str] = np.select(
            [holds for _, holds in named], [name for name, _ in named], ""
        ).tolist()
        # what hangs from a term or an entry, or stands below one line
        low = t.below(flush & t.inner)
        one_line = indented & (np.abs(shift) <= FLUSH * EM)
        at_edge = indent < FLUSH * EM
        term = above(at_edge & (t["fill"] < EM / 2)) & indented & of("capital")
        as_text = running & (np.abs(t.size - usual.size) <= _SIZE_CHANGE / 2)
        as_usual = usual.indents & as_text & (np.abs(indent - usual.indent) <= _AS_USUAL * EM)
        as_usual &= low & (np.abs(shift) > _AS_USUAL * EM) & ~of("small") & ~above(of("broken"))
        opens = usual.indents & as_text & ((indented & above(may_end & flush)) | (one_line & low))
        opens |= as_usual
        others = opens | of("caption") | of("below a caption") | apart
        deeper = t.inner & running & (shift > measures.INDENT[0] * EM)
        cells = (t.zones == "table") & above(of("finished")) & ~of("prose")
        label = above(of("label")) & (t["size change"] < 0)
        holds = {
            "short": short,
            "may end": may_end,
            "ends short": ends_short,
            "ends before the edge": room > FLUSH * EM,
            "indented": indented,
            "flush": flush,
            "outdented": outdented,
            "apart": apart,
            "roomy": roomy,
            "ended": ended,
            "alike": alike,
            "in bold": above(of("ends bold")) & (of("begins bold") | above(of("bold"))) & same_size,
            "entry": outdented | (at_edge & (of("item") | above(of("finished")))) | term,
            "as usual": as_usual,
            "after one line": one_line & (ended | (low & (above(of("stop")) | fits | _without_stops(t)))),
            "goes on with a caption": t.inner & (same_size | label) & ~others & ~cells,
            "first below": deeper & of("first item") & ~of("mark alone") & above(of("finished")),
        }
        holds |= {name: of(name) for name in _READ}
        self.holds: dict[str, list[bool]] = {name: column.tolist() for name, column in holds.items()}


_READ = ("keywords", "below a caption", "finished", "item", "sure note")
"""Features that are read line by line."""


class _ParagraphBreaks:
    """Goes down a column and begins a paragraph wherever a rule says so."""

    def __init__(self, column: TextColumn, start: int, rules: _Rules, usual: Style) -> None:
        self._column = column
        self._usual = usual
        self._table, self._start = rules.table, start  # of the page, and the column's first place in it
        self._zone = column.zone.kind if column.zone else ""
        here = slice(start, start + len(column.lines))
        self._notes = rules.notes[here]
        self._at = {name: holds[here] for name, holds in rules.holds.items()}
        self._named = rules.named[here]
        self._hanging = _hanging(column.lines, rules.pitch[start])
        self._verse = _verse(column, poem=usual.poem)
        speakers = _named(column.lines) if usual.speakers else {}
        self._speeches = {place for place, name in speakers.items() if name in usual.speakers}
        alone = (place for place in self._speeches if _STAMP.fullmatch(column.lines[place].text))
        self._messages = {place + 1 for place in alone}
        verse = {place - 1 for place in self._verse} | set(self._verse)
        self._lines_of_verse = {column.lines[place] for place in verse}
        self._spoken = {column.lines[place] for place in verse | self._speeches}

    def paragraphs(self) -> list[PrintedParagraph]:
        out: list[PrintedParagraph] = []
        group: list[Line] = []  # the lines of the paragraph that is being made
        opens, begins, caption = True, "column", False
        for place, line in enumerate(self._column.lines):
            if len(group) <= _TELLING:
                caption = _is_caption(group)
            follows = caption and self._at["goes on with a caption"][place]
            heading = None
            begun = place == 0 or self._at["may end"][place - 1] or not self._at["alike"][place]
            if begun and not follows:
                heading = run_in_heading(line)
            rule = "" if follows or heading or place == 0 else self._rule(place, group)
            if heading:
                out += self._paragraph(group, place, begins, opens=opens)
                labels = (Label("begins a paragraph", "run-in heading", "run_in"),)
                first = PrintedParagraph("heading", heading[:1], self._zone, rule="run_in", labels=labels)
                out.append(replace(first, boxed=self._column.boxed))
                group, opens, begins = [heading[1]], True, "run-in heading"
            elif place == 0:
                group, opens = [line], place in self._speeches or self._at["indented"][place]
            elif not rule:
                group.append(line)
            else:
                out += self._paragraph(group, place, begins, opens=opens)
                group, opens, begins = [line], True, rule
        return [*out, *self._paragraph(group, len(self._column.lines), begins, opens=opens)]

    def _paragraph(
        self, lines: Sequence[Line], end: int, begins: str, *, opens: bool
    ) -> list[PrintedParagraph]:
        """Return the paragraph of the lines before the place `end`, with the rule by which it begins."""
        if not lines:
            return []
        column = self._column
        if lines[-1] in self._lines_of_verse:
            closes = self._usual.stanzas and is_finished(lines[-1])
            opens = opens and lines[0] is not column.lines[0]
        else:
            closes = self._at["short" if self._usual.indents else "ends before the edge"][end - 1]
        rule = SPOKEN if lines[0] in self._spoken else ""
        labels = [Label("begins a paragraph", begins, "paragraph_breaks")]
        labels += [Label("zone", self._zone, "zones")] if self._zone else []
        labels += self._table.labels(self._start + end - len(lines), len(lines))
        how = column.boxed, rule, tuple(labels)
        return [PrintedParagraph("", tuple(lines), self._zone, opens, closes, *how)]

    def _rule(self, place: int, group: Sequence[Line]) -> str:
        """Return the rule by which the line at this place begins a paragraph; '' where it goes on.

        `group` are the lines of the paragraph above it.
        """
        return next((rule for rule, holds in self._tests(place, group) if holds), "")

    def _tests(self, place: int, group: Sequence[Line]) -> Iterator[tuple[str, bool]]:
        """Yield rules and whether they hold, up to those that decide alone; the surest come first."""
        at, before, line = self._at, self._column.lines[place - 1], self._column.lines[place]
        yield "speaker", place in self._speeches or place in self._messages
        yield "keywords", at["keywords"][place]
        yield "below a caption", at["below a caption"][place] and _is_caption(group)
        if place in self._verse:
            yield "stanza", self._begins_stanza(before, line, self._verse[place])
            return
        mark = self._notes[place - len(group)] if self._zone == "footnote" else None
        if mark and (mark.raised or mark.text == before.text or not self._hanging):
            # A mark may stand above its note.
            yield "note", mark.text != before.text and self._begins_in_notes(place, group, mark)
            return
        yield "other print", not (at["alike"][place] or (at["in bold"][place] and not group[0].bold))
        yield self._named[place], self._named[place] != ""
        yield "note", self._zone == "footnote" and self._begins_note(place, mark)
        yield "item", at["first below"][place] or self._counts_on(place, group)
        if place in self._hanging:
            opens = place - 1 not in self._hanging and at["may end"][place - 1]
            yield "entry", opens or at["entry"][place] or at["ended"][place]
            return
        yield "item", at["item"][place] and self._begins_item(place, group)
        yield self._rule_of_body(place, group), True

    def _begins_stanza(self, before: Line, line: Line, pitch: float) -> bool:
        """Whether a line of verse begins a paragraph, below a sentence's end and white."""
        steps = (line.y1 - before.y1) / pitch
        empty = abs(steps - round(steps)) < _EMPTY_LINE
        return steps > _STANZA and is_finished(before) and (self._usual.stanzas or not empty)

    def _begins_in_notes(self, place: int, group: Sequence[Line], mark: NoteMark) -> bool:
        """Whether a line begins a note after one with a `mark`, or a further paragraph of that."""
        at = self._at
        if self._begins_note(place, mark) or at["apart"][place]:
            return True
        if at["indented"][place] and at["flush"][place - 1]:  # it may hang from the first line
            return len(group) > 1
        return bool(at["ended"][place] or at["roomy"][place])

    def _begins_note(self, place: int, first: NoteMark | None) -> bool:
        """Whether a line among notes begins one, after the note with the mark `first` or the rest of one."""
        mark = self._notes[place]
        if mark is None:
            return False
        if first and first.raised >= mark.raised:
            return mark.follows(first)
        return bool(self._at["sure note"][place] and self._at["finished"][place - 1])

    def _counts_on(self, place: int, group: Sequence[Line]) -> bool:
        """Whether a line has the mark after that of the item above it, or stands left of all its lines."""
        line, first = self._column.lines[place], group[0]
        if not self._at["finished"][place - 1]:
            return False
        if len(group) > 1 and item_mark(first) and line.x0 < min(one.x0 for one in group) - line.size:
            return True
        beside = abs(line.x0 - first.x0) <= line.size
        return beside and (counts_on(line, first) or is_next_clause(line, first))

    def _begins_item(self, place: int, group: Sequence[Line]) -> bool:
        """Whether a line with a mark begins an item of a list: that may be a number within a sentence."""
        outdented = len(group) > 1 and self._at["outdented"][place]  # left of the item before it
        after_mark = len(group) == 1 and item_mark(self._column.lines[place - 1])
        return bool(outdented or after_mark or self._at["ends short"][place - 1])

    def _rule_of_body(self, place: int, group: Sequence[Line]) -> str:
        """Return the rule by which a line of running text begins a paragraph; '' where it goes on."""
        at, line = self._at, self._column.lines[place]
        if at["as usual"][place]:
            return "usual indent"
        if at["indented"][place] and at["flush"][place - 1]:
            # What is indented below an unfinished line hangs from it: an item or an entry of a list.
            return "indent" if not item_mark(group[-1]) and at["may end"][place - 1] else ""
        if self._usual.indents and not at["outdented"][place] and line.text[0] not in _SPEECH:
            return "indent below an indent" if len(group) == 1 and at["after one line"][place] else ""
        return "short line above" if at["ended"][place] else ""


def _without_stops(table: LineTable) -> Flags:
    """Return which lines are in Thai or a neighbour of it, which ends sentences without a sign."""
    return table.flags("unparted") & (not table.dense)


def _is_indented(table: LineTable) -> Flags:
    indent = table["indent"]
    return (measures.INDENT[0] * EM < indent) & (indent < measures.INDENT[1] * EM)


def _is_short(table: LineTable) -> Flags:
    short: Flags = table["fill"] < _SHORT * EM
    return short


def _alike(table: LineTable) -> Flags:
    """Whether lines are in one print with those above, but for a run-in heading in these.

    Most of the last line of a paragraph may be set smaller: names in capitals, say.
    """
    bold, first, last = table.flags("bold"), table.flags("begins bold"), table.flags("ends bold")
    whole, ends = (np.abs(table[name]) <= _SIZE_CHANGE * EM for name in ("size change", "last size change"))
    above = table.above(bold), table.above(first), table.above(last), table.above(table.flags("finished"))
    alike: Flags = (above[0] == bold) & (whole | (ends & ~above[3]))
    alike |= above[1] & ~above[2] & ~first & ~bold & ends
    return alike


def _is_caption(lines: Sequence[Line]) -> bool:
    return is_caption(" ".join([line.text for line in lines[:_TELLING]]))


@of_line("speaker")
def speaker(line: Line) -> str:
    """Return the name that a line begins with, as speeches of plays and messages of chats do, else ''.

    It ends with a stop or a colon, or stands beside a time, of which the numbers are left out.
    """
    if stamp := _STAMPED.match(line.text) or _STAMP.fullmatch(line.text):
        return re.sub(r"\d+", "#", stamp[0])
    name = _SPEAKER.match(line.text)
    return name[0] if name and not KNOWN.fullmatch(name[0]) else ""


is_unlike_verse = line_says("unlike verse", _UNLIKE_VERSE.search)
"""Whether a line has a digit or a sign of equality."""


def _speakers(lines: Sequence[Line]) -> set[str]:
    """Return the names of those who speak in a column of a play: "LANE. I am."."""
    names = Counter(_named(lines).values())
    play = _SPEAKERS <= len(names) < names.total() >= _SPEECHES
    return set(names) if play else set()


def _named(lines: Sequence[Line]) -> dict[int, str]:
    """Return the names that begin lines, in capitals, with a time or below a sentence's end, by place."""
    return {
        place: name
        for place, name in enumerate(speaker.of_each(lines))
        if name.isupper()
        or "#" in name
        or (name[:1].isupper() and (place == 0 or is_finished(lines[place - 1])))
    }


def _set_in(line: Line, column: TextColumn) -> bool:
    return measures.INDENT[0] * line.size < line.x0 - column.x0 < measures.INDENT[1] * line.size


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
    if 3 * capitals < measures.MAINLY * len(lines):
        return False
    # What does not fit on a line of verse is turned over, twice at most, and set in.
    whole = [line for line in lines if not (_set_in(line, column) and is_small(line))]
    ends = [before for before, line in pairwise(lines) if line in whole] + lines[-1:]
    turned = len(whole) < measures.MOST * len(lines)
    goes_on = sum(line.text[-1] in _GOES_ON for line in ends)
    if capitals < measures.MAINLY * len(whole) or (turned and 2 * goes_on < len(ends)):
        return False
    broken = sum(measures.next_word_fits(before, line, column.x1) for before, line in pairwise(lines))
    stops = sum(line.text[-1] in FULL_STOPS for line in ends)
    words = median(len(line.words) for line in lines)
    marked = sum(line.text[-1] not in ")]" and not line.text[-1].isalnum() for line in lines)
    short = not poem and len(run) < _VERSE_LINES
    return (
        broken >= (measures.MOST if short else _VERSE_BROKEN) * len(whole)
        and marked >= _VERSE_BROKEN * len(lines)
        and not (short and any(map(is_unlike_verse, lines)))
        and 2 * stops <= len(ends)
        and words >= _VERSE_WORDS
        and not any(item_mark(line) for line in whole)
    )


def _hanging(lines: Sequence[Line], pitch: float) -> set[int]:
    """Return the places of the lines in runs with hanging indentation, such as lists of references."""
    breaks = [
        place
        for place, (before, line) in enumerate(pairwise(lines), start=1)
        if abs(before.size - line.size) > _SIZE_CHANGE or line.y1 - before.y1 > measures.GAP * pitch
    ]
    runs = (range(*ends) for ends in pairwise([0, *breaks, len(lines)]))
    edges = [line.x0 + (line.size / 2 if line.text[0] in _SPEECH else 0.0) for line in lines]
    return {place for run in runs if _hangs(lines, edges, run) for place in run}


def _hangs(column: Sequence[Line], edges: Sequence[float], part: range) -> bool:
    """Whether indented lines of a part stand below full ones, and flush lines below short or finished ones.

    `edges` are where the print of the column's lines begins: brackets of Japanese have white before them.
    """
    if len(part) < _HANGING_LINES:
        return False
    lines = column[part.start : part.stop]
    left, right = min(edges[part.start : part.stop]), max(line.x1 for line in lines)
    indented = [edges[place] - left > measures.INDENT[0] * column[place].size for place in part]
    if not any(indented):
        return False
    steps = [
        (outer != inner and measures.next_word_fits(before, line, right) != inner)
        or (not inner and is_finished(before))
        for (before, line), (outer, inner) in zip(pairwise(lines), pairwise(indented), strict=True)
        if not (outer and inner)
    ]
    return 2 * sum(steps) >= len(steps)
