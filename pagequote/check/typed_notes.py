"""Notes as they are typed: full ones, short titles, "Ibid.", "op. cit.", and the page at their end."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lookup.papers.locators import Locator, last_pages
from pagequote.check.quotation import Citation, MappedText, Name, Quotation

Cited = tuple[str, Locator | None]
"""A work that is cited, by its key or as a note names it, and the pages that are given."""


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
        found: tuple[Cited, ...] = citation.pairs
        for one in notes.get(citation.label, ()) if citation.label else (citation,):
            if one.note is not None:
                found += tuple(_read(one.note, before))
            elif citation.label:
                found += one.pairs
        cited[citation.start] = found
        before = found or before
    return tuple(_with(one, cited) for one in quotations)


def _with(quotation: Quotation, cited: Mapping[int, tuple[Cited, ...]]) -> Quotation:
    found = () if quotation.cited is None or quotation.keys else cited.get(quotation.cited, ())
    if not found:
        return quotation
    each = tuple((key, pages) for one, pages in found if (key := one or _named_in(quotation.lead)))
    return quotation._replace(keys=tuple(dict(each)), locator=each[0][1], each=each) if each else quotation


def _named_in(lead: str) -> str:
    """Return the author whom the sentence before a quotation names last, '' for none."""
    names = [one for one in _NAME.finditer(lead) if one.start() or not _FIRST.match(lead)]
    return Name(names[-1][0]) if names else ""


def _read(note: MappedText, before: tuple[Cited, ...]) -> Iterator[Cited]:
    """Yield what a note cites, in one stretch or several; a work of '' is that of the sentence."""
    text = note.text
    for start, end in _stretches(text):
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
            named = text[begins : _name_end(text, end, given)].strip(" .,;:")
            if _NAME.search(named) and (
                pages is not None or _YEAR.search(named) or _BEFORE_CITED.search(named)
            ):
                yield Name(" ".join(named.split())), pages


def _name_end(text: str, end: int, given: Locator | None) -> int:
    """Return where the name of a work ends: before the pages with which its note ends."""
    if given is None or text[given.end : end].strip(" .,;)"):
        return end
    return given.prefix[0] if given.prefix else given.start


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a note that may cite: parted by ";", and by a sentence's end after a page."""
    at = 0
    for part in _PARTS.finditer(text):
        yield at, part.start()
        at = part.end()
    if text[at:].strip():
        yield at, len(text)


_PARTS = re.compile(r";(?![^()]*\))|(?<=\d)[.]\s+(?=[^\W\d_a-z])(?!\d)|(?<=\d\))[.]\s+(?=[^\W\d_a-z])")
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
_NAME = re.compile(r"(?<![\w.])[^\W\d_a-z][^\W\d_]*[^\W\d_A-Z][^\W\d_]*(?:[-’'][^\W\d_]+)*")
_FIRST = re.compile(r"\s*(?:As|The|In|It|So|Comme|Selon|Les|Le|La|Die|Der|Das|Wie)\b")
_YEAR = re.compile(r"\b(?:1[4-9]|20)\d\d\b")
_PAGE_ALONE = re.compile(
    r"\s*+(?:(?:pp?|S|s|pages?|Seite)[.\s\xa0]{1,3}|at\s)?[\d–,\s-]++(?:ff?\.?)?[\s.)]*+"
)
