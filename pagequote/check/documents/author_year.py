"""Citations in plain words: "(Fan et al., 2021, p. 2; Okafor & Berg, 2019)", "Fan et al. (2021, p. 2)"."""

import re
from bisect import bisect_left, bisect_right

from pagequote.check.cited_works import CitedWork
from pagequote.check.locators import Locator, parse_locator
from pagequote.check.quotation import Citation
from pagequote.check.running_text import Quoted, RunningText

_PARTICLE = r"(?:(?:van|von|der|den|de|del|della|di|da|dos|du|la|le|ten|ter|el|al|bin|ibn)[ \xa0]){0,3}"
_NAME = rf"{_PARTICLE}[^\W\d_a-z][\w'’‐-]{{1,40}}"
_NAMES = (
    rf"{_NAME}(?:[ \xa0]{_NAME}){{0,2}}(?:,[ \xa0]{_NAME}){{0,6}}"
    rf"(?:,?[ \xa0](?:and|und|et|y|&)[ \xa0]{_NAME})?(?:,?[ \xa0]et[ \xa0]al\.?)?"
)
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?"
_GROUP = re.compile(r"\((?P<inside>[^()\n]{6,300})\)")
_ONE = re.compile(
    rf"[\s\xa0]{{0,3}}(?:(?:see|cf\.|e\.g\.,?|vgl\.)[ \xa0](?:also[ \xa0])?)?(?P<names>{_NAMES}),?[ \xa0]"
    rf"(?P<year>{_YEAR})(?:[,:][ \xa0]?(?P<pages>[^;]{{1,60}}))?[\s\xa0]{{0,3}}"
)
_IN_TEXT = re.compile(
    rf"(?<!\w)(?P<names>{_NAMES})(?:['’]s)?[ \xa0]"
    rf"\((?P<year>{_YEAR})(?:[,:][ \xa0]?(?P<pages>[^()\n;]{{1,60}}))?\)"
)


def mark_citations(flow: RunningText) -> tuple[RunningText, dict[str, CitedWork]]:
    """Return the text with its citations in plain words marked as citations, and the works that they name."""
    text = flow.text()
    works: dict[str, CitedWork] = {}
    found: list[tuple[int, int, Citation]] = []
    for match in _IN_TEXT.finditer(text):
        each = [_cited(match)]
        found.append((*match.span(), _citation(flow, match, each, textual=True)))
        works |= {name: CitedWork(name) for name, _ in each}
    taken = [start for start, _, _ in found]
    for match in _GROUP.finditer(text):
        near = bisect_left(taken, match.end()) - 1
        if near >= 0 and found[near][1] >= match.end():
            continue  # the year of a citation in the sentence
        parts = [_ONE.fullmatch(part) for part in match["inside"].split(";")]
        each = [_cited(part) for part in parts if part]
        if each:
            found.append((*match.span(), _citation(flow, match, each)))
            works |= {name: CitedWork(name) for name, _ in each}
    return _with(flow, sorted(found, key=lambda one: one[0])), works


def _cited(match: re.Match[str]) -> tuple[str, Locator | None]:
    pages = (match["pages"] or "").strip()
    name = " ".join(match["names"].split())
    return f"{name} {match['year']}", parse_locator(pages, 0, len(pages)) if pages else None


def _citation(
    flow: RunningText, match: re.Match[str], each: list[tuple[str, Locator | None]], *, textual: bool = False
) -> Citation:
    start, end = flow.span(match.start())[0], flow.span(match.end() - 1)[1]
    return Citation(tuple(dict(each)), each[0][1], start, end, textual, tuple(each))


def _with(flow: RunningText, found: list[tuple[int, int, Citation]]) -> RunningText:
    """Return the text with a mark in place of each stretch that cites."""
    made = RunningText()
    pieces = [(0, 0, 1)]  # the old place, the new one, and whether that goes on character by character
    for start, end, citation in found:
        made.extend(flow, pieces[-1][0], start)
        made.aside = bool(flow.asides[start])
        made.cite(citation)
        pieces += [(start, made.length - 1, 0), (end, made.length, 1)]
    made.extend(flow, pieces[-1][0], flow.length)

    def now(old: int) -> int:
        start, new, each = pieces[bisect_right(pieces, old, key=lambda one: one[0]) - 1]
        return new + each * (old - start)

    made.quoted = [Quoted(now(one.start), now(one.end), one.form, one.block) for one in flow.quoted]
    return made
