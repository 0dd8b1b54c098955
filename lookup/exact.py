"""Tier 1: the words stand there as asked.

First as a substring of the folded text, then by letters and digits alone, which finds them whatever hyphens and spaces
a line break or a copy left in them. What the second way overlooks is compared before it counts.
"""

import re
from collections.abc import Iterator

from lookup.finding import Finding, Stretch
from lookup.folding import blind
from lookup.gaps import same_words
from lookup.paper import Flow, Paper
from lookup.query import Query


def find(paper: Paper, query: Query) -> list[Finding]:
    """All places of `paper` that print the query's words in order, without overlaps, in reading order.

    A place never cuts a word or a number: "significant" does not stand in "insignificant", nor "5 mg" in "15 mg",
    "1.5 mg" or "-5 mg", nor "significant" in "non-significant".
    """
    found = [flow.stretch(*span) for flow in paper.flows for span in _whole(flow.text, query.folded)]
    if not found and not query.short:
        for flow, blind_flow in zip(paper.flows, paper.blind_flows, strict=True):
            found += _blind(paper, flow, blind_flow, query)
    return [Finding(stretch, score=1.0, tier=1, verdict="verbatim") for stretch in _distinct(found)]


_SIGNS, _UNITS = "-+±<>=~≤≥≈$€£\ufffd", "%‰°\ufffd"

_NEGATION = re.compile(r"(?<![^\W\d_])(?:non|un|anti)-$")
"""What turns the word that follows it into its opposite."""

_LEAD = re.compile(r"(?:\d[.,]|[-+$€£\ufffd]|[<>~≤≥≈±]\s?)$")
"""What belongs to the number that follows it."""

_TAIL = re.compile(r"[.,\-]\d|\s?[%‰°\ufffd]")
"""What belongs to the number that stands before it."""


def _whole(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Spans of `text` that are `words` and cut nothing at either end, from left to right, without overlaps."""
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        if _cuts_before(text, at) or _cuts_after(text, end):
            at = text.find(words, at + 1)
        else:
            yield at, end
            at = text.find(words, end)


def _cuts_before(text: str, at: int) -> bool:
    """Whether what begins at `at` is only the rest of a word or number."""
    before = text[max(0, at - 6) : at]
    if not before:
        return False
    if not text[at].isalnum():  # the point of "1.5", the hyphen of "1-5" or "IL-5"
        return text[at] in ".,-" and before[-1].isalnum() and text[at + 1 : at + 2].isdigit()
    if text[at].isdigit():
        return before[-1].isalnum() or _LEAD.search(before) is not None
    return before[-1].isalnum() or _NEGATION.search(before) is not None


def _cuts_after(text: str, end: int) -> bool:
    """Whether what ends before `end` is only the beginning of a word or number."""
    if end >= len(text):
        return False
    if not text[end - 1].isalnum():  # "1." of "1.5", "5," of "5,000"
        return text[end - 1] in ".,-" and text[end - 2 : end - 1].isdigit() and text[end].isdigit()
    return text[end].isalnum() or (text[end - 1].isdigit() and _TAIL.match(text, end) is not None)


def _blind(paper: Paper, flow: Flow, blind_flow: Flow, query: Query) -> Iterator[Stretch]:
    asks_sign, asks_unit = query.folded[0] in _SIGNS, query.folded[-1] in _UNITS
    at = blind_flow.text.find(query.blind)
    while at >= 0:
        hit = blind_flow.stretch(at, at + len(query.blind))
        first, last = paper.paragraphs[hit.first].text_norm, paper.paragraphs[hit.last].text_norm
        start, end = _nth_alphanumeric(first, hit.start), _nth_alphanumeric(last, hit.end - 1) + 1
        if asks_sign:
            start = len(first[:start].rstrip(_SIGNS + " "))
        if asks_unit:
            end = len(last) - len(last[end:].lstrip(_UNITS + " "))
        stretch = Stretch(hit.first, start, hit.last, end)
        if not _cuts_before(first, start) and not _cuts_after(last, end):
            order = _between(flow, stretch)
            breaks = query.breaks | _printed_breaks(paper, order, hit)
            if same_words(query.folded, _printed(paper, order, stretch), breaks):
                yield stretch
        at = blind_flow.text.find(query.blind, at + 1)


def _nth_alphanumeric(text: str, n: int) -> int:
    """The offset of the `n`-th (from 0) letter or digit of `text`."""
    return next(i for count, i in enumerate(i for i, char in enumerate(text) if char.isalnum()) if count == n)


def _between(flow: Flow, stretch: Stretch) -> tuple[int, ...]:
    """The paragraphs that the stretch reads through."""
    return flow.paragraphs[flow.paragraphs.index(stretch.first) : flow.paragraphs.index(stretch.last) + 1]


def _printed_breaks(paper: Paper, order: tuple[int, ...], hit: Stretch) -> set[int]:
    """Where, counted in letters and digits from the hit's first, the print parts a word at a line's end.

    Whether such a hyphen is the word's own is a guess in the text and cannot be seen in the print: either reading is right.
    """
    breaks: set[int] = set()
    before = -hit.start
    for paragraph in order:
        breaks.update(before + at for at in paper.line_breaks(paragraph))
        before += len(blind(paper.paragraphs[paragraph].text_norm))
    return breaks


def _printed(paper: Paper, order: tuple[int, ...], stretch: Stretch) -> str:
    texts = [paper.paragraphs[i].text_norm for i in order]
    texts[-1] = texts[-1][: stretch.end]
    texts[0] = texts[0][stretch.start :]
    return " ".join(texts)


def _distinct(found: list[Stretch]) -> list[Stretch]:
    """The stretches in reading order, each place once: flows that skip captions find again what one paragraph holds."""
    kept: list[Stretch] = []
    for one in sorted(set(found), key=lambda s: (s.first, s.start, s.last, s.end)):
        if not kept or (one.first, one.start) >= (kept[-1].last, kept[-1].end):
            kept.append(one)
    return kept
