"""Which passages of a running text are quotations, and which citation each has."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from pagequote.check.locators import parse_locator
from pagequote.check.looks import looks_like
from pagequote.check.plain_citations import mark_citations
from pagequote.check.quotation import UNREAD, Citation, Quotation
from pagequote.check.quotation_marks import BLANK_LINE, long_enough, marked
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

    def moved(self, by: int) -> "ManuscriptText":
        """Return it as it is in a source that has so many characters more before it."""
        return ManuscriptText(
            tuple(one.moved(by) for one in self.quotations),
            self.files,
            tuple(one.moved(by) for one in self.citations),
            {label: tuple(one.moved(by) for one in cited) for label, cited in self.notes.items()},
        )


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
    outside: Sequence[int] = range(len(text))
    if any(flow.asides):
        outside = array("I", (at for at in outside if not flow.asides[at] or text[at] == CITED))
    places = _Places(sorted(flow.citations), outside)
    regions = [*flow.quoted, *marked(flow, text, straight=straight, single=single)]
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
    done = 0
    for region in waiting:
        if region.end <= done:
            continue
        before = _preceding(flow, text, region)
        cited = flow.citations[before] if before is not None and before not in taken else None
        if cited is None and not long_enough(text[region.start : region.end].strip("«»‹›“”„‘’\"' \xa0")):
            continue
        done = region.end
        found += _quotation(flow, region, region.start, region.end, cited)
    every = tuple(flow.citations[place] for place in places.cited)
    ordered = tuple(sorted(found, key=lambda one: one.start))
    return ManuscriptText(ordered, tuple(flow.files), every, notes or {})


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
    words = flow.words(start, end) if region.block else flow.words(start + 1, end - 1)
    if words.text:
        first, last = flow.spans[region.start][0], flow.spans[region.end - 1][1]
        if region.block:
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
            if next_sentence and (
                flow.citations[place].textual or _preceding(flow, text, region) is not None
            ):
                return None
            return None if BLANK_LINE.search(gap) else place
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
