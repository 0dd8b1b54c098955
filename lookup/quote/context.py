"""How much text an answer carries: paragraphs, sentences, or characters around the match."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from lookup.errors import QueryError
from lookup.papers.printed_lines import words_of
from lookup.release.constants import PARAGRAPH_SEPARATOR
from lookup.text.sentences import sentence_spans

Context = Literal["paragraph", "sentence", "chars"]


class ShownText(NamedTuple):
    """The text of an answer, the same text as the PDF gives it, and the span of the match in `text`."""

    text: str
    text_raw: str
    span: tuple[int, int]
    first: int
    """Where the text begins in that of all rows."""


def window(
    rows: Sequence[Mapping[str, Any]],
    start: int,
    end: int,
    context: Context,
    context_chars: int,
) -> ShownText:
    """Return the text that `context` shows around `start:end`.

    These are offsets in the text of `rows`, whole paragraphs joined, which have `text`, `text_raw` and
    `lines`. Raise QueryError for an unknown context.
    """
    text = PARAGRAPH_SEPARATOR.join(row["text"] for row in rows)
    if context == "paragraph":
        first, last = 0, len(text)
    elif context == "sentence":
        first, last = sentences(rows, start, end)
    elif context == "chars":
        first, last = _whole_words(text, start, end, context_chars)
    else:
        raise QueryError(f"context must be 'paragraph', 'sentence' or 'chars', got {context!r}.")
    return ShownText(text[first:last], _raw(rows, first, last), (start - first, end - first), first)


def sentences(rows: Sequence[Mapping[str, Any]], start: int, end: int) -> tuple[int, int]:
    """Return `start:end` of the joined text of `rows` widened to the sentences that it begins and ends in."""
    first, last, at = start, end, 0
    for row in rows:
        for s, e in sentence_spans(row["text"]):
            if at + s <= start < at + e:
                first = at + s
            if at + s < end <= at + e:
                last = at + e
        at += len(row["text"]) + len(PARAGRAPH_SEPARATOR)
    return first, last


def _whole_words(text: str, start: int, end: int, chars: int) -> tuple[int, int]:
    """Return `start:end` widened by `chars` on either side, less what would cut a word."""
    first, last = max(0, start - chars), min(len(text), end + chars)
    while 0 < first < start and (text[first].isspace() or not text[first - 1].isspace()):
        first += 1
    while end < last < len(text) and (text[last - 1].isspace() or not text[last].isspace()):
        last -= 1
    return first, last


def _raw(rows: Sequence[Mapping[str, Any]], first: int, last: int) -> str:
    """Return `text_raw` of the same words: raw lines and `lines` correspond, and so do their words.

    A line of code may begin with the spaces of its indent. What no page prints is its text.
    """
    parts, at = [], 0
    for row in rows:
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
        at += len(row["text"]) + len(PARAGRAPH_SEPARATOR)
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
