"""Paragraph breaks: where in a column one paragraph ends and the next begins."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from statistics import median

import numpy as np
from numpy.typing import NDArray

from lookup.text.scripts import FULL_STOPS
from pipeline.layout import measures
from pipeline.layout.captions import is_caption
from pipeline.layout.footnotes import NoteMark
from pipeline.layout.headings import KNOWN
from pipeline.layout.line_features import EM, SIZE_CHANGE, Label, LineTable, Points, line_says, of_line
from pipeline.layout.list_marks import counted, counts_on, item_mark
from pipeline.layout.measures import FLUSH, NO_INDENT
from pipeline.layout.printed_paragraph import BEGINS_COLUMN, CENTRED, SPOKEN, PrintedParagraph
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

_TELLING_STEPS, _WHITER = 5, 0.08
"""Steps within paragraphs, and between them, at least, that tell them apart; and by how many line pitches."""

_AS_USUAL = 0.05  # Em by which the indent of a first line may differ from that of most.

_TELLING = 2  # Lines at the head of a paragraph that tell whether it is a caption.

_HANGING_LINES = 6  # Lines, at least, that show a hanging indentation; flat

_VERSE_LINES = 8  # Lines, at least, that show verse.

_STANZA_LINES = 4  # Lines of a stanza, at least, where there are fewer.

_VERSE_BROKEN = 0.15
"""Share of the lines of verse that had room for another word, and that end with a mark, at least: lines of
lists and addresses end with none. Of pages of verse .17 to .71 had room, of prose .03."""

_UNLIKE_VERSE = re.compile(r"\D\d|=")  # What a stanza has not, and lines below a formula or a title have.

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

_SPEECH = "「『〈《（"
"""How a paragraph may begin that Japanese does not indent: the bracket has half an em of white."""


def break_into_paragraphs(table: LineTable, size: float) -> Iterator[list[PrintedParagraph]]:
    """Yield the paragraphs of each page, of unknown kinds; `size` is that of the text's font, points."""
    breaks = _ParagraphBreaks(table, size)
    ends = pairwise(table.starts)
    for columns in table.pages:
        of_columns = zip(columns, ends, strict=False)
        yield [one for column, (start, end) in of_columns for one in breaks.paragraphs(column, start, end)]


