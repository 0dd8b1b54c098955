"""What a writer leaves out under ellipses and puts in with brackets: the bounds, and what it changes.

Both have bounds (thresholds.py); within them a quote is abridged, or near where what is left out or put in
changes what is said.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lookup.compare.insertions import changed_by, grouped
from lookup.compare.negation import LeftOut, dropped_denials, negative
from lookup.compare.sense_words import languages_of, sense_words
from lookup.papers.paper import Paper, PassageSpan
from lookup.quote.bounds import LEFT_OUT_IN_ALL, MOST_LEFT_OUT, PARAGRAPH_ENDS, REPLACED_WORDS
from lookup.quote.reading import Elisions, Reading, count, long_enough
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.sentences import sentence_spans
from lookup.text.words import words_in

_STOP = regex(r"[.;:!?](?!\d)")
_NO_END = regex(r"(?:,|[(\[]\w+\.[)\]])\s*$")
"""What looks like the end of a sentence before a capital, and is none: "Co., Ltd., Wuhan", "(Retz.) Roxb"."""

_AROUND = 200  # Characters of a paragraph, at most, that are read beside a place; four words are wanted.
_REPLACED_AT_ENDS = 4  # Words, at most, that brackets at an end of a query, or beside an ellipsis, stand for.


def between(paper: Paper, reading: Reading, places: Sequence[PassageSpan]) -> Elisions | None:
    """Return the elisions of a reading whose pieces are at `places`.

    None where these are not in order, or where more is left out than the bounds allow.
    """
    gaps = [PassageSpan(one.last, one.end, other.first, other.start) for one, other in pairwise(places)]
    if any((gap.first, gap.start) > (gap.last, gap.end) for gap in gaps):
        return None
    texts = [" ".join(_left_out(paper, gap)).strip() for gap in gaps]
    if not _within_bounds(paper, reading, gaps, texts):
        return None
    changes: list[Difference] = []
    put_in = [Difference("inserted", *pair) for pair in reading.respelled]
    for number, (elision, gap, text) in enumerate(zip(reading.elisions, gaps, texts, strict=True)):
        before, after = (piece.folded for piece in reading.pieces[number : number + 2])
        if elision.ellipsis:
            left = LeftOut(text, before.rstrip(), after.lstrip(), languages_of(reading.folded, text))
            changes += _changed_by(paper, gap, left)
        if elision.furniture:
            there = not text and paper.has_furniture(gap, elision.furniture)
            (put_in if there else changes).append(Difference("border", elision.furniture, "furniture"))
    spoken = languages_of(reading.folded)
    for words, before, printed in _brackets(paper, reading, places, texts):
        changed = [changed_by(words, replaced, before, spoken) for replaced in printed]
        if None not in changed:
            changes += filter(None, changed[-1:])
        elif words_in(words) != words_in(replaced := printed[changed.index(None)]):
            put_in.append(Difference("inserted", words, replaced))
    omitted = [part for gap in gaps for part in _trimmed(paper, gap)]
    return Elisions(changes, tuple(put_in), omitted, sum(map(count, texts)))


def _changed_by(paper: Paper, gap: PassageSpan, left: LeftOut) -> Iterator[Difference]:
    """Yield what the words left out in a gap under an ellipsis change in what is quoted."""
    yield from dropped_denials(left)
    last = words_in(left.text)[-1:]
    if last and negative(last[0], paper.has_word, left.spoken):
        yield Difference("negation", "", last[0])
    after = paper.paragraphs[gap.last].text_norm[gap.end :]
    # "Group A showed ... a decrease" over "an increase, whereas group B showed": of two clauses one.
    other = left.search(_CLAUSE, "contrasts")
    joins = other and left.text[: other.start()].strip() and left.text[other.end() :].strip()
    if joins or _splices(paper, gap) or _cuts_list(left, after):
        yield Difference("dropped", "", left.text)


def _within_bounds(paper: Paper, reading: Reading, gaps: Sequence[PassageSpan], texts: Sequence[str]) -> bool:
    """Return whether the pieces of a reading with `texts` in the gaps between them are still one passage."""
    most = [MOST_LEFT_OUT if elision.ellipsis else REPLACED_WORDS for elision in reading.elisions]
    counts = list(map(count, texts))
    return (
        long_enough(reading)
        and len(gaps) == len(reading.elisions)
        and sum(counts) <= LEFT_OUT_IN_ALL
        and all(one <= limit for one, limit in zip(counts, most, strict=True))
        and all(_within_a_section(paper, gap) for gap in gaps)
    )


def _within_a_section(paper: Paper, gap: PassageSpan) -> bool:
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


def _splices(paper: Paper, gap: PassageSpan) -> bool:
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


_LIST = 60  # Characters after a quote in which "respectively" may still refer to it.

_OTHERS = (
    r"(?:the|this|these|those|that|there|their|our|an?|no|others?|such|many|most|some|several|few|all|both"
    r"|each|every|another|one|two|three|\d+)"
)
_CLAUSE = rf";\s?however,|,?\s(?:{{}}|(?:while|but|although)\s(?:when\s)?{_OTHERS})\b|,\s?{{}}"
"""What begins a clause about something else: one with "while" or "but" if a subject of its own
follows. "And" as often goes on with the same, and is let pass: of 1,164 ends and beginnings of sentences 9 %
have ", and"."""


def _cuts_list(left: LeftOut, after: str) -> bool:
    """Return whether a side of a list is left out whose order "respectively" refers to.

    It stands among the printed words `after` those left out. A list of which more is left out, and which is
    quoted with its "respectively", is seen to be one.
    """
    quoted = len(left.after)
    said = sense_words(left.spoken, "{}", "each").search(after, 0, quoted + _LIST)
    if said is None or "." in after[quoted : said.start()] or (said.start() < quoted and not left.few):
        return False
    joined = sense_words(left.spoken, r"{}$", "also").search(left.before) or left.search(r"^{}", "also")
    return joined is not None or any(map(str.isdigit, left.text))


def _brackets(
    paper: Paper, reading: Reading, places: Sequence[PassageSpan], texts: Sequence[str]
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the words of each bracket, the piece before it, and the printed words that it may stand for.

    Between two pieces it stands for all that is printed there, at an end or beside an ellipsis for a few
    words or none; the last of them are those to name where it stands for none of them.
    """
    first, last = places[0], places[-1]
    before = _STOP.split(paper.paragraphs[first.first].text_norm[max(0, first.start - _AROUND) : first.start])
    after = _STOP.split(paper.paragraphs[last.last].text_norm[last.end : last.end + _AROUND])
    for words in grouped(reading.before.inserted):
        yield words, "", _ends(before[-1], words, last=True)
    for piece, elision, text in zip(reading.pieces, reading.elisions, texts, strict=False):
        for words in grouped(elision.inserted):
            few = [*_ends(text, words, last=True), *_ends(text, words)] if elision.ellipsis else [text]
            yield words, piece.folded, few
    for words in grouped(reading.after.inserted):
        yield words, reading.pieces[-1].folded, _ends(after[0], words)


