"""Which passages of a running text are quotations, and which citation each has."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from lookup.papers.locators import parse_locator
from pagequote.check.looks import looks_like
from pagequote.check.plain_citations import mark_citations
from pagequote.check.quotation import UNREAD, Citation, MappedText, Quotation, joined
from pagequote.check.quotation_marks import BLANK_LINE, NOT_CLOSED, long_enough, marked
from pagequote.check.running_text import APART, CITED, Quoted, RunningText


class ManuscriptText(NamedTuple):
    """What is read of a text: its quotations, the files that it includes, and all that it cites, in order.

    `notes` are those that stand elsewhere than they are referred to, by their labels. What a quotation takes
    from a note is known when those of the whole manuscript are (`typed_notes`).
    """

    quotations: tuple[Quotation, ...]
    files: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    notes: Mapping[str, tuple[Citation, ...]] = {}


def quoting(
    flow: RunningText,
    *,
    straight: bool = False,
    single: bool = False,
    notes: Mapping[str, tuple[Citation, ...]] | None = None,
) -> ManuscriptText:
    """Return the quotations of a text in the order of the source, each with its citation if it has one.

    Text between quotation marks counts as quoted; with `straight` also that between marks of the form ", with
    `single` that between single ones. What has no citation is a quotation from four words on.
    """
    flow = mark_citations(flow)
    text = flow.text()
    _read_pages_beside(flow, text)
    outside: Sequence[int] = range(len(text))
    if any(flow.asides):
        outside = array("I", (at for at in outside if not flow.asides[at] or text[at] == CITED))
    places = _Places(sorted(flow.citations), outside)
    regions = [*flow.quoted, *marked(flow, text, straight=straight, single=single)]
    unknown = [one for one in regions if not one.known]
    left_open = [one for one in regions if one.form == NOT_CLOSED]
    regions = [one for one in regions if one.known and one.form != NOT_CLOSED]
    found = list(flow.quotations)
    taken: set[int] = set()
    waiting: list[Quoted] = []
    done = 0
    for region in sorted(regions, key=lambda one: one.start):
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
            citation = _with_textual(flow, text, region, flow.citations[after])
            found += _quotation(flow, region, region.start, region.end, citation)
        else:
            waiting.append(region)
            continue
        done = region.end
    sentences = _Sentences(flow, places, text, regions)
    found += _without_citation(flow, text, waiting, taken, sentences)
    for region in left_open:
        found += _proposed(flow, region, sentences.citation(region), _preceding(flow, text, region))
    found += _of_unknown_forms(flow, text, unknown, found, sentences)
    every = tuple(flow.citations[place] for place in places.cited)
    ordered = tuple(sorted(found, key=lambda one: one.start))
    return ManuscriptText(ordered, tuple(flow.files), every, notes or {})


def _read_pages_beside(flow: RunningText, text: str) -> None:
    """Give citations without pages those that stand beside them: "([1], p. 6)", "[1], p. 6", "(1998, 6)"."""
    for place, citation in flow.citations.items():
        if (
            citation.locator is not None
            or not citation.keys
            or not (found := _PAGES_BESIDE.match(text, place + 1))
        ):
            continue
        name = next((one for one in ("year", "inside", "named") if found[one]), "")
        opened = text.rfind("(", max(0, place - _SENTENCE), place) > text.rfind(
            ")", max(0, place - _SENTENCE), place
        )
        if not name or (name == "inside" and not opened):
            continue
        note = MappedText(found[name], flow.spans.cut(*found.span(name)))
        pages = note.placed(parse_locator(note.text, 0, len(note.text)))
        if pages is not None and (pages.understood or len(note.text.split()) <= _SHORT_NOTE):
            each = tuple((key, own or pages) for key, own in citation.each)
            flow.citations[place] = citation._replace(locator=pages, each=each)


_SHORT_NOTE = 2  # Words of a note beside a citation that is a page, if it has a number.
_PAGES_BESIDE = re.compile(
    r"\s*+\((?:1[5-9]|20)\d\d[a-z]?[,:]\s*+(?P<year>[^()\n]{1,40})\)"
    r"|[\s\xa0]*+,?[\s\xa0]*+(?P<named>(?:pp?\.|S\.|s\.|pages?\b|Seiten?\b|págs?\.|str\.)[\s\xa0]*+\d++(?:[-–]+\d++)?)"
    rf"|(?:\s*+(?:1[5-9]|20)\d\d[a-z]?)?[,:]\s*+(?P<inside>[^()\[\]\n;{CITED}]{{1,40}})(?=[)\]])"
)


def _without_citation(
    flow: RunningText,
    text: str,
    waiting: Sequence[Quoted],
    taken: Collection[int],
    sentences: "_Sentences",
) -> Iterator[Quotation]:
    """Yield quotations with no citation beside them: with one that introduces them, or of their sentence."""
    done = 0
    for region in waiting:
        if region.end <= done:
            continue
        before = _preceding(flow, text, region)
        if before is not None and before not in taken:
            done = region.end
            yield from _quotation(flow, region, region.start, region.end, flow.citations[before])
        elif long_enough(text[region.start : region.end].strip(_MARKS)):
            done = region.end
            yield from _proposed(flow, region, sentences.citation(region), before)


_MARKS = "«»‹›“”„‘’\"' \xa0"


def _proposed(
    flow: RunningText, region: Quoted, after: int | None, before: int | None
) -> Iterator[Quotation]:
    """Yield a quotation with the citation of its sentence as a proposal, that after it or that before it.

    A title that a note names is none.
    """
    if flow.asides[region.start]:
        uncited = [*_quotation(flow, region, region.start, region.end, None)]
        if any(one.looks == "a title" for one in uncited):
            yield from uncited
            return
    place = after if after is not None else before
    cited = flow.citations[place] if place is not None else None
    why = (
        _NOT_CLOSED if region.form == NOT_CLOSED else _UNKNOWN.format(region.form) if not region.known else ""
    )
    for one in _quotation(flow, region, region.start, region.end, cited):
        yield one._replace(why=why or (_OF_ITS_SENTENCE if cited else ""))


_OF_ITS_SENTENCE = "Its sentence cites what prints nothing alike."
_NOT_CLOSED = "Its quotation mark is never closed."
_UNKNOWN = "It stands in {}, which is not known to quote: name it under [check.macros], or use marks."


def _of_unknown_forms(
    flow: RunningText,
    text: str,
    unknown: Sequence[Quoted],
    found: Sequence[Quotation],
    sentences: "_Sentences",
) -> Iterator[Quotation]:
    """Yield what stands in forms that no reader knows, where its sentence or paragraph cites."""
    starts = sorted(one.start for one in found)
    done = 0
    for region in sorted(unknown, key=lambda one: (one.start, -one.end)):
        first, last = flow.spans[region.start][0], flow.spans[region.end - 1][1]
        quotes = bisect_left(starts, first) < bisect_left(starts, last)
        if region.end <= done or quotes or text.find(APART, region.start, region.end) >= 0:
            continue
        done = region.end  # what is not enough, or not cited, holds nothing that is
        words = text[region.start : region.end].strip(f"{_MARKS}{CITED}{UNREAD}")
        before = _preceding(flow, text, region)
        within = text.find(CITED, region.start, region.end)
        cited = within if within >= 0 else sentences.citation(region)
        beside = cited is not None or before is not None or CITED in text[slice(*sentences.paragraph(region))]
        if beside and long_enough(words):
            yield from _proposed(flow, region, cited, before)


def _with_textual(flow: RunningText, text: str, region: Quoted, citation: Citation) -> Citation:
    """Return a citation that gives a page alone, "(p. 36)", with the keys of that in its sentence."""
    if citation.note is None or not _PAGE_ALONE.fullmatch(citation.note.text):
        return citation
    before = _preceding(flow, text, region)
    if before is None or not flow.citations[before].keys:
        return citation
    pages = citation.note.placed(parse_locator(citation.note.text, 0, len(citation.note.text)))
    return flow.citations[before]._replace(locator=pages, each=())


_PAGE_ALONE = re.compile(r"\s*+(?:pp?|S|s|pages?)[.\s\xa0]{0,3}[\d–,\s-]++(?:ff?\.?)?\s*+")


class _Places(NamedTuple):
    """Where the citations of a text are, and which of its characters are outside of notes; both ascend."""

    cited: list[int]
    outside: Sequence[int]


def _quotation(
    flow: RunningText, region: Quoted, start: int, end: int, citation: Citation | None
) -> Iterator[Quotation]:
    bare = region.block or not region.known
    borders = [start - bare, *region.again, end - 1 + (bare or region.form == NOT_CLOSED)]
    words = joined([one for first, last in pairwise(borders) if (one := flow.words(first + 1, last)).text])
    if words.text:
        first, last = flow.spans[region.start][0], flow.spans[region.end - 1][1]
        if region.block or region.form == NOT_CLOSED:
            first, last = words.spans[0][0], words.spans[-1][1]
        if citation is None:
            lead = _lead(flow, region.start)
            looks = looks_like(words.text, lead, flow.text(region.end, region.end + _NEXT))
            yield Quotation(words, (), None, first, last, region.form, lead=lead, looks=looks)
        else:
            keys, locator, each = citation.keys, citation.locator, citation.each
            lead = "" if keys else _lead(flow, region.start)
            yield Quotation(
                words, keys, locator, first, last, region.form, each=each, cited=citation.start, lead=lead
            )


_NEXT = 60  # Characters after a quotation that say what it is.


def _lead(flow: RunningText, start: int) -> str:
    """Return what the sentence says before the place, without notes."""
    first = max(0, start - _SENTENCE)
    body = [] if flow.asides[start] else _BODY.finditer(flow.asides[first:start])
    text = "".join(flow.text(first + one.start(), first + one.end()) for one in body)
    return _BEFORE.split(text)[-1]


_BODY = re.compile(rb"\0+")
_BEFORE = re.compile(r"(?<![A-Z])[.!?][\"”’)]*\s+(?=\S)|\n\s*\n(?=\S)")


_TAIL = re.compile(r"[\s.,;:!?)\]]*")
_LEAD = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "—–([-"
_GAP = frozenset(" \t\r\n\xa0.,;:!?'’)]([—–-")
_STOP = re.compile(r"[.!?]\s")
_WIDEST_GAP = 12  # Characters, all of them in _GAP, that may stand between a quotation and its citation.
_SENTENCE_END = re.compile(r"(?<!\bal)(?<!\b\w)[.!?][\"”’)]*\s+(?=[^\W\d_])")
_SENTENCE = 300
"""Characters before a quotation in which its citation may be; it must be in the same sentence, too."""


def _within(places: _Places, text: str, region: Quoted) -> tuple[int, int, int] | None:
    """Return the citation at either end of a block ("... text. [@key, p. 6]"), and the other words.

    Between marks it is the one at the end alone.
    """
    inside = slice(bisect_left(places.cited, region.start), bisect_left(places.cited, region.end))
    if inside.start == inside.stop:
        return None
    first, last = places.cited[inside.start], places.cited[inside.stop - 1]
    if _TAIL.fullmatch(text, last + 1, region.end - (not region.block)):
        begins = text[region.start : last].removesuffix(UNREAD)  # what shows the citation
        return last, region.start, region.start + len(begins.rstrip(_LEAD)) + (not region.block)
    if region.block and not text[region.start : first].strip():
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
            if next_sentence and (
                flow.citations[place].textual or _preceding(flow, text, region) is not None
            ):
                return None
            return None if BLANK_LINE.search(gap) else place
        gap += "" if char == UNREAD else char
        if len(gap) > _WIDEST_GAP or (char not in _GAP and char != UNREAD):
            return None
    return None


class _Sentences:
    """The sentences of a text, and the citations by which they end."""

    def __init__(self, flow: RunningText, places: _Places, text: str, regions: Sequence[Quoted]) -> None:
        self._flow, self._places, self._text = flow, places, text
        self._regions = sorted(regions, key=lambda one: one.start)
        self._blanks = [0, *(one.start() for one in BLANK_LINE.finditer(text)), len(text)]

    def paragraph(self, region: Quoted) -> tuple[int, int]:
        """Return where the paragraphs begin and end in which a quotation stands."""
        before = bisect_right(self._blanks, region.start) - 1
        return self._blanks[before], self._blanks[bisect_left(self._blanks, region.end)]

    def citation(self, region: Quoted) -> int | None:
        """Return the citation that ends the sentence of a quotation, or the next if that quotes nothing.

        In a note it is the next one of the note.
        """
        note = bool(self._flow.asides[region.start])
        said = "." if _ENDED.search(self._text, region.start, region.end) else ""
        number = bisect_left(self._regions, region.end, key=lambda one: one.start)
        quoted_until = 0
        for place in islice(_onward(self._flow, self._places, region), _SENTENCE * 2):
            while number < len(self._regions) and self._regions[number].start <= place:
                if not note and _SENTENCE_END.search(f"{said}A"):
                    return None  # the next sentence quotes for itself
                quoted_until = max(quoted_until, self._regions[number].end)
                number += 1
            if self._text[place] == CITED:
                ends = 0 if note else len(_SENTENCE_END.findall(f"{said.rstrip()}A"))
                textual = self._flow.citations[place].textual
                return place if ends <= (not textual) else None
            said += self._text[place] if place >= quoted_until else "x" if said[-1:] != "x" else ""
            if said.endswith("\n") and BLANK_LINE.search(said):
                return None
        return None


_ENDED = re.compile(r"[.!?][\"”’)»“]*\Z")


def _onward(flow: RunningText, places: _Places, region: Quoted) -> Iterator[int]:
    """Return the characters after a quotation: outside of notes, or in its own."""
    if flow.asides[region.start]:
        return takewhile(lambda place: flow.asides[place], range(region.end, flow.length))
    first = bisect_left(places.outside, region.end)
    return (places.outside[i] for i in range(first, len(places.outside)))


def _preceding(flow: RunningText, text: str, region: Quoted) -> int | None:
    earliest = max(0, region.start - _SENTENCE)
    place = text.rfind(CITED, earliest, region.start)
    between = text[place + 1 : region.start]
    if place < 0 or APART in between or _SENTENCE_END.search(between):
        return None
    if not flow.citations[place].keys and not region.block:
        return None  # a note is about what stands before it
    breaks = len(BLANK_LINE.findall(between))
    return place if breaks <= int(region.block) else None