class _ParagraphBreaks:
    """Goes down each column and begins a paragraph wherever a rule says so.

    `_at` has what holds for each line, `_verse` the places of the lines of verse, but for the first of a run,
    and its pitch, `_speeches` those of lines that begin with the name of a speaker.
    """

    def __init__(self, table: LineTable, size: float) -> None:
        self._table = t = table
        self._zones, self._inner = t.zones.tolist(), t.inner.tolist()
        self._notes: list[NoteMark | None] = t.values("note mark")
        running = t.zones == ""
        usual_pitch = measures.pitch(
            [line for line, zone in zip(t.lines, self._zones, strict=True) if not zone]
        )
        pitches = [np.full(len(column.lines), _pitch(column, usual_pitch)) for column in t.columns]
        pitch = np.concatenate([t.size[:0], *pitches])
        large = max(_LARGEST_PITCH, usual_pitch / size)
        ems = np.where(t.size > size + SIZE_CHANGE, large, _LARGEST_PITCH)
        steps = t.step / np.maximum(pitch, ems * t.size)
        as_text = running & (np.abs(t.size - size) <= SIZE_CHANGE / 2)
        usual = _usual_indent(t, as_text & (t.step <= measures.GAP * usual_pitch))
        self._indents = usual > 0
        gap = np.where(as_text, _least_gap(t, steps, as_text), measures.GAP)
        holds = _rules(t, steps, gap, as_text, usual)
        holds["hanging"] = _hanging(t, t.step > measures.GAP * pitch)
        self._named = _named(t, holds)
        self._at: dict[str, list[bool]] = {name: column.tolist() for name, column in holds.items()}
        other_font = t.each_below(lambda above, line: "" != above.font != line.font != "") > 0
        other_print = other_font | ~t.flags("same size") | (t.flags("bold") != t.above(t.flags("bold")))
        prints = [run for run in _runs(~t.inner | other_print) if running[run.start]]
        self._verse = self._verse_of(prints, _STANZA_LINES)
        whites = [place for place, own in self._verse.items() if t.step[place] > _STANZA * own]
        finished = [self._at["finished"][place - 1] for place in whites]
        self._stanzas = sum(finished) >= measures.MOST * len(finished)
        if 2 * len(self._verse) > running.sum():
            self._verse = self._verse_of(prints, _POEM_LINES)
        self._speeches = self._speeches_of()
        stamps = (place for place in self._speeches if _STAMP.fullmatch(t.lines[place].text))
        self._messages = {place + 1 for place in stamps}
        self._lines_of_verse = {place - 1 for place in self._verse} | set(self._verse)
        able = t.inner & (_may_begin(t, holds) | (np.array(self._named, str) != ""))
        self._may_begin = {*np.flatnonzero(able).tolist(), *self._speeches, *self._messages, *self._verse}
        self._may_begin -= {*t.starts}

    def _verse_of(self, prints: Sequence[range], least: int) -> dict[int, float]:
        """Return the places of the lines of verse, but for the first of a run in one print, with its pitch.

        Stanzas of fewer than `least` lines are none.
        """
        lines = self._table.lines
        return {
            place: pitch
            for run in prints
            if len(run) >= least and self._is_verse(run, least)
            for pitch in [measures.pitch(lines[run.start : run.stop])]
            for place in run[1:]
        }

    def _is_verse(self, run: range, least: int) -> bool:
        """Whether most lines begin with a capital and end before they are full, few with a full stop."""
        here = slice(run.start, run.stop)
        lines = self._table.lines[here]
        capitals = sum(self._at["capital"][here])
        if 3 * capitals < measures.MAINLY * len(lines):
            return False
        # What does not fit on a line of verse is turned over, twice at most, and set in.
        turned = self._at["turned over"][here]
        whole = len(lines) - sum(turned)
        ends = [line.text[-1] for line, over in zip(lines, [*turned[1:], False], strict=True) if not over]
        goes_on = sum(end in _GOES_ON for end in ends)
        if capitals < measures.MAINLY * whole or (
            whole < measures.MOST * len(lines) and 2 * goes_on < len(ends)
        ):
            return False
        broken = sum(self._at["fits"][here][1:])
        stops = sum(end in FULL_STOPS for end in ends)
        words = median(len(line.words) for line in lines)
        marked = sum(line.text[-1] not in ")]" and not line.text[-1].isalnum() for line in lines)
        short = least > _POEM_LINES and len(run) < _VERSE_LINES
        numbered = any(line.text[0].isdecimal() for line in lines)
        items = [self._at["item"][at] and (short or not self._at["apart"][at]) for at in run]
        return (
            broken >= (measures.MOST if short else _VERSE_BROKEN) * whole
            and marked >= _VERSE_BROKEN * len(lines)
            and not ((short or numbered) and any(map(is_unlike_verse, lines)))
            and 2 * stops <= len(ends)
            and words >= _VERSE_WORDS
            and not any(item and not over for item, over in zip(items, turned, strict=True))
        )

    def _speeches_of(self) -> set[int]:
        """Return the places of the lines that begin with the names of those who speak: "LANE. I am.".

        These are in capitals, with a time, or below a sentence's end.
        """
        inner, finished = self._inner, self._at["finished"]
        names = {
            place: name
            for place, name in enumerate(self._table.values("speaker"))
            if name
            and (
                name.isupper()
                or "#" in name
                or (name[0].isupper() and (not inner[place] or finished[place - 1]))
            )
        }
        speakers: set[str] = set()
        for start, end in pairwise(self._table.starts):
            said = Counter(names[at] for at in range(start, end) if at in names and not self._zones[at])
            if _SPEAKERS <= len(said) < said.total() >= _SPEECHES:
                speakers.update(said)
        return {place for place, name in names.items() if name in speakers}

    def paragraphs(self, column: TextColumn, start: int, end: int) -> Iterator[PrintedParagraph]:
        """Yield the paragraphs of a column, which has the lines from one place to another."""
        group: list[Line] = []  # the lines of the paragraph that is being made
        opens = start in self._speeches or self._at["indented"][start] != self._at["hanging"][start]
        begins, caption = BEGINS_COLUMN[1], False
        for place in range(start, end):
            if 0 < len(group) <= _TELLING:
                caption = _is_caption(group)
            follows = caption and self._at["goes on with a caption"][place]
            tests = () if follows or place not in self._may_begin else self._tests(place, group)
            if rule := next((rule for rule, holds in tests if holds), ""):
                yield self._paragraph(column, group, place, begins, opens=opens)
                group, opens, begins = [], True, rule
            group.append(self._table.lines[place])
        yield self._paragraph(column, group, end, begins, opens=opens)

    def _paragraph(
        self, column: TextColumn, lines: Sequence[Line], end: int, begins: str, *, opens: bool
    ) -> PrintedParagraph:
        """Return the paragraph of the lines before the place `end`, with the rule by which it begins."""
        start, zone = end - len(lines), self._zones[end - 1]
        if end - 1 in self._lines_of_verse:
            closes = self._stanzas and self._at["finished"][end - 1]
            opens = opens and self._inner[start]
        else:
            closes = self._at["short" if self._indents else "ends before the edge"][end - 1]
        rule = CENTRED if all(self._at["centred"][start:end]) else ""
        rule = SPOKEN if start in self._lines_of_verse or start in self._speeches else rule
        labels = [Label(BEGINS_COLUMN[0], begins, "paragraph_breaks")]
        labels += [Label("zone", zone, "zones")] if zone else []
        labels += self._table.labels(start, len(lines))
        return PrintedParagraph("", tuple(lines), zone, opens, closes, column.boxed, rule, tuple(labels))

    def _tests(self, place: int, group: Sequence[Line]) -> Iterator[tuple[str, bool]]:
        """Yield rules and whether a line begins a paragraph by them, up to those that decide alone.

        The surest come first. `group` are the lines of the paragraph above it.
        """
        at, before = self._at, self._table.lines[place - 1]
        begun = at["may end"][place - 1] or not at["alike"][place]
        yield "run-in heading", begun and run_in_heading(self._table.lines[place]) is not None
        yield "speaker", place in self._speeches or place in self._messages
        yield "keywords", at["keywords"][place]
        yield "below a caption", at["below a caption"][place] and _is_caption(group)
        if place in self._verse:
            yield "stanza", self._begins_stanza(place)
            return
        mark = self._notes[place - len(group)] if self._zones[place] == "footnote" else None
        if mark and (mark.raised or mark.text == before.text or not at["hanging"][place]):
            # A mark may stand above its note.
            yield "note", mark.text != before.text and self._begins_in_notes(place, group, mark)
            return
        yield "other print", not (at["alike"][place] or (at["in bold"][place] and not group[0].bold))
        yield self._named[place], self._named[place] != ""
        yield "note", self._zones[place] == "footnote" and self._begins_note(place, mark)
        yield "item", at["first below"][place] or self._counts_on(place, group)
        if at["hanging"][place]:
            opens = not at["hanging"][place - 1] and at["may end"][place - 1]
            yield "entry", opens or at["entry"][place] or at["ended"][place]
            return
        yield "item", at["item"][place] and self._begins_item(place, group)
        yield self._rule_of_body(place, group), True

    def _begins_stanza(self, place: int) -> bool:
        """Whether a line of verse begins a paragraph, below a sentence's end and white."""
        steps = self._table.step[place] / self._verse[place]
        empty = abs(steps - round(steps)) < _EMPTY_LINE
        return bool(steps > _STANZA and self._at["finished"][place - 1] and (self._stanzas or not empty))

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
        line, first = self._table.lines[place], group[0]
        if not self._at["finished"][place - 1]:
            return False
        if len(group) > 1 and item_mark(first) and line.x0 < min(one.x0 for one in group) - line.size:
            return True
        beside = abs(line.x0 - first.x0) <= line.size
        return beside and counts_on(line, first)

    def _begins_item(self, place: int, group: Sequence[Line]) -> bool:
        """Whether a line with a mark begins an item of a list: that may be a number within a sentence."""
        outdented = len(group) > 1 and self._at["outdented"][place]  # left of the item before it
        after_mark = len(group) == 1 and item_mark(self._table.lines[place - 1])
        return bool(outdented or after_mark or self._at["ends short"][place - 1])

    def _rule_of_body(self, place: int, group: Sequence[Line]) -> str:
        """Return the rule by which a line of running text begins a paragraph; '' where it goes on."""
        at, line = self._at, self._table.lines[place]
        if at["as usual"][place]:
            return "usual indent"
        if at["indented"][place] and at["flush"][place - 1]:
            # What is indented below an unfinished line hangs from it: an item or an entry of a list.
            hangs = item_mark(group[-1]) or (counted(group[-1]) and not counted(line))
            return "indent" if not hangs and at["may end"][place - 1] else ""
        if self._indents and not at["outdented"][place] and line.text[0] not in _SPEECH:
            return "indent below an indent" if len(group) == 1 and at["after one line"][place] else ""
        return "short line above" if at["ended"][place] else ""


