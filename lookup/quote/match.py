"""From a candidate to a match: the printed characters, their page and boxes, and the text around them."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from lookup.errors import QueryError
from lookup.papers.boxes import boxes, words_of
from lookup.papers.library import Library
from lookup.papers.paper import Paper, PassageSpan
from lookup.quote.certify import Candidate
from lookup.release.current import PARAGRAPH_SEPARATOR
from lookup.results.answer import around
from lookup.results.difference import PRINTED, Difference
from lookup.results.quote_answer import Box, Match, ShownParagraph
from lookup.text.folding import fold_with_offsets
from lookup.text.sentences import sentence_spans

Context = Literal["paragraph", "sentence", "chars"]


def window(
    rows: Sequence[Mapping[str, Any]], text: str, start: int, end: int, extent: "Extent"
) -> tuple[int, int]:
    """Return where the text that is shown around `start:end` begins and ends.

    These are offsets in `text`, that of `rows`, whole paragraphs joined. Raise QueryError for an unknown
    context.
    """
    if extent.context == "paragraph":
        return 0, len(text)
    if extent.context == "sentence":
        return sentences(rows, start, end)
    if extent.context == "chars":
        first, last = max(0, start - extent.context_chars), min(len(text), end + extent.context_chars)
        # Less what would cut a word.
        while 0 < first < start and (text[first].isspace() or not text[first - 1].isspace()):
            first += 1
        while end < last < len(text) and (text[last - 1].isspace() or not text[last].isspace()):
            last -= 1
        return first, last
    raise QueryError(f"context must be 'paragraph', 'sentence' or 'chars', got {extent.context!r}.")


def sentences(rows: Sequence[Mapping[str, Any]], start: int, end: int) -> tuple[int, int]:
    """Return `start:end` of the joined text of `rows` widened to the sentences that it begins and ends in."""
    first, last = start, end
    for at, row in zip(begins(rows), rows, strict=True):
        for s, e in sentence_spans(row["text"]):
            if at + s <= start < at + e:
                first = at + s
            if at + s < end <= at + e:
                last = at + e
    return first, last


def begins(rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Return where the text of each row begins in that of all."""
    sizes = (len(row["text"]) + len(PARAGRAPH_SEPARATOR) for row in rows)
    return list(accumulate(sizes, initial=0))[:-1]


def _raw(rows: Sequence[Mapping[str, Any]], first: int, last: int) -> str:
    """Return `text_raw` of the same words: raw lines and `lines` correspond, and so do their words.

    A line of code may begin with the spaces of its indent. What no page prints is its text.
    """
    parts = []
    for at, row in zip(begins(rows), rows, strict=True):
        start, end = first - at, last - at
        kept = [] if row["lines"] else [row["text"][max(0, start) : max(0, end)]]
        for raw, line in zip(row["text_raw"].split("\n") if row["lines"] else (), row["lines"], strict=True):
            if line["start"] >= start and line["end"] <= end:
                kept.append(raw)
            elif line["start"] < end and line["end"] > start:
                words = zip(raw.lstrip(" ").split(" "), words_of(line), strict=True)
                kept.append(" ".join(word for word, place in words if place[0] < end and place[1] > start))
        if start < len(row["text"]) and end > 0:
            parts.append("\n".join(kept))
    return PARAGRAPH_SEPARATOR.join(parts)


