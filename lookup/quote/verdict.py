"""The verdict of tier 2: align the words of the query with those of a window, and judge what differs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import log
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from lookup.compare.alignment import AlignedBlock, align, trimmed
from lookup.compare.checks import Compared, same_case, same_heights, same_words
from lookup.compare.differences import difference, facts_first
from lookup.compare.insertions import may_stand_for
from lookup.compare.letters import Span, read
from lookup.compare.negation import NEGATION, dropped_denials, left_out
from lookup.papers.paper import Paper, PassageSpan
from lookup.quote.bounds import MOST_LEFT_OUT, NEAR_SCORES, REPLACED_WORDS
from lookup.quote.candidate import Candidate
from lookup.quote.certify import Examined, Proposal, certify, cut_by, examine
from lookup.quote.exact import to_its_ends
from lookup.quote.reading import Elision, Piece, Reading
from lookup.quote.thresholds import NEAR_SCORE, NEAR_UNPRINTED
from lookup.results.difference import PRINTED, Difference, Verdict
from lookup.text.words import spans

_SENTENCE_END = re.compile(r"[^\W\d_]{3}\S?[.!?]\S*\s")
"""The end of a sentence, before the first word of the next; "F." is not an end."""

_ALIKE = 0.5  # Share of letters that agree from which a printed word may be a misreading of the query's.


class JudgedWindow(NamedTuple):
    """A candidate, of which all but its ends and the letters of its words is judged.

    `cut` gives what its ends cut off, unless that is among the differences, `letters` what the checks of
    letters say of words that are the same, for which the printed characters must be read, `form` what the
    kernel finds where the words show none.
    """

    candidate: Candidate
    cut: Callable[[], Sequence[Difference]]
    letters: Callable[[], Sequence[Difference]]
    form: tuple[Difference, ...]
    around: Mapping[str, str]
    """The print around each word that the query leaves out."""

    def in_full(self) -> Candidate:
        """Return the candidate with the differences of letters too; near at best, where there is one."""
        one = self.candidate
        if one.verdict in PRINTED:
            return one
        found = [*one.differences, *self.cut(), *(self.letters() if one.verdict != "related" else ())]
        # Tier 1 did not find it, so it is not printed as given, even if its words do not show why.
        differences = facts_first(found, self.around) or self.form
        verdict: Verdict = "related" if one.verdict == "related" else "near"
        return one._replace(verdict=verdict, differences=differences)


def judge_window(
    paper: Paper, reading: Reading, first: int, last: int, meant: Mapping[str, str]
) -> JudgedWindow:
    """Return the words from `first` to `last` as a candidate for `reading`, with the verdict on them.

    `meant` maps printed words to the words of the query that they are, or may be misread.
    """
    comparison = _Comparison(paper, reading, meant)
    blocks = comparison.blocks(first, last)
    differences = [
        Difference("inserted", words, "") for words in reading.inserted if not may_stand_for(words, "", "")
    ]
    differences += [Difference("inserted", *pair) for pair in reading.respelled]
    omitted: list[PassageSpan] = []
    omitted_words = 0
    passed: set[int] = set()
    for block in blocks:
        if block.same:
            differences += comparison.misread(block)
        elif (mark := comparison.citation_mark(block)) is not None:
            omitted.append(mark)
            omitted_words += len(range(*block.printed)) - len(range(*block.asked))
        elif comparison.passed_over(block):
            omitted_words += len(range(*block.printed))
            passed.update(comparison.between(*block.printed))
        elif comparison.left_out(block):
            omitted.append(comparison.span(*block.printed))
            omitted_words += len(range(*block.printed))
            differences += dropped_denials(left_out(comparison.text(*block.printed), reading.folded))
        elif not comparison.alike(block):
            differences += comparison.changes(block)
    begin, end = blocks[0].printed[0], blocks[-1].printed[1]
    score = comparison.score(blocks, omitted_words)
    # With the marks at the query's ends that are printed there, too.
    span = to_its_ends(paper, reading.folded, Proposal(comparison.span(begin, end), paper.flows[0])).span
    through = tuple(i for i in comparison.between(begin, end) if i not in passed)
    cut = cut_by(paper, span, reading.beside) if not differences else None
    differences += cut or ()
    examined = comparison.examined(span, omitted) if not differences else None
    certified = None
    if examined and omitted and not examined.differences:
        certified = certify(paper, reading, [examined], tier=2)
    verdict: Verdict = "related"
    if score >= NEAR_SCORE and comparison.unprinted(blocks) <= max(1, NEAR_UNPRINTED * comparison.count):
        verdict = "near"
    candidate = certified or Candidate(
        span,
        score=round(NEAR_SCORES * score if verdict == "near" else score, 4),
        tier=2,
        verdict=verdict,
        differences=tuple(differences),
        omitted=tuple(omitted),
        through=through,
    )
    return JudgedWindow(
        candidate,
        lambda: cut_by(paper, span, reading.beside) if cut is None else (),
        lambda: comparison.letters(blocks),
        (examined and examined.differences)
        or (Difference("form", reading.folded, comparison.text(begin, end)),),
        comparison.around,
    )


class _Comparison:
    """The words of a query beside those of a paper; spans of printed words count those of all the paper."""

    def __init__(self, paper: Paper, reading: Reading, meant: Mapping[str, str]) -> None:
        self._paper, self._reading = paper, reading
        self._index = paper.words
        self._printed = self._index.words
        self._meant = meant
        self._asked: list[str] = []
        self._cased = reading.pieces[0].cased
        self.around: dict[str, str] = {}
        """The print around each word that `changes` found to be left out."""
        self._elisions: dict[int, int] = {}
        """How many words the query may leave out before which of its words."""
        self._places: list[tuple[Piece, Span]] = []
        """Where its words stand."""
        for piece, elision in zip(reading.pieces, (Elision(), *reading.elisions), strict=True):
            if self._asked:
                self._elisions[len(self._asked)] = MOST_LEFT_OUT if elision.ellipsis else REPLACED_WORDS
            for start, end in spans(piece.folded):
                self._asked.append(piece.folded[start:end])
                self._places.append((piece, Span(start, end)))

    def blocks(self, first: int, last: int) -> list[AlignedBlock]:
        """Return the blocks of the window, widened at each end.

        By as many words as the query has before its first match, and after its last.
        """
        first, last = self._together(first, last)
        found = self._aligned(first, last)
        before = self._room(range(first, -1, -1), found[0])
        after = self._room(range(last, len(self._printed)), found[-1])
        return self._aligned(first - before, last + after) if before or after else found

    def span(self, begin: int, end: int) -> PassageSpan:
        """Return the span of the printed words `begin:end`."""
        (first, start, _), (last, _, ended) = self._index.locate(begin), self._index.locate(end - 1)
        return PassageSpan(self._paper.reading[first], start, self._paper.reading[last], ended)

    def between(self, begin: int, end: int) -> list[int]:
        """Return the paragraphs of the printed words `begin:end`, in the order of reading."""
        first, last = self._index.locate(begin)[0], self._index.locate(end - 1)[0]
        return list(self._paper.reading[first : last + 1])

    def text(self, begin: int, end: int) -> str:
        """Return the folded text of the printed words `begin:end`."""
        (first, start, _), (last, _, ended) = self._index.locate(begin), self._index.locate(end - 1)
        if first == last:
            return self._index.texts[first][start:ended]
        between = self._index.texts[first + 1 : last]
        return " ".join([self._index.texts[first][start:], *between, self._index.texts[last][:ended]])

    def citation_mark(self, block: AlignedBlock) -> PassageSpan | None:
        """Return the citation mark that is the only thing the printed words have more than the query."""
        begin, end = block.printed
        asked = self._asked[slice(*block.asked)]
        if (
            begin == end
            or len(asked) > 1
            or self._printed[begin:end] == ["-"]  # of a range: without it, the numbers are others
            or (asked and (end - begin > 1 or not self._printed[begin].startswith(asked[0])))
            or (asked and asked[0][-1].isdigit())  # "mud12" may be "mud" with a mark, "1977" not "197"
        ):
            return None
        where = self.span(begin, end)
        start = where.start + len(asked[0]) if asked else where.start
        inside = [
            mark
            for mark in self._paper.marks(where.first)
            if mark.start <= start and where.end <= mark.end and where.first == where.last
        ]
        if inside and (self._paper.is_mark(where.first, inside[0]) or self._paper.are_works(where)):
            return PassageSpan(where.first, start, where.last, where.end)
        return None

    def passed_over(self, block: AlignedBlock) -> bool:
        """Return whether the printed words are whole paragraphs that a reader may skip, such as headings."""
        begin, end = block.printed
        if block.asked[0] != block.asked[1] or begin == end:
            return False
        borders = {*self._index.borders, len(self._printed)}
        between = self.between(begin, end)
        return {begin, end} <= borders and not any(self._paper.paragraphs[i].prose for i in between)

    def examined(self, span: PassageSpan, omitted: Sequence[PassageSpan]) -> Examined | None:
        """Return what the kernel finds at a place of one paragraph, for a reading of one piece."""
        if len(self._reading.pieces) > 1 or span.first != span.last:
            return None
        proposal = Proposal(span, self._paper.flows[0], tuple(omitted))
        return examine(self._paper, self._reading.pieces[0], proposal)

    def left_out(self, block: AlignedBlock) -> bool:
        """Return whether the printed words are where the query leaves some out."""
        most = self._elisions.get(block.asked[0], 0)
        return block.asked[0] == block.asked[1] and block.printed[1] - block.printed[0] <= most

    def alike(self, block: AlignedBlock) -> bool:
        """Return whether words that part differently are the same: "5mg" and "5 mg"."""
        asked, printed = self._asked[slice(*block.asked)], block.printed
        if not asked or printed[0] == printed[1]:
            return False
        return not any(same_words(Compared(read(" ".join(asked)), read(self.text(*printed)))))

    def misread(self, block: AlignedBlock) -> list[Difference]:
        """Return the differences of a block of the same words: those that are misread."""
        pairs = zip(self._asked[slice(*block.asked)], self._printed[slice(*block.printed)], strict=True)
        return [difference([one], [other], self._index.vocabulary) for one, other in pairs if one != other]

    def letters(self, blocks: Sequence[AlignedBlock]) -> list[Difference]:
        """Return what the checks of letters say of words that are the same: of exponents, and of case."""
        pairs = [
            (i, j)
            for block in blocks
            if block.same
            for i, j in zip(range(*block.asked), range(*block.printed), strict=True)
            if self._asked[i] == self._printed[j]
        ]
        found: list[Difference] = []
        for _, run in groupby(enumerate(pairs), key=self._place):
            words = [pair for _, pair in run]
            (first, begin), (last, end) = words[0], words[-1]
            (piece, start), (_, stop) = self._places[first], self._places[last]
            number, printed_start, _ = self._index.locate(begin)
            _, _, printed_end = self._index.locate(end)
            asked = read(piece.asked, raw=piece.asked, within=Span(start.start, stop.end))
            printed = self._paper.letters(self._paper.reading[number], printed_start, printed_end)
            both = Compared(asked, printed, cased=self._cased)
            if asked.chars == printed.chars:
                found += [*same_heights(both), *same_case(both)]
        return found

    def _place(self, placed: tuple[int, tuple[int, int]]) -> tuple[int, int, Piece, int]:
        """Return what words that follow each other in a piece and in a paragraph have in common."""
        at, (i, j) = placed
        return i - at, j - at, self._places[i][0], self._index.locate(j)[0]

    def changes(self, block: AlignedBlock) -> list[Difference]:
        """Return the differences of a changed block, word by word where one side has none."""
        asked, printed = self._asked[slice(*block.asked)], self._printed[slice(*block.printed)]
        if asked and printed:
            found = difference(asked, printed, self._index.vocabulary)
            return [replace(found, printed=self.text(*block.printed))]
        for at in range(*block.printed):
            beside = range(max(at - 1, 0), min(at + 2, len(self._printed)))
            self.around[self._printed[at]] = self.text(beside.start, beside.stop)
        return [difference([one], []) for one in asked] + [difference([], [one]) for one in printed]

    def score(self, blocks: list[AlignedBlock], omitted: int) -> float:
        """Return coverage x tightness of the aligned words; of a misread word the letters that agree count.

        `omitted` are printed words that may be left out.
        """
        held = sum(
            self._likeness(block) * sum(map(len, self._asked[slice(*block.asked)])) for block in blocks
        )
        words = blocks[-1].printed[1] - blocks[0].printed[0] - omitted
        count = len(self._asked)
        return held / sum(map(len, self._asked)) * log(count + 1) / log(max(words, count) + 1)

    @property
    def count(self) -> int:
        """The number of words of the query."""
        return len(self._asked)

    def unprinted(self, blocks: list[AlignedBlock]) -> int:
        """Return the number of words of the query that are not printed, nor any like them in their place.

        Single letters and negations are not counted.
        """
        printed = set(self._printed[blocks[0].printed[0] : blocks[-1].printed[1]])
        changed = (block for block in blocks if not block.same and self._likeness(block) < _ALIKE)
        words = (word for block in changed for word in self._asked[slice(*block.asked)])
        return sum(len(word) > 1 and word not in printed and not NEGATION.fullmatch(word) for word in words)

    def _likeness(self, block: AlignedBlock) -> float:
        if block.same:
            return 1.0
        one = "".join(self._asked[slice(*block.asked)])
        return Levenshtein.normalized_similarity(one, "".join(self._printed[slice(*block.printed)]))

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
            if self._in_separate_paragraphs(word - 1, word):
                parts.append([word, word])
            parts[-1][1] = word
        begin, end = max(parts, key=lambda part: part[1] - part[0])
        return begin, end

    def _in_separate_paragraphs(self, word: int, other: int) -> bool:
        """Return whether words that follow each other in reading are in paragraphs that do not."""
        one, following = (self._paper.reading[self._index.locate(place)[0]] for place in (word, other))
        return following not in (one, one + 1) and not self._paper.paragraphs[following].running

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