def _ends(text: str, bracket: str, *, last: bool = False) -> list[str]:
    """Return the beginnings of a text that a bracket may stand for, or its endings if `last`.

    The last of them has as many words as the bracket.
    """
    words = text.split()
    sizes = (*range(_REPLACED_AT_ENDS), len(bracket.split()))
    return [" ".join(words[max(0, len(words) - n) :] if last else words[:n]) for n in sizes]


def _left_out(paper: Paper, gap: PassageSpan) -> list[str]:
    """Return the folded words of a gap by paragraph, without those within it that are not running text."""
    texts = []
    for i in range(gap.first, gap.last + 1):
        if i in (gap.first, gap.last) or paper.paragraphs[i].prose:
            start = gap.start if i == gap.first else 0
            end = gap.end if i == gap.last else None
            texts.append(paper.paragraphs[i].text_norm[start:end])
    return texts


def _trimmed(paper: Paper, gap: PassageSpan) -> list[PassageSpan]:
    """Return the gap without the spaces at its ends; empty if it holds no letter or digit."""
    first, last = paper.paragraphs[gap.first].text_norm, paper.paragraphs[gap.last].text_norm
    if not any(char.isalnum() for text in _left_out(paper, gap) for char in text):
        return []
    end = len(last[: gap.end].rstrip()) if gap.last > gap.first or gap.end > gap.start else gap.end
    start = gap.start + len(first[gap.start :]) - len(first[gap.start :].lstrip())
    if start >= len(first):  # the piece ends its paragraph
        return _trimmed(paper, PassageSpan(gap.first + 1, 0, gap.last, gap.end))
    if end == 0:
        before = paper.paragraphs[gap.last - 1].text_norm
        return _trimmed(paper, PassageSpan(gap.first, gap.start, gap.last - 1, len(before)))
    return [PassageSpan(gap.first, start, gap.last, end)]
