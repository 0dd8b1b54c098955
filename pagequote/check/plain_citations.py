"""Citations in plain words: "Kant (1912, 35)", "(Kant 1912, 35; Hume 1748)", "(ibid., 36)", "(p. 36)"."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence

from lookup.papers.locators import Locator, parse_locator
from pagequote.check.quotation import Citation, MappedText, Name
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
            start, end = flow.spans[match.start()][0], flow.spans[match.end() - 1][1]
            inside = MappedText(match["inside"], flow.spans.cut(*match.span("inside")))
            found.append((*match.span(), Citation((), None, start, end, note=inside)))
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


def _cited(flow: RunningText, match: re.Match[str]) -> tuple[str, Locator | None]:
    """Return the name of a work, and its pages."""
    name = Name(f"{' '.join(match['names'].split())} {match['year']}")
    if not match["pages"]:
        return name, None
    pages = MappedText(match["pages"], flow.spans.cut(*match.span("pages")))
    return name, pages.placed(parse_locator(pages.text, 0, len(pages.text)))


def _citation(
    flow: RunningText, match: re.Match[str], each: list[tuple[str, Locator | None]], *, textual: bool = False
) -> Citation:
    start, end = flow.spans[match.start()][0], flow.spans[match.end() - 1][1]
    return Citation(tuple(dict(each)), each[0][1], start, end, textual, tuple(each))