def _pitch(column: TextColumn, usual: float) -> float:
    """Return the line pitch of a column, points: its own where it has lines enough and is not tighter."""
    if len(column.lines) < _OWN_PITCH:
        return usual
    tight = column.zone is not None and column.zone.kind in ("", "footnote")  # these may be set narrower
    return max(0.0 if tight else usual, measures.pitch(column.lines))


def _runs(begins: Flags) -> list[range]:
    """Return the places of lines in runs, by where these begin."""
    return [range(*ends) for ends in pairwise([*np.flatnonzero(begins).tolist(), len(begins)])]


def _usual_indent(t: LineTable, telling: Flags) -> int:
    """Return by how much most first lines that are `telling` are indented, in 1/64 em; 0 if they are not."""
    of, above = t.flags, t.above
    ends = of("short") & (of("finished") | _without_stops(t))
    telling = telling & above(ends) & above(above(~of("short"))) & ~of("short") & _alike(t) & ~of("item")
    depths = t["indent"][telling & of("indented")]
    if not len(depths) or len(depths) < measures.MOST * telling.sum():
        return 0
    return int(Counter(depths.tolist()).most_common(1)[0][0])


def _without_stops(t: LineTable) -> Flags:
    """Return which lines are in Thai or a neighbour of it, which ends sentences without a sign."""
    return t.flags("unparted") & (not t.dense)


