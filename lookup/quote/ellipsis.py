"""Tier 1 for queries in pieces: ellipses and brackets may leave words out, but not a negation."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from lookup.compare.negation import dropped_negations
from lookup.papers.paper import Paper
from lookup.papers.stretch import Stretch
from lookup.quote import exact
from lookup.quote.candidate import Candidate
from lookup.quote.exact import ExactSearch, PrintedPlace
from lookup.quote.query import Joint, Piece, Reading
from lookup.results.quote_answer import Difference

_PASSAGE = 3
"""Paragraphs of running text, at most, from one piece to the next."""

_BRACKETED = 10
"""Words of the paper, at most, that words in brackets stand for."""

_PRINTED_BRACKET = re.compile(r"\[[^\]]*[^\W\d_]{3}[^\]]*\]\W*")
"""Words in brackets that the paper prints: those of the query may quote them."""

_OVER_NEGATION = 0.95
"""Score of a place that prints all pieces, with a negation between them."""


def find(search: ExactSearch, reading: Reading, page: int = 0) -> list[Candidate]:
    """Return places that print the pieces of `reading` in order within one passage, in reading order.

    Where what is left out negates what is quoted, the place is near, and its differences say so.
    """
    paper = search.paper
    found = _candidates(paper, reading, [_places(search, piece, thorough=False) for piece in reading.pieces])
    if not any(one.verdict == "verbatim" for one in found):
        found = _candidates(
            paper, reading, [_places(search, piece, thorough=True) for piece in reading.pieces]
        )
    return [one for one in found if paper.touches(one.stretch, page)]


def _places(search: ExactSearch, piece: Piece, *, thorough: bool) -> list[PrintedPlace]:
    found: list[PrintedPlace] = []
    for way in exact.ways(piece):
        found = exact.distinct([*found, *search.by(way, piece)])
        if found and not thorough:
            break
    return found


def _candidates(paper: Paper, reading: Reading, places: Sequence[list[PrintedPlace]]) -> list[Candidate]:
    chains: dict[Stretch, list[PrintedPlace]] = {}
    for chain in _chains(places):
        if all(
            _joined(paper, joint, *pair) for joint, pair in zip(reading.joints, pairwise(chain), strict=True)
        ):
            chains.setdefault(chain[0].stretch, chain)  # the nearest end for each beginning
    return [_candidate(paper, chain) for chain in chains.values()]


def _chains(places: Sequence[list[PrintedPlace]]) -> list[list[PrintedPlace]]:
    """For each place of the last piece the nearest places of the others before it, in order."""
    ends = [[(one.stretch.last, one.stretch.end) for one in each] for each in places]
    chains = []
    for last in places[-1]:
        chain = [last]
        for each, ended in zip(reversed(places[:-1]), reversed(ends[:-1]), strict=True):
            before = bisect_right(ended, (chain[0].stretch.first, chain[0].stretch.start))
            if not before:
                break
            chain.insert(0, each[before - 1])
        else:
            chains.append(chain)
    return chains


def _joined(paper: Paper, joint: Joint, one: PrintedPlace, other: PrintedPlace) -> bool:
    """Return whether what stands between two pieces may be left out by `joint`."""
    if joint is Joint.BRACKET:
        left_out = " ".join(_left_out(paper, _gap(one, other))).strip()
        if len(left_out.split()) > _BRACKETED or _PRINTED_BRACKET.fullmatch(left_out):
            return False
    between = range(one.stretch.last + 1, other.stretch.first + 1)
    return sum(paper.paragraphs[i].prose for i in between) <= _PASSAGE


def _candidate(paper: Paper, chain: list[PrintedPlace]) -> Candidate:
    gaps = [_gap(*pair) for pair in pairwise(chain)]
    denied = [word for gap in gaps for word in dropped_negations(" ".join(_left_out(paper, gap)).strip())]
    omitted = [part for gap in gaps for part in _trimmed(paper, gap)]
    first, last = chain[0].stretch, chain[-1].stretch
    return Candidate(
        Stretch(first.first, first.start, last.last, last.end),
        score=_OVER_NEGATION if denied else 1.0,
        tier=1,
        verdict="near" if denied else "verbatim",
        differences=tuple(Difference("negation", "", word) for word in denied),
        omitted=tuple(sorted([*omitted, *(mark for place in chain for mark in place.omitted)])),
    )


def _gap(one: PrintedPlace, other: PrintedPlace) -> Stretch:
    return Stretch(one.stretch.last, one.stretch.end, other.stretch.first, other.stretch.start)


def _left_out(paper: Paper, gap: Stretch) -> list[str]:
    """Return the folded words of a gap by paragraph, without those within it that are not running text."""
    texts = []
    for i in range(gap.first, gap.last + 1):
        if i in (gap.first, gap.last) or paper.paragraphs[i].prose:
            start = gap.start if i == gap.first else 0
            end = gap.end if i == gap.last else None
            texts.append(paper.paragraphs[i].text_norm[start:end])
    return texts


def _trimmed(paper: Paper, gap: Stretch) -> list[Stretch]:
    """Return the gap without the spaces at its ends; empty if it holds no letter or digit."""
    first, last = paper.paragraphs[gap.first].text_norm, paper.paragraphs[gap.last].text_norm
    if not any(char.isalnum() for text in _left_out(paper, gap) for char in text):
        return []
    end = len(last[: gap.end].rstrip()) if gap.last > gap.first or gap.end > gap.start else gap.end
    start = gap.start + len(first[gap.start :]) - len(first[gap.start :].lstrip())
    if start >= len(first):  # the piece ends its paragraph
        return _trimmed(paper, Stretch(gap.first + 1, 0, gap.last, gap.end))
    if end == 0:
        before = paper.paragraphs[gap.last - 1].text_norm
        return _trimmed(paper, Stretch(gap.first, gap.start, gap.last - 1, len(before)))
    return [Stretch(gap.first, start, gap.last, end)]
