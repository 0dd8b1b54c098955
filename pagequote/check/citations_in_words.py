"""Citations in words: in brackets, "(Kant 1912, 35)", and in notes as they are typed, "Ibid., 36"."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from lookup.papers.locators import last_pages
from pagequote.check.quotation import Citation, Cited, MappedText, Name, Quotation
from pagequote.check.running_text import CITED, Quoted, RunningText

_PARTICLE = r"(?:(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|ten|ter|el|al|bin|ibn)[ \xa0]){0,3}"
_NAME = rf"{_PARTICLE}[^\W\d_a-z][\w'’‐-]{{1,40}}"
_NAMES = (
    rf"{_NAME}(?:[ \xa0]{_NAME}){{0,2}}(?:,[ \xa0]{_NAME}){{0,6}}"
    rf"(?:,?[ \xa0](?:and|und|et|y|&)[ \xa0]{_NAME})?(?:,?[ \xa0]et[ \xa0]al\.?)?"
)
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_GROUP = re.compile(r"[(\[{](?P<inside>[^()\[\]{}\n]{3,300})[)\]}]")
_SCANNABLE = re.compile(
    rf"\{{[^{{}}|\n]{{0,80}}\|[ \xa0]?(?P<names>{_NAMES}),?[ \xa0](?P<year>{_YEAR})[ \xa0]?"
    r"\|(?P<pages>[^{}|\n]{0,60})\|[^{}\n]{0,200}\}"
)
"""A citation of Zotero that is not scanned yet: { | Okafor, et al., 2021 | p. 4 | |zu:0:ABCD1234}."""

_ONE = re.compile(
    rf"[\s\xa0]{{0,3}}(?:(?:see|cf\.|e\.g\.,?|vgl\.)[ \xa0](?:also[ \xa0])?)?(?P<names>{_NAMES}),?[ \xa0]"
    rf"(?P<year>{_YEAR})(?:[,:][ \xa0]?(?P<pages>[^;]{{1,60}}))?[\s\xa0]{{0,3}}"
)
_IN_TEXT = re.compile(
    rf"(?<!\w)(?P<names>{_NAMES})(?:['’]s)?[ \xa0]"
    rf"\((?P<year>{_YEAR})(?:[,:][ \xa0]?(?P<pages>[^()\n;]{{1,60}}))?\)"
)
_IN_WORDS = re.compile(
    rf"(?i:ibid|ib\.|ebd|ebenda|op\. ?cit|a\. ?a\. ?O)|(?:{_NAMES}),?[ \xa0](?:pp?\.[ "
    rf"\xa0]?)?\d{{1,4}}(?:[-–]\d+)?|"
    r"(?i:pp?\.|S\.|s\.|pages?)[ \xa0]?\d{1,4}\S{0,8}"
)
"""What in brackets cites as a note does: "(ibid., 36)", "(Kant 36)", "(p. 36)"."""


def mark_citations(flow: RunningText, between: Sequence[Quoted] = ()) -> None:
    """Mark the citations of a text that are written in plain words, outside of notes.

    Those in quotations, which stand `between` marks, are quoted, but for one that ends a quotation behind
    which nothing else is cited.
    """
    text = flow.text()
    found = [
        (*match.span(), _citation(flow, match, [_cited(flow, match)], textual=form is _IN_TEXT))
        for form in (_IN_TEXT, _SCANNABLE)
        for match in form.finditer(text)
        if not flow.asides[match.start()]
    ]
    found.sort(key=lambda one: one[0])
    taken = [start for start, _, _ in found]
    for match in _GROUP.finditer(text):
        near = bisect_left(taken, match.end()) - 1
        note = flow.asides[match.start()] and not _QUOTES.search(
            text, max(0, match.start() - 3), match.start()
        )
        if note or CITED in match[0] or (near >= 0 and found[near][1] >= match.end()):
            continue  # of a note that does not quote, or the year of a citation in the sentence
        parts = [_ONE.fullmatch(text, *part.span()) for part in _PART.finditer(text, *match.span("inside"))]
        each = [_cited(flow, part) for part in parts if part]
        if each:
            found.append((*match.span(), _citation(flow, match, each)))
        elif not flow.asides[match.start()] and _IN_WORDS.match(match["inside"].strip()):
            inside = MappedText(match["inside"], flow.spans.cut(*match.span("inside")))
            found.append((*match.span(), _citation(flow, match, [])._replace(note=inside)))
    done, starts = 0, {start for start, _, _ in found}
    for start, end, citation in sorted(found, key=lambda one: one[0]):
        at = bisect_right(between, start, key=lambda one: one.start) - 1
        if start < done or (at >= 0 and _is_quoted(flow, text, between[at], end, starts)):
            continue
        flow.mark(citation, start, end)
        done = end


_BEHIND = re.compile(r"[\s.,;:!?]*+")


def _is_quoted(flow: RunningText, text: str, region: Quoted, end: int, starts: Collection[int]) -> bool:
    """Return whether a citation that ends at `end`, and begins in or behind a quotation, is quoted in it."""
    if region.end < end:
        return False
    behind = _BEHIND.match(text, region.end)
    at = behind.end() if behind else region.end
    noted = at < len(text) and (text[at] == CITED or flow.asides[at] > flow.asides[region.start])
    return noted or at in starts or bool(text[end : region.end - 1].strip(" .,;:!?"))


_PART = re.compile(r"[^;]+")
_QUOTES = re.compile('["”“’»›」][\\s.,;:]?\\Z')


def _cited(flow: RunningText, match: re.Match[str]) -> Cited:
    """Return the name of a work, and its pages."""
    name = Name(f"{' '.join(match['names'].split())} {match['year']}")
    if not match["pages"]:
        return name, None
    return name, MappedText(match["pages"], flow.spans.cut(*match.span("pages"))).pages()


def _citation(
    flow: RunningText, match: re.Match[str], each: list[Cited], *, textual: bool = False
) -> Citation:
    start, end = flow.spans[match.start()][0], flow.spans[match.end() - 1][1]
    return Citation(tuple(each), start, end, textual)


def with_notes(
    quotations: Iterable[Quotation],
    citations: Sequence[Citation],
    notes: Mapping[str, Sequence[Citation]],
) -> tuple[Quotation, ...]:
    """Return the quotations with what their notes cite; `citations` are all of the manuscript, in order.

    A note that stands elsewhere is that of `notes` with its label. "Ibid." is what was cited before it.
    """
    cited: dict[int, tuple[Cited, ...]] = {}
    before: tuple[Cited, ...] = ()
    for citation in citations:
        found = citation.each
        for one in notes.get(citation.label, ()) if citation.label else (citation,):
            if one.note is not None:
                found += tuple(_read(one.note, before))
            elif citation.label:
                found += one.each
        cited[citation.start] = found
        before = found or before
    made = []
    for quotation in quotations:
        found = () if quotation.cited is None or quotation.keys else cited.get(quotation.cited, ())
        lead = quotation.lead
        names = [Name(one[0]) for one in _FAMILY.finditer(lead) if one.start() or not _FIRST.match(lead)]
        named = names[-1] if names else ""  # the author whom the sentence before it names last
        each = tuple((key, pages) for one, pages in found if (key := one or named))
        made.append(quotation._replace(each=each or quotation.each))
    return tuple(made)


def _read(note: MappedText, before: tuple[Cited, ...]) -> Iterator[Cited]:
    """Yield what a note cites, in one stretch or several; a work of '' is that of the sentence."""
    text = note.text
    parts = [*_PARTS.finditer(text)]
    starts, ends = [0, *(one.end() for one in parts)], [*(one.start() for one in parts), len(text)]
    for start, end in zip(starts, ends, strict=True):
        if not text[start:end].strip():
            continue
        lead = _LEAD.match(text, start, end)
        begins = lead.end() if lead else start
        given = last_pages(text, begins, end)
        pages = note.placed(given)
        again = _AGAIN.match(text, begins, end)
        if again is not None:
            yield from ((key, pages or own) for key, own in before)
        elif _PAGE_ALONE.fullmatch(text, begins, end):
            yield "", pages
        else:
            name_end = end
            if given is not None and not text[given.end : end].strip(" .,;)"):  # its note ends with the pages
                name_end = given.prefix[0] if given.prefix else given.start
            named = text[begins:name_end].strip(" .,;:")
            if _FAMILY.search(named) and (
                pages is not None or _YEAR_ALONE.search(named) or _BEFORE_CITED.search(named)
            ):
                yield Name(" ".join(named.split())), pages


_PARTS = re.compile(r";(?![^()]*\))|(?<=\d)[.]\s+(?=[^\W\d_a-z])(?!\d)|(?<=\d\))[.]\s+(?=[^\W\d_a-z])")
"""What parts the stretches of a note that may cite: ";", and a sentence's end after a page."""