def _named(t: LineTable, holds: Mapping[str, Flags]) -> list[str]:
    """Return the rule by which each line begins a paragraph, whatever stands above that; '' if there is none.

    `holds` is what `_rules` found.
    """
    of, above, indent, centred = t.flags, t.above, t["indent"], holds["centred"]
    far = (indent > measures.INDENT[1] * EM) & (t.zones == "")
    heading = above(of("short")) | (above(far) & of("flush") & ~of("bold"))  # or a date at the right
    title = above(of("capitals") & ~of("syllables")) & ~of("capitals")
    ends = of("stop") | of("colon")
    titled = (above(ends) & of("short") & ~of("finished")) | above(of("short") & ~ends)
    titled |= (t["size change"] != 0) | (of("indented") & ~centred & above(of("flush")))
    named = {
        "below a heading": (heading & (of("other font") | title)) | (above(centred) & title),
        "other fonts": of("other fonts") & titled,
        "white above": holds["apart"],
        "white below a short line": holds["roomy"] & ~of("bold"),
    }
    names: list[str] = np.select([*named.values()], [*named], "").tolist()
    return names


def _least_gap(t: LineTable, steps: Points, as_text: Flags) -> float:
    """Return the step, in line pitches, from which lines of text are of two paragraphs.

    Below a full last line nothing but white tells: where it is wider below short last lines than within
    paragraphs, what is halfway is enough.
    """
    short, ended = t.flags("short"), t.flags("finished") | _without_stops(t)
    within = steps[as_text & t.inner & t.above(~short & ~t.flags("finished"))]
    between = steps[as_text & t.above(short & ended) & t.flags("fits")]
    if min(len(within), len(between)) < _TELLING_STEPS:
        return measures.GAP
    low, high = np.quantile(within, measures.NEARLY_ALL), np.quantile(between, 1 - measures.NEARLY_ALL)
    return float(min(measures.GAP, (low + high) / 2)) if high > low + _WHITER else measures.GAP


