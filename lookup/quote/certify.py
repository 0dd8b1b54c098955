"""The keeper of the promise: what is called verbatim or abridged is printed there.

Searchers are many, clever and not trusted: they propose that some printed characters are a piece of the
query. `examine` compares the two on the printed characters; `certify` takes the examined pieces of one
reading of the query, looks at what stands between, beside and around them, and gives the verdict. However a
place was found, with a difference it is near. Both words are given here and nowhere else, and `Examined` is
made here alone (tests/quote/test_certify.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lookup.compare.edges import cut_compounds, cut_off, cuts_after, cuts_before
from lookup.compare.sense_words import NEGATION
from lookup.papers.paper import Paper, PassageSpan, ReadingOrder
from lookup.papers.passage_text import PassageText
from lookup.quote.bounds import ABRIDGED_SCORES, LEFT_OUT_IN_ALL, NEAR_SCORES
from lookup.quote.reading import NO_ELISION, Elisions, Piece, Reading, count
from lookup.results.difference import Difference, Differences, Verdict
from lookup.text.folding import UNKNOWN, Span, fold
from lookup.text.regex import regex
from lookup.text.scripts import runs_leftwards
from lookup.text.words import STOP_WORDS, words_in

if TYPE_CHECKING:
    from lookup.compare.letters import Letters


class Candidate(NamedTuple):
    """A span of a paper that answers a query.

    `omitted` are the spans within it that the query leaves out. `through` are the paragraphs that it
    reads, without those that merely stand between them; empty where pieces of the query stand apart.
    """

    span: PassageSpan
    score: float
    tier: int
    verdict: Verdict
    differences: tuple[Difference, ...] = ()
    omitted: tuple[PassageSpan, ...] = ()
    through: tuple[int, ...] = ()


class Proposal(NamedTuple):
    """What a searcher says of a piece: it is printed at `span`, which is read in the order of `flow`.

    `omitted` are the citation marks within that the query leaves out.
    """

    span: PassageSpan
    flow: ReadingOrder
    omitted: tuple[PassageSpan, ...] = ()


class Examined(NamedTuple):
    """A piece of a query at a place of a paper: printed there if there are no `differences`.

    `through` are the paragraphs that the place reads, `omitted` what the query leaves out of them.
    """

    piece: Piece
    span: PassageSpan
    through: tuple[int, ...]
    omitted: tuple[PassageSpan, ...]
    differences: tuple[Difference, ...]
    marks: tuple[Difference, ...] = ()
    """What differs in punctuation alone, which is no difference of what is said."""


@dataclass(eq=False, repr=False)
class _Place:
    """A piece at a place, without the marks that it leaves out: what the checks of places are asked of."""

    piece: Piece
    passage: PassageText
    omitted: tuple[Span, ...]

    @cached_property
    def letters(self) -> "tuple[Letters, Letters]":
        """The letters of the piece and of the print."""
        from lookup.compare.letters import without_marks_in_other_form  # noqa: PLC0415

        return without_marks_in_other_form(self.piece.letters, self.passage.letters(self.omitted))


def examine(paper: Paper, piece: Piece, proposal: Proposal) -> Examined:
    """Return the piece at the proposed place, with what differs."""
    span, flow, omitted = proposal
    passage = PassageText(paper, flow, span)
    place = _Place(piece, passage, tuple(map(passage.in_text, omitted)))
    typed = passage.prints_as_typed(piece.asked, piece.folded)
    checks = PLACES[:1] if typed else PLACES
    found: tuple[Difference, ...] = ()
    for check in checks:
        found += tuple(one for one in check(place) if one not in found)
    marks: tuple[Difference, ...] = ()
    if not typed and not found:
        from lookup.compare.checks import other_marks  # what is printed as typed does without  # noqa: PLC0415

        marks = tuple(other_marks(*place.letters))
    return Examined(piece, span, passage.through, omitted, found, marks)


def certify(paper: Paper, reading: Reading, chain: Sequence[Examined], tier: int = 1) -> Candidate | None:
    """Return the pieces of `reading` as a candidate, with the verdict on it and why.

    None where they are not its pieces in order, or where more is left out between them than may be: then
    they are no one passage.
    """
    elisions: Elisions | None = NO_ELISION
    if reading.abridges:
        from lookup.quote.elisions import between  # a quote in one piece does without  # noqa: PLC0415

        elisions = between(paper, reading, [one.span for one in chain])
    if elisions is None or tuple(one.piece for one in chain) != reading.pieces:
        return None
    first, last = chain[0].span, chain[-1].span
    span = PassageSpan(first.first, first.start, last.last, last.end)
    quote = _Quote(paper, reading, chain, span, elisions)
    cut, *changes = (list(check(quote)) for check in QUOTES)
    changed = [one for found in changes for one in found]
    passed = [part for one in chain for part in _passed_over(paper, one)]
    borders = [border for one in chain for border in _borders(paper, one)]
    verdict: Verdict = "verbatim"
    if cut or changed:
        verdict = "near"
    elif reading.abridges or passed or borders:
        verdict = "abridged"
    omitted = [*elisions.omitted, *(part for one in chain for part in one.omitted), *passed]
    unchanged = (*elisions.put_in, *borders, *(each for one in chain for each in one.marks))
    if changed:
        from lookup.compare.differences import facts_first  # what is printed does without  # noqa: PLC0415

        unchanged = facts_first(changed)
    told = (*cut, *unchanged)
    score = _score(verdict, reading, len(changed), elisions.words)
    through = () if reading.abridges else chain[0].through
    return Candidate(span, score, tier, verdict, told, tuple(sorted(omitted)), through)


class _Quote(NamedTuple):
    """Pieces at their places, and what stands between them: what the checks of whole quotes are asked of."""

    paper: Paper
    reading: Reading
    chain: Sequence[Examined]
    span: PassageSpan
    elisions: Elisions


def nothing_cut(quote: _Quote) -> Differences:
    """The quote cuts off no denial next to it, and no part of a number, a measure or a compound."""
    paper, span, beside = quote.paper, quote.span, quote.reading.beside
    first, last = paper.paragraphs[span.first].text_norm, paper.paragraphs[span.last].text_norm
    if span.first == span.last:
        quoted = first[span.start : span.end]
    else:
        quoted = f"{first[span.start :]} {last[: span.end]}"
    cut = cut_off(first[: span.start], quoted, last[span.end :])
    yield from (one for one in cut if one.kind == "number" or not _harmless(paper, span, beside, one.printed))
    if first[: span.start].endswith("-") or last.startswith("-", span.end):
        yield from _cut_compounds(paper, span)


def nothing_turned(quote: _Quote) -> Differences:
    """What ellipses leave out and brackets put in does not change what is said."""
    yield from quote.elisions.changes


def pieces_printed(quote: _Quote) -> Differences:
    """Each piece is printed at its place."""
    for one in quote.chain:
        yield from one.differences


def all_known(quote: _Quote) -> Differences:
    """No character of the query is unknown, even where the print has an unknown one: they may be any two."""
    for one in quote.chain:
        if UNKNOWN in one.piece.asked and not one.differences:
            words = (word for word in one.piece.asked.split() if UNKNOWN in word)
            yield from (Difference("changed", word, UNKNOWN) for word in words)


def ranges_cite(quote: _Quote) -> Differences:
    """Numbers in brackets that are read as a range, [1,2,3] as [1–3], are a citation mark."""
    for place in quote.chain if quote.reading.ranged else ():
        for i in place.through:
            for mark in quote.paper.marks(i):
                text = quote.paper.paragraphs[i].text_norm[slice(*mark)].strip()
                if "-" in text and text in quote.reading.folded and not quote.paper.is_mark(i, mark):
                    yield Difference("number", "", text)


def _score(verdict: Verdict, reading: Reading, changes: int, left_out: int) -> float:
    """Return 1.0 for a verbatim quote, less by the words left out, less again by the share of changes."""
    if verdict == "verbatim":
        return 1.0
    least, most = ABRIDGED_SCORES
    abridged = most - (most - least) * left_out / LEFT_OUT_IN_ALL
    asked = count(reading.folded)
    return round(NEAR_SCORES * asked / (asked + changes) if verdict == "near" else abridged, 4)


def _repeats(beside: tuple[str, str], denial: str) -> bool:
    """Return whether the writer's words next to a quotation repeat a denial that it cuts off.

    Only what stands right beside it does, in the same clause: no "evidence of it", but not: there is no
    doubt, "evidence of it". Nor does a question or a choice: why not "evidence of it".
    """
    clause = _NOT.sub(" not", _MARK.split(beside[0])[-1])
    if denial == "no":
        clause = _NOT_ANY.sub("no", clause)
    words, before, after = words_in(denial), words_in(clause), words_in(_NEXT.split(beside[1], 1)[0])
    while before and before[-1] in _UNWEIGHED and before[-len(words) :] != words:
        before.pop()
    asks = before[-len(words) - 1 : -len(words)]
    return (before[-len(words) :] == words and not _ASKS.intersection(asks)) or after == words


def _harmless(paper: Paper, span: PassageSpan, beside: tuple[str, str], denial: str) -> bool:
    """Return whether the writer repeats a denial, or it is the month: a capital May within a sentence."""
    if denial != "may" or _repeats(beside, denial):
        return _repeats(beside, denial)
    printed = paper.printed(span.first)
    return _MONTH.search(printed.text[: printed.folded.starts[span.start]]) is not None


def _cut_compounds(paper: Paper, span: PassageSpan) -> Iterator[Difference]:
    """Yield the compounds that the ends of the span cut, by the printed hyphens: dashes join none."""
    for i, start, end in ((span.first, span.start, None), (span.last, 0, span.end)):
        printed = paper.printed(i)
        yield from cut_compounds(
            printed.text,
            printed.folded.starts[start],
            len(printed.text) if end is None else printed.folded.ends[end - 1],
        )


def _passed_over(paper: Paper, place: Examined) -> list[PassageSpan]:
    """Return what parts two texts and is run over unread: headings, what may be one, and front matter.

    Front matter between two paragraphs parts the abstract from the text, but for a notice at a page's foot,
    over which a sentence goes on.
    """
    passed = [i for i in range(place.span.first + 1, place.span.last) if i not in place.through]
    return [
        PassageSpan(i, 0, i, len(paper.paragraphs[i].text_norm))
        for i in passed
        if paper.paragraphs[i].kind == "heading"
        or (paper.paragraphs[i].kind == "front" and paper.has_ended(i))
        or paper.paragraphs[i].prose
        or (i + 1 in place.through and paper.may_be_heading(i))
    ]


_TEXT = frozenset({"title", "body", "quote", "list", "formula", "code"})
"""Kinds of paragraphs that go on in each other."""


def _borders(paper: Paper, place: Examined) -> list[Difference]:
    """Return where a piece runs from one kind of text into another, as from body into a caption.

    Or from a row of a table into the next, unless it has both whole.
    """
    kinds = [paper.paragraphs[i].kind for i in place.through]
    if _TEXT.issuperset(kinds):
        return []
    span = place.span
    rows = {i: paper.row_starts(i) for i in place.through}
    last = paper.paragraphs[span.last].text_norm
    ended = min((at for at in rows[span.last] if at >= span.end), default=len(last))
    whole = span.start in (0, *rows[span.first]) and not last[span.end : ended].strip(" .")
    borders = [
        (one, other)
        for one, other in pairwise(kinds)
        if (one == other == "table" and not whole) or (one != other and not {one, other} <= _TEXT)
    ]
    here = (span.first, span.start), (span.last, span.end)
    within = [at for i, starts in rows.items() for at in starts if here[0] < (i, at) < here[1]]
    borders += [] if whole else [("table", "table")] * len(within)
    return [Difference("border", "", f"{one}, {other}") for one, other in borders]


def cuts_word(paper: Paper, span: PassageSpan) -> bool:
    """Return whether an end of the span cuts a word or a number, citation marks and labels of notes apart.

    "mud" is whole in "mud.1" and "mud12" where these are marks, "See" in "bSee"; "significant" is not in
    "insignificant", nor "5 mg" in "15 mg", "1.5 mg" or "-5 mg".
    """
    first, last = paper.paragraphs[span.first].text_norm, paper.paragraphs[span.last].text_norm
    if cuts_before(first, span.start) and not paper.follows_label(span.first, span.start):
        return True
    if cuts_after(last, span.end):
        after = [mark for mark in paper.marks(span.last) if mark.start == span.end]
        return not any(paper.is_mark(span.last, mark) for mark in after)
    return False


_SOFT_BREAK = regex(r"([^\W_]+)\u00ad( ?)\n([^\W_]+)")


def no_cut_word(place: _Place) -> Differences:
    """No word or number is cut at an end: significant is not in insignificant, nor 5 mg in 15 mg."""
    if cuts_word(place.passage.paper, place.passage.span):
        yield Difference("cut word", place.piece.folded, place.passage.whole_words)


def same_letters(place: _Place) -> Differences:
    """The checks of letters find nothing."""
    from lookup.compare.checks import CHECKS, Compared, first_found  # noqa: PLC0415

    piece, passage = place.piece, place.passage
    leftwards = runs_leftwards(piece.asked)
    after = passage.paper.paragraphs[passage.span.last].text_norm[passage.span.end :]
    both = Compared(*place.letters, after, piece.cased, leftwards, passage.paper.has_word)
    yield from first_found(CHECKS, both)


def no_parted_word(place: _Place) -> Differences:
    """No word is parted into two that are words of the paper too.

    Unseen, by a soft hyphen before a space; or by a space where a line of the print ends with a hyphen. One
    before a line break parts a denial alone: viewers copy the hyphens of line breaks so.
    """
    paper, piece = place.passage.paper, place.piece
    asked, printed = place.letters
    soft = [(fold(one), space, fold(other)) for one, space, other in _SOFT_BREAK.findall(piece.asked)]
    parted = filter(lambda one: one[1] or (NEGATION.fullmatch(one[0]) and paper.has_word(one[2])), soft)
    parts = [(one, other) for one, _, other in parted]
    for number, known in printed.facts.items() if asked.chars == printed.chars else ():
        if known.broken and (asked.gaps[number], printed.gaps[number]) == (" ", ""):
            before, _, after = asked.around(number).partition(" ")
            parts.append((before, after))
    for before, after in parts:
        if all(part in STOP_WORDS or paper.has_word(part) for part in (before, after)):
            yield Difference("split", f"{before} {after}", f"{before}{after}")


def only_marks_left_out(place: _Place) -> Differences:
    """What is left out are citation marks, each whole, or all its numbers, or authors with their years.

    "(Wu)" may stand for "(Wu, 2010)", "(for more)" for "(Wu, 2010 for more)", but not "[6 8]" for "[6-8]".
    """
    passage, omitted = place.passage, place.omitted
    marks = list(passage.marks()) if omitted else []
    dropped: list[list[str]] = []
    for one in omitted:
        left = (at for at in range(*one) if not any(start <= at < end for (start, end), _, _ in marks))
        if any(passage.text[at].isalnum() for at in left):
            dropped.append(words_in(passage.text[slice(*one)]))
    for span, paragraph, mark in marks:
        within = [Span(max(one.start, span.start), min(one.end, span.end)) for one in omitted]
        within = [one for one in within if one.start < one.end]
        words = words_in(passage.text[slice(*span)])
        gone = [word for one in within for word in words_in(passage.text[slice(*one)])]
        whole = gone in (words, [word for word in words if any(map(str.isdigit, word))])
        if not (whole and passage.paper.is_mark(paragraph, mark)) and not all(
            passage.paper.are_works(passage.in_paper(one)) for one in within
        ):
            dropped.append(gone)
    if dropped:
        from lookup.compare.differences import difference  # what is printed does without  # noqa: PLC0415

        yield from (difference([], words) for words in dropped)


_UNWEIGHED = frozenset("a an the any is are was were be been".split())
"""Words of the writer that may stand between a denial and the quotation: there was not "a benefit"."""

_MARK = regex(r"[.?!:,;—–()…]")
_NEXT = regex(r"[.?!:,;—–()…@{]")
_NOT = regex(r"n['’]t\b|\bnot\s+at\s+all\b")
_NOT_ANY = regex(r"\bnot\s+any\b")

_ASKS = frozenset({"or", "if", "why", "whether"})
"""Words before a denial that make no denial of it."""

_MONTH = regex(r"(?<![.!?]\s)(?<!\A)\bMay\W*$")

PLACES = (no_cut_word, same_letters, only_marks_left_out, no_parted_word)
"""What a piece of a quote must fulfil at a place; all differences are named."""

QUOTES = (nothing_cut, nothing_turned, pieces_printed, all_known, ranges_cite)
"""What a quote must fulfil as a whole; all differences are named."""
