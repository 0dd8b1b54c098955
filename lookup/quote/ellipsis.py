"""Tier 1 for queries that leave words out under ellipses or put words in with brackets.

Both have bounds (thresholds.py). Within them the quote is abridged, or near where what is left out or put in
changes what is said; beyond them no place is found.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lookup.compare.differences import facts_first
from lookup.compare.insertions import changed_by
from lookup.compare.negation import dropped_denials
from lookup.papers.paper import Paper
from lookup.papers.stretch import Stretch
from lookup.quote import exact
from lookup.quote.candidate import Candidate
from lookup.quote.exact import ExactSearch, PrintedPlace
from lookup.quote.query import Joint, Piece, Reading
from lookup.quote.thresholds import (
    ABRIDGED_SCORES,
    LEFT_OUT_AT_ONCE,
    LEFT_OUT_IN_ALL,
    NEAR_SCORES,
    PARAGRAPH_ENDS,
    PIECE_WORDS,
    REPLACED_WORDS,
)
from lookup.results.quote_answer import Difference
from lookup.text.scripts import WORD
from lookup.text.sentences import sentence_spans
from lookup.text.words import words_in

_STOP = re.compile(r"[.;:!?](?!\d)")
_NO_END = re.compile(r"(?:,|[(\[]\w+\.[)\]])\s*$")
"""What looks like the end of a sentence before a capital, and is none: "Co., Ltd., Wuhan", "(Retz.) Roxb"."""

_AROUND = 200
"""Characters of a paragraph, at most, that are read beside a place; four words are wanted."""

_REPLACED_AT_ENDS = 4
"""Words, at most, that brackets at an end of a query, or beside an ellipsis, stand for."""


def find(search: ExactSearch, reading: Reading, page: int = 0) -> list[Candidate]:
    """Return places that print the pieces of `reading` in order within the bounds, in reading order.

    Where what is left out or put in changes what is said, the place is near, and its differences say so.
    """
    if not _long_enough(reading):
        return []
    found: list[Candidate] = []
    for thorough in (False, True):
        places = [_places(search, piece, thorough=thorough) for piece in reading.pieces]
        found = _candidates(search.paper, reading, places)
        if any(one.verdict == "abridged" for one in found):
            break
    return [one for one in found if search.paper.touches(one.stretch, page)]


def _long_enough(reading: Reading) -> bool:
    """Return whether each part between two ellipses has PIECE_WORDS words; brackets do not part it."""
    words = [0]
    for piece, joint in zip(reading.pieces, (Joint(), *reading.joints), strict=True):
        if joint.ellipsis:
            words.append(0)
        words[-1] += _count(piece.folded)
    return len(words) == 1 or min(words) >= PIECE_WORDS


def _count(text: str) -> int:
    return len(WORD.findall(text))


def _places(search: ExactSearch, piece: Piece, *, thorough: bool) -> list[PrintedPlace]:
    found: list[PrintedPlace] = []
    for way in exact.ways(piece):
        found = exact.distinct([*found, *search.by(way, piece)])
        if found and not thorough:
            break
    return found


def _candidates(paper: Paper, reading: Reading, places: Sequence[list[PrintedPlace]]) -> list[Candidate]:
    found: dict[Stretch, Candidate] = {}
    for chain in _chains(places):
        start = chain[0].stretch
        if start not in found and (candidate := _candidate(paper, reading, chain)):
            found[start] = candidate  # the nearest end for each beginning
    return list(found.values())


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


def _candidate(paper: Paper, reading: Reading, chain: Sequence[PrintedPlace]) -> Candidate | None:
    """Return a chain of places as a candidate; None where more is left out than the bounds allow."""
    gaps = [_gap(*pair) for pair in pairwise(chain)]
    if not all(_within_a_section(paper, gap) for gap in gaps):
        return None
    texts = [" ".join(_left_out(paper, gap)).strip() for gap in gaps]
    counts = [_count(text) for text in texts]
    most = [LEFT_OUT_AT_ONCE if joint.ellipsis else REPLACED_WORDS for joint in reading.joints]
    if sum(counts) > LEFT_OUT_IN_ALL or any(one > limit for one, limit in zip(counts, most, strict=True)):
        return None
    changes = []
    for joint, gap, text in zip(reading.joints, gaps, texts, strict=True):
        if joint.ellipsis:
            changes += dropped_denials(text, reading.folded)
            changes += [Difference("dropped", "", text)] if _splices(paper, gap) else []
    put_in = [Difference("inserted", *pair) for pair in reading.respelled]
    for words, before, printed in _brackets(paper, reading, chain, texts):
        changed = [changed_by(words, replaced, before) for replaced in printed]
        if None not in changed:
            changes += filter(None, changed[-1:])
        elif words_in(words) != words_in(replaced := printed[changed.index(None)]):
            put_in.append(Difference("inserted", words, replaced))
    omitted = [part for gap in gaps for part in _trimmed(paper, gap)]
    omitted += [part for place in chain for part in (*place.omitted, *exact.passed_over(paper, place))]
    first, last = chain[0].stretch, chain[-1].stretch
    return Candidate(
        Stretch(first.first, first.start, last.last, last.end),
        score=_score(_count(reading.folded), len(changes), sum(counts)),
        tier=1,
        verdict="near" if changes else "abridged",
        differences=facts_first(changes) if changes else tuple(put_in),
        omitted=tuple(sorted(omitted)),
    )


def _score(asked: int, changes: int, left_out: int) -> float:
    if changes:
        return round(NEAR_SCORES * asked / (asked + changes), 4)
    least, most = ABRIDGED_SCORES
    return round(most - (most - least) * left_out / LEFT_OUT_IN_ALL, 4)


def _within_a_section(paper: Paper, gap: Stretch) -> bool:
    """Return whether a reader goes over the gap within a section, past PARAGRAPH_ENDS at most."""
    if gap.first == gap.last:
        return True
    if not (paper.paragraphs[gap.first].prose and paper.paragraphs[gap.last].prose):
        return False
    ends = 0
    for i in range(gap.first + 1, gap.last + 1):  # ends early: a gap may be as long as the paper
        ends += paper.paragraphs[i].prose
        if ends > PARAGRAPH_ENDS or paper.paragraphs[i].kind == "heading":
            return False
    return True


def _splices(paper: Paper, gap: Stretch) -> bool:
    """Return whether the gap makes one sentence of parts of two: it begins and ends within sentences.

    The end of a sentence counts where a capital letter follows: "15 plants" may go on after "[21].". A comma
    and an abbreviation in brackets end none.
    """
    if gap.first == gap.last and not _STOP.search(paper.paragraphs[gap.first].text_norm, gap.start, gap.end):
        return False
    first, last = paper.printed(gap.first), paper.printed(gap.last)
    begin, end = first.folded.ends[gap.start - 1], last.folded.starts[gap.end]
    sentences, others = sentence_spans(first.text), sentence_spans(last.text)
    ended = next(i for i, span in enumerate(sentences) if begin <= span[1])
    begun = next(i for i, span in enumerate(others) if end < span[1])
    rests = first.text[begin : sentences[ended][1]], last.text[others[begun][0] : end]
    borders = [start for start, _ in sentences[ended + 1 : begun + 1] if first.text[start].isupper()]
    parted = gap.first != gap.last or any(not _NO_END.search(first.text, 0, start) for start in borders)
    return parted and all(any(map(str.isalnum, rest)) for rest in rests)


def _brackets(
    paper: Paper, reading: Reading, chain: Sequence[PrintedPlace], texts: Sequence[str]
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the words of each bracket, the piece before it, and the printed words that it may stand for.

    Between two pieces it stands for all that is printed there, at an end or beside an ellipsis for a few
    words or none; the last of them are those to name where it stands for none of them.
    """
    first, last = chain[0].stretch, chain[-1].stretch
    before = _STOP.split(paper.paragraphs[first.first].text_norm[max(0, first.start - _AROUND) : first.start])
    after = _STOP.split(paper.paragraphs[last.last].text_norm[last.end : last.end + _AROUND])
    for words in reading.before.inserted:
        yield words, "", _endings(before[-1], words)
    for piece, joint, text in zip(reading.pieces, reading.joints, texts, strict=False):
        for words in joint.inserted:
            few = [*_endings(text, words), *_beginnings(text, words)] if joint.ellipsis else [text]
            yield words, piece.folded, few
    for words in reading.after.inserted:
        yield words, reading.pieces[-1].folded, _beginnings(after[0], words)


def _beginnings(text: str, bracket: str) -> list[str]:
    """Return the beginnings of a text that a bracket may stand for, the one with as many words as it last."""
    words = text.split()
    return [" ".join(words[:n]) for n in (*range(_REPLACED_AT_ENDS), len(bracket.split()))]


def _endings(text: str, bracket: str) -> list[str]:
    """Return the endings of a text that a bracket may stand for, the one with as many words as it last."""
    words = text.split()
    return [
        " ".join(words[max(0, len(words) - n) :]) for n in (*range(_REPLACED_AT_ENDS), len(bracket.split()))
    ]


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