def _rules(t: LineTable, steps: Points, gap: Points, as_text: Flags, usual: int) -> dict[str, Flags]:
    """Return where each rule holds that looks at a line and its neighbours alone.

    `steps` are those from the lines above, and `gap` the least between paragraphs, in line pitches. `as_text`
    are lines in the print of the text, whose `usual` indent is in 1/64 em.
    """
    of, above, indent, shift = t.flags, t.above, t["indent"], t["shift"]
    finished, indented, flush = of("finished"), of("indented"), of("flush")
    may_end, ends_short = of("short") | finished, of("short") & finished
    told = above(finished | _without_stops(t)) & ~of("small") & (steps > gap)
    apart, outdented = t.inner & (told | (steps > measures.GAP)), shift < -FLUSH * EM
    below = above(of("colon")) | ~of("small") | (shift < -measures.INDENT[0] * EM)
    ended = above(ends_short) & of("fits") & below
    # what hangs from a term or an entry, or stands below one line
    low = t.below(flush & t.inner)
    one_line = indented & (np.abs(shift) <= FLUSH * EM)
    stopped = above(of("stop")) | of("fits") | _without_stops(t)
    at_edge = indent < FLUSH * EM
    term = above(at_edge & (t["fill"] < EM / 2)) & indented & of("capital")
    as_text = as_text & (usual > 0)
    at_usual = as_text & (np.abs(indent - usual) <= _AS_USUAL * EM)
    as_usual = at_usual & low & ~of("small") & ~above(of("broken"))
    as_usual &= ended | (np.abs(shift) > _AS_USUAL * EM)
    opens = as_usual | (as_text & ((indented & above(may_end & flush)) | (one_line & low)))
    others = opens | of("caption") | of("below a caption") | apart
    deeper = t.inner & (t.zones == "") & (shift > measures.INDENT[0] * EM)
    cells = (t.zones == "table") & above(finished) & ~of("prose")
    label = above(of("label")) & (t["size change"] < 0)
    even = np.abs(indent - t["room"]) < NO_INDENT * EM
    return {
        "centred": even & (np.minimum(indent, t["room"]) > measures.INDENT[0] * EM),
        "may end": may_end,
        "ends short": ends_short,
        "ends before the edge": t["room"] > FLUSH * EM,
        "turned over": indented & of("small"),
        "outdented": outdented,
        "apart": apart,
        "roomy": (steps > _ROOM_GAP) & (of("fits") | (of("unparted") & above(of("unparted")))),
        "ended": ended,
        "alike": _alike(t),
        "in bold": above(of("ends bold")) & (of("begins bold") | above(of("bold"))) & of("same size"),
        "entry": outdented | (at_edge & (of("item") | above(finished))) | term,
        "as usual": as_usual,
        "after one line": one_line & (ended | ((low | _alone(t, at_usual)) & stopped)),
        "goes on with a caption": t.inner & (of("same size") | label) & ~others & ~cells,
        "first below": deeper & of("first item") & ~of("mark alone") & above(finished),
        **{name: of(name) for name in ("short", "indented", "flush", "fits", "keywords", "below a caption")},
        **{name: of(name) for name in ("finished", "item", "sure note", "capital")},
    }


