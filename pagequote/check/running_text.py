"""A manuscript's running text, with the quotations and citations in it, and which of them belong together.

Each reader of a markup turns its source into a `RunningText`; what follows is the same for all of them.
"""

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import NamedTuple

from lookup.errors import QueryError
from lookup.text.scripts import without_turns
from pagequote.check.quotation import UNREAD, Citation, MappedText, Quotation, Spans

_MOVED = {
    "^": str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ"),
    "_": str.maketrans("0123456789+-−–()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎"),
}


def moved(text: str, where: str) -> str:
    """Return a number raised ("^") or lowered ("_"): "⁻⁵" for "-5". Other text ("th") stays as it is."""
    changed = text.translate(_MOVED[where])
    still = any(char.isalnum() and same == char for char, same in zip(text, changed, strict=True))
    return text if still else changed


CITED = "\ufdd0"  # Marks a citation in the text: no character, so that no source means it.

_APART = "\ufdd1"
"""Marks a quotation with its citation within: text on its two sides does not belong together."""

QUOTES = str.maketrans(dict.fromkeys('"“”„«»‹›', "\uff02"))
"""Makes of a quotation mark one that opens and closes nothing: the full-width one is the same when folded."""

OURS = str.maketrans(dict.fromkeys((CITED, _APART), UNREAD))


class Quoted(NamedTuple):
    """Quoted characters of the text: a block, or between quotation marks."""

    start: int
    end: int
    form: str
    block: bool = False


MOST_CHARACTERS = 8 << 20
"""Characters of a manuscript: a thesis of 500 pages has 1 million. With 13 bytes for each, 110 MB."""

_UTF32 = f"utf-32-{sys.byteorder[0]}e"


class RunningText:
    """The printed text of a manuscript, each character with its place in the source. An `aside` is a note.

    Raise QueryError for more than MOST_CHARACTERS.
    """

    def __init__(self) -> None:
        self._codes = array("I")
        self.spans = Spans()
        self.asides = bytearray()
        self.citations: dict[int, Citation] = {}
        self.quoted: list[Quoted] = []
        self.quotations: list[Quotation] = []
        self.files: list[str] = []
        self.aside = False

    @property
    def length(self) -> int:
        """Return the number of characters."""
        return len(self.asides)

    def text(self, start: int = 0, end: int | None = None) -> str:
        """Return the characters from `start` to `end`."""
        return self._codes[start:end].tobytes().decode(_UTF32, "surrogatepass")

    def add(self, text: str, start: int, end: int) -> None:
        """Add `text`, which the source writes as `source[start:end]`."""
        self._take(text)
        self.spans.add(start, end, len(text))

    def copy(self, source: str, start: int, end: int) -> None:
        """Add `source[start:end]` as it is."""
        self.add_each(source[start:end], start)

    def add_each(self, text: str, start: int) -> None:
        """Add `text`, of which the source writes each character as one, from `start` on."""
        self._take(text.translate(OURS))
        self.spans.add_each(start, len(text))

    def _take(self, text: str) -> None:
        if self.length + len(text) > MOST_CHARACTERS:
            raise QueryError(
                f"The manuscript has over {MOST_CHARACTERS:,} characters, the limit. Check it in parts."
            )
        self._codes.frombytes(text.encode(_UTF32, "surrogatepass"))
        self.asides += (b"\1" if self.aside else b"\0") * len(text)

    def extend(self, other: "RunningText", start: int, end: int, *, aside: bool = False) -> None:
        """Add characters of another text with what they cite, as a note if `aside`."""
        begins = self.length - start
        text = other.text(start, end)
        self._take(text)
        self.spans.extend(other.spans.cut(start, end))
        self.asides[begins + start :] = b"\1" * (end - start) if aside else other.asides[start:end]
        cited = (start + mark.start() for mark in re.finditer(CITED, text))
        self.citations |= {begins + at: other.citations[at] for at in cited if at in other.citations}

    def move(self, where: str, begins: int, end: int | None = None) -> None:
        """Raise ("^") or lower ("_") the number from `begins` to `end`; its characters keep their places."""
        codes = array("I", moved(self.text(begins, end), where).encode(_UTF32, "surrogatepass"))
        self._codes[begins : begins + len(codes)] = codes

    def unread(self, start: int, end: int) -> None:
        """Add what stands for `source[start:end]`, of which the reader of the draft sees something else."""
        self.add(UNREAD, start, end)

    def forget(self, begins: int) -> None:
        """Take back the characters from number `begins` on: they are not shown."""
        del self._codes[begins:], self.asides[begins:]
        self.spans.forget(begins)
        while self.citations and next(reversed(self.citations)) >= begins:
            self.citations.popitem()
        while self.quoted and self.quoted[-1].end > begins:
            self.quoted.pop()

    def cite(self, citation: Citation) -> None:
        """Add a citation."""
        self.citations[self.length] = citation
        self.add(CITED, citation.start, citation.end)

    def quote(self, quotation: Quotation) -> None:
        """Add a quotation that has its citation within."""
        self.quotations.append(quotation)
        self.add(_APART, quotation.start, quotation.end)

    @contextmanager
    def quoting(self, form: str, start: int, end: int, *, block: bool) -> Iterator[None]:
        """Quote what is added meanwhile, as a block or between marks: the source from `start` to `end`."""
        begins = self.length
        self.add("\n\n" if block else "“", start, start + 1)
        inner = self.length
        yield
        ends = self.length
        self.add("\n\n" if block else "”", end - 1, end)
        if not block:
            self.quoted.append(Quoted(begins, ends + 1, form))
        elif ends > inner:
            self.quoted.append(Quoted(inner, ends, form, block=True))

    def words(self, start: int = 0, end: int | None = None) -> MappedText:
        """Return the text from `start` to `end` without citations, and without notes unless it is of one."""
        stop = self.length if end is None else end
        text, note = self.text(start, stop), start < stop and self.asides[start]
        shown, spans = [], Spans()
        places = [(0, len(text))] if note else [one.span() for one in _BODY.finditer(self.asides[start:stop])]
        for first, last in places:
            for run in _SHOWN.finditer(text, first, last):
                shown.append(run[0])
                spans.extend(self.spans.cut(start + run.start(), start + run.end()))
        whole = MappedText(without_turns("".join(shown), UNREAD), spans)
        return whole.cut(0, len(whole.text))


