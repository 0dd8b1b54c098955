"""A window of tier 2 beside the query: how near it is, and where in it each piece of the query stands.

Words are aligned here to find places and to score them; what differs at a place is the kernel's to say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from math import log

from rapidfuzz.distance import Levenshtein

from lookup.compare.differences import AlignedBlock, align, trimmed
from lookup.compare.sense_words import NEGATION
from lookup.papers.paper import Paper, PassageSpan, ReadingOrder
from lookup.quote.bounds import MOST_LEFT_OUT, NEAR_SCORE, NEAR_SCORES, NEAR_UNPRINTED, REPLACED_WORDS
from lookup.quote.certify import Candidate, Proposal, certify, examine
from lookup.quote.exact import to_its_ends
from lookup.quote.reading import Reading
from lookup.results.difference import PRINTED, Verdict
from lookup.text.words import words_in

_SENTENCE_END = re.compile(r"[^\W\d_]{3}\S?[.!?]\S*\s")
"""The end of a sentence, before the first word of the next; "F." is not an end."""

_ALIKE = 0.5  # Share of letters that agree from which a printed word may be a misreading of the query's.


class AlignedWindow:
    """The words of a reading beside those of a window; printed words are counted over all the paper.

    `meant` maps printed words to the words of the query that they are, or may be misread.
    """

    def __init__(
        self, paper: Paper, reading: Reading, first: int, last: int, meant: Mapping[str, str]
    ) -> None:
        self._paper, self._reading, self._meant = paper, reading, meant
        self._index, self._printed = paper.words, paper.words.words
        pieces = [words_in(piece.folded) for piece in reading.pieces]
        self._asked = [word for words in pieces for word in words]
        self._pieces = list(pairwise(accumulate(map(len, pieces), initial=0)))
        first, last = self._together(first, last)
        self._blocks = self._aligned(first, last)
        # Widened by as many words as the query has before its first match, and after its last.
        before = self._room(range(first, -1, -1), self._blocks[0])
        after = self._room(range(last, len(self._printed)), self._blocks[-1])
        if before or after:
            self._blocks = self._aligned(first - before, last + after)
        self._whole = self._blocks[0].printed[0], self._blocks[-1].printed[1]
        self.span = self._span(*self._whole)

    @cached_property
    def verdict(self) -> Verdict:
        """Whether it is near; related else."""
        few = self._unprinted() <= max(1, NEAR_UNPRINTED * len(self._asked))
        return "near" if few and self._likeness >= NEAR_SCORE else "related"

    @property
    def score(self) -> float:
        """How near it is, at most NEAR_SCORES where it is near."""
        return round(self._likeness * (NEAR_SCORES if self.verdict == "near" else 1), 4)

    def judged(self) -> Candidate | None:
        """Return the place with what the kernel says of it: near at best, unless that finds it printed."""
        one_piece = self._reading.in_one_piece()
        judged = self._certified(self._reading, list(self._places())) or self._certified(
            one_piece, [self._whole]
        )
        if judged is None or judged.verdict in PRINTED:
            return judged
        return judged._replace(score=self.score, verdict=self.verdict)

    def _certified(self, reading: Reading, places: Sequence[tuple[int, int]]) -> Candidate | None:
        """Return what the kernel says of pieces at these printed words; None if they are no one passage."""
        chain = []
        for piece, (begin, end) in zip(reading.pieces, places, strict=False):
            place = Proposal(self._span(begin, end), self._flow(begin, end), tuple(self._marks(begin, end)))
            chain.append(examine(self._paper, piece, to_its_ends(self._paper, piece.folded, place)))
        return certify(self._paper, reading, chain, tier=2) if chain else None

    def _places(self) -> Iterator[tuple[int, int]]:
        """Yield where the words of each piece are printed, of which any are."""
        for start, end in self._pieces:
            found = []
            for block in self._blocks:
                first, last = max(block.asked[0], start), min(block.asked[1], end)
                if first < last and block.printed[0] < block.printed[1]:
                    shift = block.printed[0] - block.asked[0]
                    found.append((first + shift, last + shift) if block.same else block.printed)
            if found:
                yield found[0][0], found[-1][1]

    def _flow(self, begin: int, end: int) -> ReadingOrder:
        """Return the order that reads the paragraphs with words of the query, and all prose between."""
        held = {
            self._index.locate(at)[0]
            for block in self._blocks
            if block.asked[0] < block.asked[1] and block.printed[0] < block.printed[1]
            for at in (block.printed[0], block.printed[1] - 1)
        }
        between = range(self._index.locate(begin)[0], self._index.locate(end - 1)[0] + 1)
        reading, paragraphs = self._paper.reading, self._paper.paragraphs
        read = [reading[one] for one in between if one in held or paragraphs[reading[one]].prose]
        return next((flow for flow in self._paper.flows if flow.reads(read)), self._paper.flows[0])

    def _marks(self, first: int, last: int) -> Iterator[PassageSpan]:
        """Yield what the query leaves out of the words of what may be citation marks."""
        for block in self._blocks:
            begin, end = block.printed
            asked = "".join(self._asked[slice(*block.asked)])
            printed = self._printed[begin:end]
            if block.same or not first <= begin < end <= last or printed == ["-"]:
                continue
            where = self._span(begin, end)
            start = where.start + len(asked)
            marks = self._paper.marks(where.first) if "".join(printed).startswith(asked) else ()
            if any(mark.start <= start and where.end <= mark.end for mark in marks):
                yield where._replace(start=start)

    def _span(self, begin: int, end: int) -> PassageSpan:
        """Return the span of the printed words `begin:end`."""
        (first, start, _), (last, _, ended) = self._index.locate(begin), self._index.locate(end - 1)
        return PassageSpan(self._paper.reading[first], start, self._paper.reading[last], ended)

    @cached_property
    def _likeness(self) -> float:
        """Coverage x tightness of the aligned words; of a misread word the letters that agree count."""
        held = sum(_alike(*self._texts(one)) * len(self._texts(one)[0]) for one in self._blocks)
        words = self._whole[1] - self._whole[0] - self._left_out()
        count = len(self._asked)
        return held / sum(map(len, self._asked)) * log(count + 1) / log(max(words, count) + 1)

    def _texts(self, block: AlignedBlock) -> tuple[str, str]:
        asked = "".join(self._asked[slice(*block.asked)])
        return asked, asked if block.same else "".join(self._printed[slice(*block.printed)])

    def _left_out(self) -> int:
        """Return the number of printed words that ellipses and brackets of the query may stand for."""
        most = {
            start: MOST_LEFT_OUT if elision.ellipsis else REPLACED_WORDS
            for (start, _), elision in zip(self._pieces[1:], self._reading.elisions, strict=True)
        }
        alone = ((begin, end - start) for (begin, end_), (start, end), _ in self._blocks if begin == end_)
        return sum(size for begin, size in alone if size <= most.get(begin, 0))

    def _unprinted(self) -> int:
        """Return the number of words of the query that are not printed, nor any like them in their place.

        Single letters and negations are not counted.
        """
        printed = set(self._printed[slice(*self._whole)])
        changed = (one for one in self._blocks if not one.same and _alike(*self._texts(one)) < _ALIKE)
        words = (word for block in changed for word in self._asked[slice(*block.asked)])
        return sum(len(word) > 1 and word not in printed and not NEGATION.fullmatch(word) for word in words)

    def _aligned(self, first: int, last: int) -> list[AlignedBlock]:
        window = [self._meant.get(word, word) for word in self._printed[first : last + 1]]
        return [
            AlignedBlock(one.asked, (one.printed[0] + first, one.printed[1] + first), one.same)
            for one in trimmed(self._asked, window, align(self._asked, window))
        ]

    def _together(self, first: int, last: int) -> tuple[int, int]:
        """Return the longest part of the window whose paragraphs are running text or follow each other."""
        parts = [[first, first]]
        for word in range(first + 1, last + 1):
            # Words that follow each other in reading may be in paragraphs that do not.
            one, other = (self._paper.reading[self._index.locate(place)[0]] for place in (word - 1, word))
            if other not in (one, one + 1) and not self._paper.paragraphs[other].running:
                parts.append([word, word])
            parts[-1][1] = word
        begin, end = max(parts, key=lambda part: part[1] - part[0])
        return begin, end

    def _room(self, words: range, end: AlignedBlock) -> int:
        """Return the number of printed words beyond the window that may be those missing in it."""
        missing = end.asked[1] - end.asked[0] if end.printed[0] == end.printed[1] else 0
        room = 0
        for word, other in pairwise(words[: missing + 1]):
            begin, last = sorted((word, other))
            (number, _, ended), (following, start, _) = self._index.locate(begin), self._index.locate(last)
            if number != following or _SENTENCE_END.match(
                self._index.texts[number][max(0, ended - 3) : start]
            ):
                break
            room += 1
        return room


def _alike(asked: str, printed: str) -> float:
    """Return the share of letters that agree."""
    return 1.0 if asked == printed else Levenshtein.normalized_similarity(asked, printed)
