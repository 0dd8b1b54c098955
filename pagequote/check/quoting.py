"""Which passages of a running text are quotations, and which citation each has."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise, takewhile

from pagequote.check.citations_in_words import mark_citations, with_notes
from pagequote.check.manuscript import Manuscript
from pagequote.check.quotation import UNREAD, Citation, MappedText, Quotation, joined
from pagequote.check.quotation_marks import BLANK_LINE, NOT_CLOSED, long_enough, looks_like, marked
from pagequote.check.running_text import CITED, SHOWN, Quoted, RunningText


def quoting(flow: RunningText, notes: Mapping[str, tuple[Citation, ...]] | None = None) -> Manuscript:
    """Return the quotations of a text in the order of the source, each with its citation if it has one.

    What has no citation is a quotation from four words on. `notes` are those that stand elsewhere than they
    are referred to, by their labels.
    """
    walker = _Walker(flow)
    found = sorted(walker.quotations(), key=lambda one: one.start)
    cited = tuple(walker.flow.citations[place] for place in walker.cited)
    return Manuscript(with_notes(found, cited, notes or {}), tuple(flow.files), cited)


_SHORT_NOTE = 2  # Words of a note beside a citation that is a page, if it has a number.
_PAGES_BESIDE = re.compile(
    rf"{SHOWN}*+(?:"
    r"\s*+\((?:1[5-9]|20)\d\d[a-z]?[,:]\s*+(?P<year>[^()\n]{1,40})\)"
    r"|[\s\xa0]*+,?[\s\xa0]*+(?P<named>(?:pp?\.|S\.|s\.|pages?\b|Seiten?\b|págs?\.|str\.)[\s\xa0]*+\d++(?:[-–]+\d++)?)"
    rf"|(?:\s*+(?:1[5-9]|20)\d\d[a-z]?)?[,:]\s*+(?P<inside>[^()\[\]\n;{CITED}]{{1,40}})(?=[)\]]))"
)
_MARKS = "«»‹›“”„‘’\"' \xa0"
_OF_ITS_SENTENCE = "Its sentence cites what prints nothing alike."
_NOT_CLOSED = "Its quotation mark is never closed."
_UNKNOWN = "It stands in {}, which is not known to quote: name it under [check.macros], or use marks."
_PAGE_ALONE = re.compile(r"\s*+(?:pp?|S|s|pages?)[.\s\xa0]{0,3}[\d–,\s-]++(?:ff?\.?)?\s*+")
_NEXT = 60  # Characters after a quotation that say what it is.
_BODY = re.compile(rb"\0+")
_BEFORE = re.compile(r"(?<![A-Z])[.!?][\"”’)]*\s+(?=\S)|\n\s*\n(?=\S)")
_TAIL = re.compile(rf"[\s.,;:!?)\]{SHOWN}]*")
_LEAD = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "—–([-"
_GAP = frozenset(" \t\r\n\xa0.,;:!?'’)]([—–-")
_STOP = re.compile(r"[.!?]\s")
_UNSEEN = (UNREAD, SHOWN)
_WIDEST_GAP = 12  # Characters, all of them in _GAP, that may stand between a quotation and its citation.
_SENTENCE_END = re.compile(r"(?<!\bal)(?<!\b\w)[.!?][\"”’)]*\s+(?=[^\W\d_])")
_SENTENCE = 300
"""Characters before a quotation in which its citation may be; it must be in the same sentence, too."""

_ENDED = re.compile(r"[.!?][\"”’)»“]*\Z")


class _Walker:
    """Goes through a text from quotation to quotation, and finds the citation of each.

    Places ascend: of citations, of characters outside of notes, of blank lines, of quotations.
    """

    def __init__(self, flow: RunningText) -> None:
        between = marked(flow, flow.text())
        quoted = [*(one for one in flow.quoted if not one.block), *between]
        sure = (one for one in quoted if one.known and one.form != NOT_CLOSED)
        mark_citations(flow, sorted(sure, key=lambda one: one.start))
        self.flow, self.text = flow, flow.text()
        self.cited = sorted(flow.citations)
        self.outside: Sequence[int] = range(len(self.text))
        if any(flow.asides):
            self.outside = array(
                "I", (at for at in self.outside if not flow.asides[at] or self.text[at] == CITED)
            )
        self.blanks = [0, *(one.start() for one in BLANK_LINE.finditer(self.text)), len(self.text)]
        regions = sorted([*flow.quoted, *between], key=lambda one: one.start)
        self.known = [one for one in regions if one.known and one.form != NOT_CLOSED]
        self.others = [one for one in regions if not one.known or one.form == NOT_CLOSED]
        self.taken: set[int] = set()

    def quotations(self) -> Iterator[Quotation]:
        """Yield the quotations: those that cite, those whose sentence does, and what may be one."""
        self._read_pages_beside()
        found: list[Quotation] = []
        waiting: list[Quoted] = []
        done = 0
        for region in self.known:
            if region.end <= done:
                continue  # a quotation within a quotation
            inner = self._within(region)
            place, start, end = inner or (self._following(region), region.start, region.end)
            if place is None:
                waiting.append(region)
                continue
            self.taken.add(place)
            citation = self.flow.citations[place]
            found += self._quotation(
                region, start, end, citation if inner else self._with_key(region, citation)
            )
            done = region.end
        found += self._without_citation(waiting)
        for region in self.others:
            if region.form == NOT_CLOSED:
                found += self._proposed(region, self._of_sentence(region), self._preceding(region))
        yield from found
        yield from self._of_unknown_forms(sorted(one.start for one in found))

    def _read_pages_beside(self) -> None:
        """Give citations without pages those beside them: "([1], p. 6)", "[1], p. 6", "(1998, 6)"."""
        for place, citation in self.flow.citations.items():
            if citation.locator is not None or not citation.each:
                continue
            found = _PAGES_BESIDE.match(self.text, place + 1)
            name = next((one for one in ("year", "inside", "named") if found and found[one]), "")
            before = self.text[max(0, place - _SENTENCE) : place]
            if not found or not name or (name == "inside" and before.rfind("(") <= before.rfind(")")):
                continue
            note = MappedText(found[name], self.flow.spans.cut(*found.span(name)))
            pages = note.pages()
            if pages is not None and (pages.understood or len(note.text.split()) <= _SHORT_NOTE):
                each = tuple((key, own or pages) for key, own in citation.each)
                self.flow.citations[place] = citation._replace(each=each)

    def _without_citation(self, waiting: Sequence[Quoted]) -> Iterator[Quotation]:
        """Yield quotations without a citation beside them, with one before, or of their sentence."""
        done = 0
        for region in waiting:
            if region.end <= done:
                continue
            before = self._preceding(region)
            if before is not None and before not in self.taken:
                done = region.end
                yield from self._quotation(region, region.start, region.end, self.flow.citations[before])
            elif long_enough(self.text[region.start : region.end].strip(_MARKS)):
                done = region.end
                yield from self._proposed(region, self._of_sentence(region), before)

    def _proposed(self, region: Quoted, after: int | None, before: int | None) -> Iterator[Quotation]:
        """Yield a quotation with the citation of its sentence as a proposal, that after it or that before it.

        A title that a note names is none.
        """
        place = after if after is not None else before
        cited = self.flow.citations[place] if place is not None else None
        if self.flow.asides[region.start]:
            uncited = [*self._quotation(region, region.start, region.end, None)]
            cited = None if any(one.looks == "a title" for one in uncited) else cited
        why = _OF_ITS_SENTENCE if cited else ""
        if not region.known:
            why = _UNKNOWN.format(region.form)
        elif region.form == NOT_CLOSED:
            why = _NOT_CLOSED
        for one in self._quotation(region, region.start, region.end, cited):
            yield one._replace(why="" if one.looks == "a title" and not cited else why, known=region.known)

    def _of_unknown_forms(self, found: Sequence[int]) -> Iterator[Quotation]:
        """Yield what stands in forms that no reader knows, where its sentence or paragraph cites."""
        done = 0
        for region in sorted(self.others, key=lambda one: (one.start, -one.end)):
            if region.known or region.end <= done:
                continue
            words = self.text[region.start : region.end].strip(f"{_MARKS}{CITED}{SHOWN}{UNREAD}")
            first, last = self.flow.spans[region.start][0], self.flow.spans[region.end - 1][1]
            if bisect_left(found, first) < bisect_left(found, last):
                continue
            right_behind = self._following(region) if long_enough(words) else None
            if region.beside and (right_behind is None or looks_like(words, "", "")):
                continue
            done = region.end  # what is not enough, or not cited, holds nothing that is
            if not long_enough(words):
                continue
            before, within = self._preceding(region), self.text.find(CITED, region.start, region.end)
            cited = within if within >= 0 else right_behind
            cited = self._of_sentence(region) if cited is None else cited
            begins = self.blanks[bisect_right(self.blanks, region.start) - 1]
            ends = self.blanks[bisect_left(self.blanks, region.end)]  # of its paragraphs
            if cited is not None or before is not None or CITED in self.text[begins:ends]:
                yield from self._proposed(region, cited, before)

    def _with_key(self, region: Quoted, citation: Citation) -> Citation:
        """Return a citation that gives a page alone, "(p. 36)", with the keys of that in its sentence."""
        if citation.note is None or not _PAGE_ALONE.fullmatch(citation.note.text):
            return citation
        before = self._preceding(region)
        if before is None or not self.flow.citations[before].each:
            return citation
        cited, pages = self.flow.citations[before], citation.note.pages()
        return cited._replace(each=tuple((key, pages) for key, _ in cited.each))

    def _quotation(
        self, region: Quoted, start: int, end: int, citation: Citation | None
    ) -> Iterator[Quotation]:
        """Yield a quotation, none where there are no words."""
        flow, open_ = self.flow, region.form == NOT_CLOSED
        bare = region.block or not region.known
        borders = [start - bare, *region.again, end - 1 + (bare or open_)]
        words = joined(
            [one for first, last in pairwise(borders) if (one := flow.words(first + 1, last)).text]
        )
        if not words.text:
            return
        first, last = flow.spans[region.start][0], flow.spans[region.end - 1][1]
        if region.block or open_:
            first, last = words.spans[0][0], words.spans[-1][1]
        lead = "" if citation and citation.each else self._lead(region.start)
        made = Quotation(words, (), first, last, region.form, lead=lead)
        if citation is None:
            after = flow.text(region.end, region.end + _NEXT)
            yield made._replace(looks=looks_like(words.text, lead, after))
        else:
            yield made._replace(each=citation.each, cited=citation.start)

    def _lead(self, start: int) -> str:
        """Return what the sentence says before the place, without notes."""
        flow, first = self.flow, max(0, start - _SENTENCE)
        body = [] if flow.asides[start] else _BODY.finditer(flow.asides[first:start])
        return _BEFORE.split("".join(flow.text(first + one.start(), first + one.end()) for one in body))[-1]

    def _within(self, region: Quoted) -> tuple[int, int, int] | None:
        """Return the citation at either end of a block ("... text. [@key, p. 6]"), and the other words.

        Between marks it is the one at the end alone.
        """
        inside = slice(bisect_left(self.cited, region.start), bisect_left(self.cited, region.end))
        if inside.start == inside.stop:
            return None
        first, last = self.cited[inside.start], self.cited[inside.stop - 1]
        if _TAIL.fullmatch(self.text, last + 1, region.end - (not region.block)):
            begins = self.text[region.start : last].removesuffix(UNREAD)  # what shows the citation
            return last, region.start, region.start + len(begins.rstrip(_LEAD)) + (not region.block)
        if region.block and not self.text[region.start : first].strip():
            return first, first + 1, region.end
        return None

    def _following(self, region: Quoted) -> int | None:
        """Return the citation after a quotation: next to it except for punctuation, or in the note there.

        Not one that begins the next sentence, nor one after the end of a sentence in which another introduces
        the quotation.
        """
        gap = ""
        for place in self._onward(region):
            char = self.text[place]
            if char == CITED:
                if region.block:
                    return place
                textual = _STOP.search(gap) and self.flow.citations[place].textual
                introduced = _STOP.search(gap) and self._preceding(region) is not None
                return None if textual or introduced or BLANK_LINE.search(gap) else place
            gap += "" if char in _UNSEEN else char
            if len(gap) > _WIDEST_GAP or (char not in _GAP and char not in _UNSEEN):
                return None
        return None

    def _of_sentence(self, region: Quoted) -> int | None:
        """Return the citation that ends the sentence of a quotation, or the next if that quotes nothing.

        In a note it is the next one of the note.
        """
        if bisect_left(self.cited, region.end) == len(self.cited):
            return None
        note = bool(self.flow.asides[region.start])
        said = "." if _ENDED.search(self.text, region.start, region.end) else ""
        number = bisect_left(self.known, region.end, key=lambda one: one.start)
        quoted_until = 0
        for place in islice(self._onward(region), _SENTENCE * 2):
            while number < len(self.known) and self.known[number].start <= place:
                if not note and _SENTENCE_END.search(f"{said}A"):
                    return None  # the next sentence quotes for itself
                quoted_until = max(quoted_until, self.known[number].end)
                number += 1
            if self.text[place] == CITED:
                ends = 0 if note else len(_SENTENCE_END.findall(f"{said.rstrip()}A"))
                return place if ends <= (not self.flow.citations[place].textual) else None
            said += self.text[place] if place >= quoted_until else "x" if said[-1:] != "x" else ""
            if said.endswith("\n") and BLANK_LINE.search(said):
                return None
        return None

    def _onward(self, region: Quoted) -> Iterator[int]:
        """Return the characters after a quotation: outside of notes, or in its own."""
        if self.flow.asides[region.start]:
            return takewhile(lambda at: self.flow.asides[at], range(region.end, self.flow.length))
        first = bisect_left(self.outside, region.end)
        return (self.outside[i] for i in range(first, len(self.outside)))

    def _preceding(self, region: Quoted) -> int | None:
        """Return the citation that introduces a quotation in its sentence, or a block in the one before."""
        place = self.text.rfind(CITED, max(0, region.start - _SENTENCE), region.start)
        between = self.text[place + 1 : region.start]
        if place < 0 or _SENTENCE_END.search(between):
            return None
        if not self.flow.citations[place].each and not region.block:
            return None  # a note is about what stands before it
        return place if len(BLANK_LINE.findall(between)) <= int(region.block) else None
