"""The quotation marks of a running text: which open and close a quotation, and what else that may be."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from pagequote.check.latex_units import MACROS
from pagequote.check.quotation import Looks
from pagequote.check.running_text import Quoted, RunningText

BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")

_CLOSING: dict[str, str] = MACROS["marks"]
"""Marks of all languages that open a quotation, each with those that close it.

A mark that also closes opens where it stands before a word and not after one: ”so” in Swedish, »so« in
German.
"""

_ALIKE = frozenset('"″＂')
"""Marks that open and close alike: what is open is closed by the next one, wherever that stands."""

_CLOSE_TOO = frozenset('”»"″＂')
"""Marks that open only where they stand as one that opens."""

_NEVER_LEFT_OPEN = frozenset("‚‹″")
"""Marks that mean other things, too: one that nothing closes opened nothing."""

_MARK_OR_BLANK_LINE = re.compile(
    rf"[{''.join(_CLOSING)}{''.join(set(''.join(_CLOSING.values())) - {'‘', '’'})}]|(?<=[\w.,;!?…])[‘’](?!\w)"
    rf"|{BLANK_LINE.pattern}"
)
_OPENS = re.compile(r"(?<![^\W_])(?<![.,;!?]).(?=\S)")
"""A mark that stands before a word, and not after one: 5" is inches."""

_OPENS_SINGLE = re.compile(r"(?<![\w.,;:!?”’\"'])(?:‘(?=\S)|['`](?=[^\W_]))")
_CLOSES_SINGLE = re.compile(r"(?<=\S)['’](?!\w)")
_POSSESSIVE = re.compile(r"(?<=s)['’](?= [a-z])")
_LEAST_WORDS = 4
"""Words between marks from which they are a quotation also where none is cited."""


_OTHER_MARKS = re.compile(
    r"(?P<opens>[´⁅‛‟❛〈⟨⟪⟦【〖〘〚⸂⸄⸌⸜⸢｢﹁﹃]|<<|>>|,,|''|``|‘‘)(?=\S)"
    r"(?P<words>(?>(?:(?!\n[ \t\r]*+\n|<<|>>|''|``)[^´⁆‛❜”“〉⟩⟫⟧】〗〙〛⸃⸅⸍⸝⸣｣﹂﹄]){1,2000}))"
    r"(?P<closes>[´⁆‛❜”“〉⟩⟫⟧】〗〙〛⸃⸅⸍⸝⸣｣﹂﹄]|<<|>>|''|``|‘‘|’’)"
)
"""What stands between marks of any kind that is not known to quote."""


_DOUBLE = re.compile(r"[“„«][^“”„«»\n]{1,2000}[”“»]|\"[^\"\n]{1,2000}\"|``[^`\n]{1,2000}''")


def long_enough(words: str) -> bool:
    """Return whether words between marks are as many as those of a quotation."""
    many = len(words.split(None, _LEAST_WORDS - 1)) >= _LEAST_WORDS
    return many or len(_UNSPACED.findall(words)) >= _LEAST_LETTERS


_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_LEAST_LETTERS = 8  # Of kana and characters, which have no spaces: some four words.


def marked(flow: RunningText, text: str) -> list[Quoted]:
    """Return the text between the outermost quotation marks, within a paragraph, not in a block quote.

    Single marks count as others do in a text that quotes between them; else those that are curly, and hold
    four words or more.
    """
    singles = sum(long_enough(text[start + 1 : end]) for start, end in _single(text, "‘'`"))
    single = singles > 2 * sum(long_enough(one[0]) for one in _DOUBLE.finditer(text))
    covered = sorted((one.start, one.end) for one in flow.quoted if one.known)
    found = [*_outermost(text, covered)]
    covered = sorted([*covered, *((one.start, one.end) for one in found)])
    for start, end in _single(text, "‘'`" if single else "‘"):
        before = bisect_right(covered, (start, len(text))) - 1
        inside = before >= 0 and covered[before][1] > start
        if not inside and (single or long_enough(text[start + 1 : end])):
            found = [one for one in found if not start < one.start < end]
            found.append(Quoted(start, end + 1, "‘...’" if text[start] == "‘" else "'...'"))
    unknown = (
        Quoted(*one.span("words"), f"the marks {one['opens']}...{one['closes']}", known=False)
        for one in _OTHER_MARKS.finditer(text)
    )
    return [*found, *(one for one in unknown if long_enough(text[one.start : one.end]))]


def _outermost(text: str, covered: list[tuple[int, int]]) -> Iterator[Quoted]:
    """Yield what stands between marks, and what was opened and holds four words, but was never closed."""
    at = region = left = 0
    for start, (end, again, closed) in sorted(_pairs(text).items()):
        while region < len(covered) and covered[region][1] <= start:
            region += 1
        if region < len(covered) and covered[region][0] <= start:
            at = max(at, covered[region][1])
        if start < at:
            continue
        if closed:
            yield Quoted(start, end, '"..."' if text[start] == '"' else "“...”", again=again)
            at = end
        elif text[start] not in _NEVER_LEFT_OPEN and end > left:
            left = end  # the first one of a paragraph is enough
            if long_enough(text[start + 1 : end]):
                yield Quoted(start, end, NOT_CLOSED)


