"""Cut a text into the segments of which a snippet is made: paragraphs, sentences, pieces, blocks of code."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from lookup.text.sentences import sentence_spans
from retrieval.raw_text.graphemes import boundary_after, boundary_before, is_boundary
from retrieval.raw_text.paragraphs import blank_line_ends
from retrieval.snippets.brackets import Brackets, brackets_of
from retrieval.snippets.code import Block, Region, blocks_by_indent, parts, regions_of

_SPACE = re.compile(r"\s+")
_CLAUSE_ENDS = ";:,–—\n"
_PIECES = 3
"""A sentence that is too long is cut into pieces of a third of a snippet, so that the text beside a piece
fits too."""


class Segment(NamedTuple):
    """`text[start:end]` may be shown by itself: it divides no pair of brackets and no character.

    Segments of one `block` belong together. What is `whole` has no bracket whose partner is elsewhere.
    """

    start: int
    end: int
    block: int
    is_code: bool
    whole: bool = False


def segments_of(text: str, limit: int, shortest: int, language: str | None = None) -> list[Segment]:
    """Return the segments of `text`, ascending; of prose, those below `shortest` with what they lead to.

    Each has at most `limit` characters. They hold all of the text but white space, brackets whose partner is
    more than `limit` away, and characters that are longer than `limit` (a letter with that many marks).
    """
    if limit < 1:
        return []
    uncut = list(_uncut(text, limit, language))
    characters = list(text)
    for part in uncut:
        if part.whole:
            characters[part.start : part.end] = " " * (part.end - part.start)
    brackets = brackets_of("".join(characters), limit)
    together: list[Segment] = []  # two as one where the border between them divides brackets or a character
    for part in uncut:
        if together and not (brackets.allows(part.start) and is_boundary(text, part.start)):
            together[-1] = together[-1]._replace(end=part.end)
        else:
            together.append(part)
    cut: list[Segment] = []
    for part in together:
        for start, end in brackets.without_barriers(part.start, part.end):
            spans = [(start, end)] if end - start <= limit else _chunks(text, start, end, limit, brackets)
            for span in spans:
                first, last = trimmed(text, *span)
                if first < last:
                    cut.append(Segment(first, last, part.block, part.is_code))
    return _joined(text, cut, limit, shortest)


def _uncut(text: str, limit: int, language: str | None) -> Iterator[Segment]:
    """Yield paragraphs, or the sentences of those above half the limit, and blocks of code.

    Brackets do not count yet, and some may be too long. Only fences are left out.
    """
    block = 0
    for region in regions_of(text, language):
        if region.is_code:
            before = None
            for start, end, whole, of in _blocks_of_code(text, region, limit):
                block += before not in {None, of}
                before = of
                yield Segment(start, end, block, is_code=True, whole=whole and end - start <= limit)
            block += 1
            continue
        borders = blank_line_ends(text, region.start, region.end)
        for start, end in parts(region.start, borders, region.end):
            sentences = sentence_spans(text[start:end])[1:] if 2 * (end - start) > limit else ()
            for first, last in parts(start, [start + sentence[0] for sentence in sentences], end):
                yield Segment(first, last, block, is_code=False)
            block += 1


def _blocks_of_code(text: str, region: Region, limit: int) -> Iterator[Block]:
    """Yield the blocks, each with what is left before the next one."""
    if region.end - region.start <= limit:
        yield Block(region.start, region.end, whole=False, of=-1)
        return
    start, end = region.code or (region.start, region.end)
    blocks = blocks_by_indent(text, start, end, limit) or [Block(start, end, whole=False, of=-1)]
    starts = [start, *(block.start for block in blocks[1:]), end]
    for block, (first, last) in zip(blocks, pairwise(starts), strict=True):
        if inner := text[first:last].rstrip():
            yield Block(first, first + len(inner), block.whole, block.of)


def _chunks(text: str, start: int, end: int, limit: int, brackets: Brackets) -> Iterator[tuple[int, int]]:
    """Yield the span in pieces, cut at lines, clauses or words, or within a word longer than `limit`."""
    size = max(1, limit // _PIECES)
    while end - start > size:
        at = _word_cut(text, start, start + size, brackets)
        if at is None:
            at = _word_cut(text, start + size, min(end, start + limit), brackets)
        if at is None:
            if end - start <= limit:
                break
            at = start + limit
            while at > start and not (brackets.allows(at) and is_boundary(text, at)):
                at -= 1
        if at > start:
            yield start, at
            start = at
        else:
            start = boundary_after(text, start + 1)
    if start < end:
        yield start, end


def _word_cut(text: str, start: int, end: int, brackets: Brackets) -> int | None:
    """Return where a word begins at or before `end`; None where none does.

    If possible it is the last one after a line or clause, in the second half.
    """
    half = (start + end) // 2
    for first, last in ((half, end), (start, half)):
        words = [match.end() for match in _SPACE.finditer(text, first, last)]
        clauses = [at for at in words if text[at - 1] == "\n" or text[at - 2] in _CLAUSE_ENDS]
        for at in (*reversed(clauses), *reversed(words)):
            if brackets.allows(at) and is_boundary(text, at):
                return at
    return None


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space at its ends, unless that is part of a character."""
    inner = text[start:end]
    first, last = end - len(inner.lstrip()), start + len(inner.rstrip())
    return (
        boundary_before(text, first) if first > start else start,
        boundary_after(text, last) if last < end else end,
    )


def _joined(text: str, segments: list[Segment], limit: int, shortest: int) -> list[Segment]:
    """Return the segments, each short one of prose that leads to the next joined to it.

    They are joined if that is not too long and nothing stands between them. In code, a short block joined to
    the next would hide that this fits by itself.
    """
    joined: list[Segment] = []
    for segment in segments:
        before = joined[-1] if joined else None
        if (
            before is not None
            and not (before.is_code or segment.is_code)
            and before.end - before.start < shortest
            and segment.end - before.start <= limit
            and _leads(text, joined, segment)
            and adjacent(text, before, segment)
        ):
            joined[-1] = segment._replace(start=before.start)
        else:
            joined.append(segment)
    return joined


def _leads(text: str, before: Sequence[Segment], segment: Segment) -> bool:
    """Return whether the last of the segments before leads to this one, by a colon or without a stop.

    It is a piece of the same sentence then, or a block by itself, as a heading is.
    """
    last = before[-1]
    is_block = len(before) == 1 or before[-2].block != last.block
    end = text[last.end - 1]
    return end in ":：" or (end not in _SENTENCE_ENDS and (is_block or last.block == segment.block))


_SENTENCE_ENDS = ".!?。！？"


def adjacent(text: str, first: Segment, second: Segment) -> bool:
    """Whether nothing but white space stands between two segments."""
    return not text[first.end : second.start].strip()