_BODY = re.compile(rb"\0+")
_SHOWN = re.compile(f"[^{CITED}{_APART}]+")


def quotations(flow: RunningText, *, straight: bool = False) -> list[Quotation]:
    """Return the quotations that have a citation, in the order of the source.

    Text between quotation marks counts as quoted; with `straight` also that between marks of the form ". A
    quotation without a citation beside it is left out.
    """
    text = flow.text()
    outside: Sequence[int] = range(len(text))
    if any(flow.asides):
        outside = array("I", (at for at in outside if not flow.asides[at] or text[at] == CITED))
    places = _Places(list(flow.citations), outside)
    regions = sorted([*flow.quoted, *_marked(flow, text, straight=straight)], key=lambda one: one.start)
    found = list(flow.quotations)
    taken: set[int] = set()
    waiting: list[Quoted] = []
    done = 0
    for region in regions:
        if region.end <= done:
            continue  # a quotation within a quotation
        inner = _within(places, text, region)
        after = _following(flow, places, text, region) if inner is None else None
        if inner is not None:
            place, start, end = inner
            taken.add(place)
            found += _quotation(flow, region, start, end, flow.citations[place])
        elif after is not None:
            taken.add(after)
            found += _quotation(flow, region, region.start, region.end, flow.citations[after])
        else:
            waiting.append(region)
            continue
        done = region.end
    done = 0
    for region in waiting:
        before = _preceding(text, region)
        if before is not None and before not in taken and region.end > done:
            done = region.end
            found += _quotation(flow, region, region.start, region.end, flow.citations[before])
    return sorted(found, key=lambda one: one.start)


class _Places(NamedTuple):
    """Where the citations of a text are, and which of its characters are outside of notes; both ascend."""

    cited: list[int]
    outside: Sequence[int]


def _quotation(
    flow: RunningText, region: Quoted, start: int, end: int, citation: Citation
) -> Iterator[Quotation]:
    words = flow.words(start, end) if region.block else flow.words(start + 1, end - 1)
    if words.text:
        first, last = flow.spans[region.start][0], flow.spans[region.end - 1][1]
        if region.block:
            first, last = words.spans[0][0], words.spans[-1][1]
        keys, locator, each = citation.keys, citation.locator, citation.each
        yield Quotation(words, keys, locator, first, last, region.form, each=each)


_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_TAIL = re.compile(r"[\s.,;:!?)\]]*")
_LEAD = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "—–([-"
_GAP = frozenset(" \t\r\n\xa0.,;:!?'’)]([—–-")
_STOP = re.compile(r"[.!?]\s")
_WIDEST_GAP = 12  # Characters, all of them in _GAP, that may stand between a quotation and its citation.
_SENTENCE_END = re.compile(r"(?<!\bal)(?<!\b\w)[.!?][\"”’)]*\s+(?=[^\W\d_])")
_SENTENCE = 300
"""Characters before a quotation in which its citation may be; it must be in the same sentence, too."""