_LEAD = re.compile(
    r"(?>(?:\s|[(\[]|\b(?:see|also|cf|compare|vgl|siehe|auch|so|voir|aussi|cfr|cité dans|quoted in|zit|"
    r"zitiert nach|nach|in)"
    r"\b[.:,]?\s)*)(?:\s|,|e\.g\.,?)*",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?:ibid(?:em)?|ib|ebd|ebda|ebenda|ebendort|id|idem|eadem|ivi|loc\. ?cit|l\. ?c|a\. ?a\. ?O)\b[.,]?"
    r"(?![,.]? [^\W\d_a-z]\w{3})",
    re.IGNORECASE,
)
_BEFORE_CITED = re.compile(
    r"\b(?:op\. ?cit|loc\. ?cit|a\. ?a\. ?O|ob\. ?cit|art\. ?cit|passim|wie Anm|supra|s\. ?o)\b",
    re.IGNORECASE,
)
_FAMILY = re.compile(r"(?<![\w.])[^\W\d_a-z][^\W\d_]*[^\W\d_A-Z][^\W\d_]*(?:[-’'][^\W\d_]+)*")
_FIRST = re.compile(r"\s*(?:As|The|In|It|So|Comme|Selon|Les|Le|La|Die|Der|Das|Wie)\b")
_YEAR_ALONE = re.compile(r"\b(?:1[4-9]|20)\d\d\b")
_PAGE_ALONE = re.compile(
    r"\s*+(?:(?:pp?|S|s|pages?|Seite)[.\s\xa0]{1,3}|at\s)?[\d–,\s-]++(?:ff?\.?)?[\s.)]*+"
)