def centred(order: Sequence[int], first: int, last: int, count: int) -> tuple[int, int]:
    """Return the first and last index in `order` of `count` entries centred on those from `first` to `last`.

    At least these; fewer than `count` at the ends.
    """
    begin, end = bisect_right(order, first) - 1, bisect_right(order, last) - 1
    missing = max(0, count - (end - begin + 1))
    begin = max(0, begin - (missing + 1) // 2)
    end = min(len(order) - 1, max(end, begin + count - 1))
    return max(0, min(begin, end - count + 1)), end


_OF_CANDIDATE = ("score", "tier", "verdict")
_OF_ROW = ("section_number", "section_title", "kind", "anchor")
"""Fields of a match that are those of its candidate, and of the row of its first paragraph."""


class Extent(NamedTuple):
    """How much text a match carries: see `Corpus.quote`."""

    context: Context
    context_chars: int
    paragraphs: int


def needed(paper: Paper, candidate: Candidate, extent: Extent) -> Sequence[int]:
    """Return the paragraphs whose rows a match of the candidate needs."""
    span = candidate.span
    # The order of reading of the candidate and of the paragraphs around it.
    *usual, past_headings = paper.flows
    flows, ends = (*reversed(usual), past_headings), {span.first, span.last}
    reading = [flow for flow in flows if candidate.through and flow.reads(candidate.through)]
    order = (reading or [flow for flow in flows if ends <= set(flow.paragraphs)])[0].paragraphs
    begin, end = centred(order, span.first, span.last, extent.paragraphs)
    if extent.context == "chars":
        lengths = [len(paper.paragraphs[i].text_norm) for i in order]
        before, after = span.start, len(paper.paragraphs[span.last].text_norm) - span.end
        while begin and before < extent.context_chars:
            begin, before = begin - 1, before + lengths[begin - 1]
        while end + 1 < len(order) and after < extent.context_chars:
            end, after = end + 1, after + lengths[end + 1]
    return order[begin : end + 1]


def match(
    library: Library,
    key: str,
    candidate: Candidate,
    rows: Sequence[Mapping[str, Any]],
    extent: Extent,
    query: str,
) -> Match:
    """Return the candidate for a query as a match; `rows` are those of the paragraphs that `needed` names."""
    span = candidate.span
    place = {row["paragraph"]: i for i, row in enumerate(rows)}
    first, last = rows[place[span.first]], rows[place[span.last]]
    folded = fold_with_offsets(first["text"])
    start = folded.starts[span.start]
    end = (folded if last is first else fold_with_offsets(last["text"])).ends[span.end - 1]
    through = rows[place[span.first] : place[span.last] + 1]
    at = begins(rows)
    words = at[place[span.first]] + start, at[place[span.last]] + end
    text = PARAGRAPH_SEPARATOR.join(row["text"] for row in rows)
    begin, stop = window(rows, text, *words, extent)
    shown = text[begin:stop]
    printed: list[Box] = []
    for row in through:
        opens, closes = start if row is first else 0, end if row is last else len(row["text"])
        printed += boxes(row["lines"], row["text"], row["superscripts"], opens, closes)
    page, label = library.page_of(key, first, start)
    texts = {row["paragraph"]: row["text"] for row in through}
    for part in candidate.omitted:
        if part.first not in texts:  # a heading that the words run over
            texts[part.first] = library.paper(key).printed(part.first).text
    quoted = text[slice(*words)]
    return Match(
        key=key,
        page=page,
        page_label=label,
        paragraph=span.first,
        **{name: getattr(candidate, name) for name in _OF_CANDIDATE},
        differences=tuple(
            Difference(
                "misread" if one.kind == "spelling" and library.read_by_ocr(key, page) else one.kind,
                _in_letters(one.asked, query),
                _in_letters(one.printed, quoted, *texts.values()),
            )
            for one in candidate.differences
        ),
        text=shown,
        text_raw=_raw(rows, begin, stop),
        span=(words[0] - begin, words[1] - begin),
        boxes=tuple(printed),
        cursor=first["cursor"] + start,
        omitted=tuple(_printed_words(texts, part) for part in candidate.omitted),
        shown=tuple(_shown_paragraphs(library, key, rows, begin, stop)),
        around=_around(rows, text, candidate, words),
        **{name: first[name] for name in _OF_ROW},
    )


def _around(
    rows: Sequence[Mapping[str, Any]], text: str, candidate: Candidate, quoted: tuple[int, int]
) -> str:
    """Return the sentences of a printed quote, `quoted` in the text of all rows, with what it leaves out."""
    if candidate.verdict not in PRINTED:
        return ""
    places = {
        row["paragraph"]: (at, fold_with_offsets(row["text"] if candidate.omitted else ""))
        for at, row in zip(begins(rows), rows, strict=True)
    }
    first, last = sentences(rows, *quoted)
    omitted = []
    for part in candidate.omitted:
        if part.first in places and part.last in places:  # no heading that the words run over
            (opens, opening), (closes, closing) = places[part.first], places[part.last]
            span = opens + opening.starts[part.start], closes + closing.ends[part.end - 1]
            if candidate.verdict != PRINTED[0] or any(map(str.isalpha, text[slice(*span)])):
                omitted.append((span[0] - first, span[1] - first))  # no mark of a citation in figures
    return around(text[first:last], (quoted[0] - first, quoted[1] - first), omitted)


def _shown_paragraphs(
    library: Library, key: str, rows: Sequence[Mapping[str, Any]], first: int, last: int
) -> Iterator[ShownParagraph]:
    """Yield the paragraphs of which `first:last` of the text of all rows shows something, in its order."""
    for at, row in zip(begins(rows), rows, strict=True):
        start, end = max(at, first), min(at + len(row["text"]), last)
        if start < end:
            page, label = library.page_of(key, row, start - at)
            span = start - first, end - first
            yield ShownParagraph(row["paragraph"], page, label, row["kind"], span)


def _in_letters(words: str, *texts: str) -> str:
    """Return folded words in the letters of the first text that has them; as they are where none has."""
    for text in texts if words else ():
        folded = fold_with_offsets(text)
        at = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", folded.text)
        if at:
            return text[slice(*folded.source_span(*at.span()))]
    return words


def _printed_words(texts: Mapping[int, str], span: PassageSpan) -> str:
    """Return the printed words of a span, without the spaces at its ends; `texts` are by paragraph."""
    parts = []
    for paragraph, text in texts.items():
        if span.first <= paragraph <= span.last:
            folded = fold_with_offsets(text)
            start = folded.starts[span.start] if paragraph == span.first else 0
            end = folded.ends[span.end - 1] if paragraph == span.last else len(text)
            parts.append(text[start:end].strip())
    return PARAGRAPH_SEPARATOR.join(parts)