def _within(places: _Places, text: str, region: Quoted) -> tuple[int, int, int] | None:
    """Return the citation at either end of a block ("... text. [@key, p. 6]"), and the other words."""
    if not region.block:
        return None
    inside = slice(bisect_left(places.cited, region.start), bisect_left(places.cited, region.end))
    if inside.start == inside.stop:
        return None
    first, last = places.cited[inside.start], places.cited[inside.stop - 1]
    if _TAIL.fullmatch(text, last + 1, region.end):
        return last, region.start, region.start + len(text[region.start : last].rstrip(_LEAD))
    if not text[region.start : first].strip():
        return first, first + 1, region.end
    return None


def _following(flow: RunningText, places: _Places, text: str, region: Quoted) -> int | None:
    """Return the citation after a quotation: next to it except for punctuation, or in the note there.

    Not one that begins the next sentence, nor one after the end of a sentence in which another introduces the
    quotation.
    """
    gap = ""
    for place in _onward(flow, places, region):
        char = text[place]
        if char == CITED:
            if region.block:
                return place
            next_sentence = _STOP.search(gap) is not None
            if next_sentence and (flow.citations[place].textual or _preceding(text, region) is not None):
                return None
            return None if _BLANK_LINE.search(gap) else place
        gap += "" if char == UNREAD else char
        if len(gap) > _WIDEST_GAP or (char not in _GAP and char != UNREAD):
            return None
    return None


def _onward(flow: RunningText, places: _Places, region: Quoted) -> Iterator[int]:
    """Return the characters after a quotation: outside of notes, or in its own."""
    if flow.asides[region.start]:
        return takewhile(lambda place: flow.asides[place], range(region.end, flow.length))
    first = bisect_left(places.outside, region.end)
    return (places.outside[i] for i in range(first, len(places.outside)))


def _preceding(text: str, region: Quoted) -> int | None:
    earliest = max(0, region.start - _SENTENCE)
    place = text.rfind(CITED, earliest, region.start)
    between = text[place + 1 : region.start]
    if place < 0 or _APART in between or _SENTENCE_END.search(between):
        return None
    breaks = len(_BLANK_LINE.findall(between))
    return place if breaks <= int(region.block) else None


_CLOSING = {"“": "”", "„": "“”", "«": "»", "‹": "›"}
_MARK_OR_BLANK_LINE = re.compile(rf"[{''.join(_CLOSING)}{''.join(_CLOSING.values())}]|{_BLANK_LINE.pattern}")


def _marked(flow: RunningText, text: str, *, straight: bool) -> Iterator[Quoted]:
    """Return the text between the outermost quotation marks, within a paragraph, not in a block quote."""
    covered = sorted((one.start, one.end) for one in flow.quoted)
    closings = _closings(text)
    blanks = [match.start() for match in _BLANK_LINE.finditer(text)]
    at = region = 0
    marks = re.compile('[“„«‹"]' if straight else "[“„«‹]")
    while (opening := marks.search(text, at)) is not None:
        start, at = opening.start(), opening.end()
        while region < len(covered) and covered[region][1] <= start:
            region += 1
        if region < len(covered) and covered[region][0] <= start:
            at = max(at, covered[region][1])
            continue
        if opening[0] == '"':
            blank = bisect_right(blanks, start)
            closing = _straight_end(text, start, blanks[blank] if blank < len(blanks) else len(text))
        else:
            closing = closings.get(start)
        if closing is not None:
            yield Quoted(start, closing + 1, "“...”" if opening[0] != '"' else '"..."')
            at = closing + 1


def _straight_end(text: str, start: int, stop: int) -> int | None:
    """Return the mark that closes the one at `start`, if that one opens a quotation: 5" is inches."""
    if text[start - 1 : start].isalnum() or text[start + 1 : start + 2].isspace():
        return None
    end = text.find('"', start + 1, stop)
    return end if end >= 0 else None


def _closings(text: str) -> dict[int, int]:
    """Return for each curly or angled mark that opens the one that closes it in the same paragraph.

    Each kind is counted for itself, since “ closes „ and opens, too.
    """
    found: dict[int, int] = {}
    opened: dict[str, list[int]] = {opening: [] for opening in _CLOSING}
    for mark in _MARK_OR_BLANK_LINE.finditer(text):
        for opening, waiting in opened.items():
            if mark[0][0] == "\n":
                waiting.clear()
            elif mark[0] == opening:
                waiting.append(mark.start())
            elif mark[0] in _CLOSING[opening] and waiting:
                found[waiting.pop()] = mark.start()
    return found