def _may_begin(t: LineTable, holds: Mapping[str, Flags]) -> Flags:
    """Return which lines may begin a paragraph by a rule that does not name them; `_tests` asks what does."""
    able: Flags = t.above(holds["may end"]) | ~holds["alike"] | (t.zones == "footnote")
    rules = ("keywords", "below a caption", "first below", "hanging", "item", "as usual")
    named: Flags = np.any([holds[name] for name in (*rules, "after one line")], axis=0)
    return able | named


def _alone(t: LineTable, at_usual: Flags) -> Flags:
    """Return which lines at the usual indent of first lines stand below one another as a paragraph each.

    At least half of them had room on the line above, up to the end of the longest; in a quotation none has.
    """
    alone = np.zeros(len(at_usual), bool)
    for run in _runs(~(at_usual & t.above(at_usual))):
        if len(run) > 1:
            below, right = slice(run.start + 1, run.stop), t.x1[run.start : run.stop - 1].max()
            beyond = (t.right[below] - right) / t.size[below]
            had_room = t["spare"][below] > EM * (measures.SPACE + beyond)
            alone[below] = 2 * had_room.sum() >= len(run) - 1
    return alone


def _hanging(t: LineTable, apart: Flags) -> Flags:
    """Return which lines are in runs with hanging indentation, such as lists of references.

    Indented lines stand below full ones, and flush lines below short or finished ones.
    """
    brackets = np.array([line.text[0] in _SPEECH for line in t.lines])  # of Japanese, with white before them
    edges, fits, finished = t["indent"] + brackets * EM / 2, t.flags("fits"), t.flags("finished")
    hangs = np.zeros(len(edges), bool)
    for run in _runs(~t.inner | apart | ~t.flags("same size")):
        if len(run) >= _HANGING_LINES:
            here = slice(run.start, run.stop)
            indented = edges[here] - edges[here].min() > measures.INDENT[0] * EM
            outer, inner = indented[:-1], indented[1:]
            told = ~(outer & inner)
            so = told & (((outer != inner) & (fits[here][1:] != inner)) | (~inner & finished[here][:-1]))
            hangs[here] = indented.any() and 2 * so.sum() >= told.sum()
    return hangs


def _alike(table: LineTable) -> Flags:
    """Whether lines are in one print with those above, but for a run-in heading in these.

    Most of the last line of a paragraph may be set smaller: names in capitals, say.
    """
    bold, first, last = table.flags("bold"), table.flags("begins bold"), table.flags("ends bold")
    whole, ends = table.flags("same size"), np.abs(table["last size change"]) <= SIZE_CHANGE * EM
    above = table.above(bold), table.above(first), table.above(last), table.above(table.flags("finished"))
    alike: Flags = (above[0] == bold) & (whole | (ends & ~above[3]))
    alike |= above[1] & ~above[2] & ~first & ~bold & ends
    return alike


def _is_caption(lines: Sequence[Line]) -> bool:
    return is_caption(" ".join([line.text for line in lines[:_TELLING]]))


@of_line("speaker")
def speaker(line: Line) -> str:
    """Return the name that a line begins with, as speeches of plays and messages of chats do, else ''.

    It ends with a stop or a colon, is in bold, or stands beside a time, of which the numbers are left out.
    """
    timed = line.text[-1].isdecimal() or line.text[-1] in "Mm.])"  # as few lines end
    if stamp := _STAMPED.match(line.text) or (timed and _STAMP.fullmatch(line.text)):
        return re.sub(r"\d+", "#", stamp[0])
    match = _SPEAKER.match(line.text)
    bold = " ".join([word.text for word in takewhile(lambda word: word.bold, line.words)])
    name = match[0] if match else bold if bold != line.text else ""
    return "" if KNOWN.fullmatch(name) else name


is_unlike_verse = line_says("unlike verse", _UNLIKE_VERSE.search)
"""Whether a line has a digit behind its beginning, or a sign of equality."""