NOT_CLOSED = "a mark that is not closed"
"""The form of what was opened and is not closed in its paragraph, nor opened again in the next."""


class _Ended(NamedTuple):
    """Where what a mark opened ends, where later paragraphs open it `again`, and whether a mark closes it."""

    end: int
    again: tuple[int, ...] = ()
    closed: bool = False


def _pairs(text: str) -> dict[int, _Ended]:
    """Return for each mark that opens where that ends: at the mark that closes it, else with its paragraph.

    A quotation over paragraphs has the same mark at the beginning of each.
    """
    found: dict[int, _Ended] = {}
    opened: dict[str, list[tuple[int, tuple[int, ...]]]] = {mark: [] for mark in _CLOSING}
    before: dict[str, tuple[int, tuple[int, ...]]] = {}
    paragraph = 0
    for mark in _MARK_OR_BLANK_LINE.finditer(f"{text}\n\n"):
        at, char = mark.start(), mark[0][0]
        if char == "\n":
            before = {kind: waiting[0] for kind, waiting in opened.items() if waiting}
            found |= {
                start: _Ended(at) for waiting in opened.values() for start, again in waiting if not again
            }
            opened = {kind: [] for kind in _CLOSING}
            paragraph = mark.end()
        elif char in before and not text[paragraph:at].strip():
            start, again = before.pop(char)
            opened[char].append((start, (*again, at)))
        else:
            opens = _OPENS.match(text, at) is not None
            ends = char in _ALIKE or not (opens or text[at + 1 : at + 2].isalnum())
            closes = [
                kind
                for kind, waiting in opened.items()
                if waiting and char in _CLOSING[kind] and (kind != char or ends)
            ]
            for kind in closes:
                start, again = opened[kind].pop()
                found[start] = _Ended(at + 1, again, closed=True)
            if char in _CLOSING and not closes and (opens or char not in _CLOSE_TOO):
                opened[char].append((at, ()))
    return found


def _single(text: str, marks: str) -> Iterator[tuple[int, int]]:
    """Yield where single marks open and close a quotation. An apostrophe does neither."""
    opens = [one.start() for one in _OPENS_SINGLE.finditer(text) if one[0] in marks]
    if not opens:
        return
    stops = sorted([*opens, *(one.start() for one in BLANK_LINE.finditer(text)), len(text)])
    done = 0
    for start in opens:
        if start < done:
            continue
        stop = stops[bisect_right(stops, start)]
        closing = [one.start() for one in _CLOSES_SINGLE.finditer(text, start + 1, stop)]
        sure = [one for one in closing if not _POSSESSIVE.match(text, one)]
        if closing:
            end = (sure or closing)[0]
            yield start, end
            done = end + 1


def _any_of(words: str) -> str:
    return "|".join(map(re.escape, MACROS["looks"][words].split()))


_PERSONS, _SAYS = _any_of("persons"), _any_of("says")
_SPOKEN = re.compile(
    rf"[\s,.!?]*(?:(?:{_PERSONS})\s(?:{_SAYS})\b|(?:{_SAYS})[- ](?:t-)?(?:{_PERSONS})\b)", re.IGNORECASE
)
_SPEAKS = re.compile(rf"\b(?:{_PERSONS})\s(?:{_SAYS})(?:\s(?:me|us|him|her|them))?[,:]?\s*$", re.IGNORECASE)
_NAMED = re.compile(rf"\b(?:{_any_of('names')})[\s,:(]*$", re.IGNORECASE)
_TERM = re.compile(rf"\b(?:{_any_of('terms')})\s*$", re.IGNORECASE)
_AUTHOR = re.compile(r"[^\W\d_a-z][\w'’.-]+[,:]\s*$")
_IN_JOURNAL = re.compile(r"\s*(?:,|in\b|In\b|\(\d{4}|\.\s+[^\W\d_a-z])")
_LONGEST_TITLE = 14
"""Words of a title."""

_LONGEST_TERM = 6
"""Words of a term or motto."""

_TITLE_WORD = 4
_TITLE_SHARE = 0.75
"""Share of the words of four letters or more with a capital, from which English words are a title."""


def looks_like(words: str, before: str, after: str) -> Looks:
    """Return what words between marks look like, by their length and what the sentence says around them."""
    count = len(words.split())
    if _SPOKEN.match(after) or _SPEAKS.search(before):
        return "speech"
    if count <= _LONGEST_TITLE:
        long = [one for one in re.findall(r"[^\W\d_]+", words) if len(one) >= _TITLE_WORD]
        capitals = len(long) > 1 and sum(one[0].isupper() for one in long) >= _TITLE_SHARE * len(long)
        ends_small = words.split()[-1:] and words.rsplit(maxsplit=1)[-1][0].islower()
        listed = _AUTHOR.search(before) is not None and _IN_JOURNAL.match(after) is not None
        if _NAMED.search(before) or listed or (capitals and not ends_small):
            return "a title"
    if count <= _LONGEST_TERM and _TERM.search(before):
        return "a term"
    return ""
