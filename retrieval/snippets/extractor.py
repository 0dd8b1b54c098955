"""Extract a snippet: the few hundred characters of any text or source code that answer a query."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from typing import Any, Literal, get_args

from lookup.errors import QueryError
from lookup.limits import at_least
from lookup.results.answer import marked_pieces
from lookup.text.scripts import UNSPACED
from lookup.text.words import STOP_WORDS
from retrieval.raw_text.graphemes import boundary_after, boundary_before
from retrieval.scoring.relevance import SEGMENTS, Saturation, relevance, stem
from retrieval.snippets.answering import LEAST_ALONE, LEAST_BESIDE, LONG, chances, word_evidence
from retrieval.snippets.code import LANGUAGES, defined_name, regions_of
from retrieval.snippets.segments import Segment, segments_of, trimmed
from retrieval.snippets.selection import Selection

Highlight = Literal["plain", "markdown", "html"]

_MARKS: dict[Highlight, tuple[str, str]] = {"markdown": ("**", "**"), "html": ("<mark>", "</mark>")}


def highlighted(text: str, terms: Collection[str], highlight: Highlight, *, is_code: bool) -> str:
    """Return `text` with the words among `terms` in `**`, or escaped with these in `<mark>`.

    Code gets no `**`, since Markdown would show them.
    """
    if highlight == "plain" or (highlight == "markdown" and is_code):
        return text
    shown = escape if highlight == "html" else str
    before, after = _MARKS[highlight]
    return "".join(
        f"{before}{shown(piece)}{after}" if marked else shown(piece)
        for piece, marked in marked_pieces(text, _found(text, terms))
    )


def _found(text: str, terms: Collection[str]) -> list[tuple[int, int]]:
    """Return the spans of the words among `terms`, in whole characters; spans that touch become one."""
    spans: list[tuple[int, int]] = []
    for start, end, word in word_spans(text):
        if word not in terms:
            continue
        first, last = boundary_before(text, start), boundary_after(text, end)
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    return spans


_KEPT = 16  # Contents whose segments are kept for the next query.

_NEIGHBOURS_SHARE = 0.2
"""Share of the scores of its neighbours in the same block that a segment gets (results/snippets.md)."""

_NAMED = 8.0
"""Share by which a block of code scores higher that defines a name of the query. Of 128 functions of Python's
library, asked for by name with room for 60 characters more, 35 came whole with 0, 115 with 2, 118 with 8
(benchmarks/results/snippets.md)."""


@dataclass(frozen=True)
class SnippetExtractor:
    """Makes snippets of one shape.

    A snippet has at most `max_length` characters (code points), markup, escapes and separators included. It
    holds segments of the content word for word, in reading order, with `separator` where something is left
    out. A segment is a paragraph, a sentence of a paragraph that would fill more than half of the snippet, or
    a piece of a sentence that is too long; or a block of code, as far as it fits, with its decorators,
    comments and docstring. No bracket is shown without its partner, if it has one, and no character (grapheme
    cluster) is cut.

    `context_chars` of the text on either side of a segment are shown too if there is room; segments of
    prose shorter than `min_segment_length` are joined to what they lead to. What is left out between two
    segments is shown all the same if it has at most `separator_gap` characters. The ranking is BM25 with
    `k1` and `b`. A segment of code scores higher by the share `code_bonus`, and highest if it defines what
    the query names. A segment at the end of the content scores lower by the share `position_penalty`,
    others in proportion.
    """

    max_length: int = 300
    context_chars: int = 150
    min_segment_length: int = 40
    separator: str = " ... "
    separator_gap: int = 0
    code_bonus: float = 0.2
    position_penalty: float = 0.1
    k1: float = SEGMENTS.k1
    b: float = SEGMENTS.b

    def __post_init__(self) -> None:
        for name in ("max_length", "context_chars", "min_segment_length", "separator_gap"):
            at_least(0, **{name: getattr(self, name)})

    def extract(
        self,
        content: str,
        query: str | None = None,
        *,
        highlight: Highlight = "plain",
        language: str | None = None,
    ) -> str:
        """Return the snippet of `content` for `query`; its beginning without a query, or if nothing is found.

        With a `language` ("python", "javascript", "typescript", "go", "java", "c", "cpp" or "rust") the
        content is code. Raise QueryError for an unknown language or highlighting.
        """
        if highlight not in get_args(Highlight):
            known = ", ".join(get_args(Highlight))
            raise QueryError(f"There is no highlighting {highlight!r}. Give one of {known}.")
        if language is not None and language not in LANGUAGES:
            raise QueryError(f"There is no language {language!r}. Give one of {', '.join(LANGUAGES)}.")
        terms = query_terms(query or "")
        start, end = trimmed(content, 0, len(content))
        if end - start <= self.max_length:
            whole = content[start:end]
            is_code = language is not None or all(region.is_code for region in regions_of(whole))
            shown = highlighted(whole, terms, highlight, is_code=is_code)
            if len(shown) <= self.max_length:
                return shown
        limit = self.max_length
        while limit:
            segmented = _segmented(content, limit, self.min_segment_length, language)
            found = self._extract(segmented, query or "", terms, highlight)
            if 0 < 2 * len(found) < limit and any(one.is_code for one in segmented.segments):
                # A block of code that just did not fit beside it is shown in parts.
                segmented = _segmented(content, limit // 2, self.min_segment_length, language)
                finer = self._extract(segmented, query or "", terms, highlight)
                found = finer if found in finer else found
            if found:
                return found
            limit //= 2  # a segment that fits by itself may be too long with its markup
        return ""

    def _extract(
        self, text: "_SegmentedText", query: str, terms: frozenset[str], highlight: Highlight
    ) -> str:
        @cache
        def show(segment: Segment) -> str:
            part = text.content[segment.start : segment.end]
            return highlighted(part, terms, highlight, is_code=segment.is_code)

        selection = Selection(
            text.content, text.segments, self.max_length, self.separator, self.separator_gap, show
        )
        if terms:
            held = [terms.intersection(one.split()) for one in text.stems]
            selection.add_best(self._scores(text, query, terms), held, self.context_chars)
        if not selection.chosen:
            selection.add_first()
        return str(selection)

    def _scores(self, text: "_SegmentedText", query: str, terms: frozenset[str]) -> Sequence[float]:
        segments = text.segments
        saturation = Saturation(self.k1, self.b)
        alone = [one.bm25 for one in relevance(text.stems, terms, saturation=saturation)]
        shown = _answering(text, terms, alone)
        alone = [
            score if passage in shown or segment.is_code else 0.0
            for score, segment, passage in zip(alone, segments, text.passage_of, strict=True)
        ]
        scores = list(alone)
        for number, score in enumerate(alone):
            if not score:
                continue
            for other in (number - 1, number + 1):
                if 0 <= other < len(segments) and segments[other].block == segments[number].block:
                    scores[other] += _NEIGHBOURS_SHARE * score
        for number, score in enumerate(scores):
            if score:
                segment = segments[number]
                bonus = 1.0
                if segment.is_code:
                    named = _named(text.content[segment.start : segment.end], query, terms)
                    bonus = (1 + self.code_bonus) * (1 + _NAMED * named)
                scores[number] = (
                    score * bonus * (1 - self.position_penalty * segment.start / len(text.content))
                )
        return scores


def _answering(text: "_SegmentedText", terms: frozenset[str], scores: Sequence[float]) -> Collection[int]:
    """Return the passages that answer, by `chances`.

    Where none does, the likeliest and that of the segment with the greatest of `scores`: a snippet is never
    empty.
    """
    found = chances(word_evidence(text.passages, terms))
    if max(found, default=0.0) < LEAST_ALONE:
        best = max(range(len(scores)), key=scores.__getitem__, default=None)
        return () if best is None else {text.passage_of[best], found.index(max(found))}
    return [passage for passage, chance in enumerate(found) if chance >= LEAST_BESIDE]


def _named(block: str, query: str, terms: frozenset[str]) -> float:
    """Return how much the query asks for the name that a block of code defines, from 0 to 1."""
    name = defined_name(block)
    if name and re.search(rf"\b{name}\b", query):
        return 1.0
    words = query_terms(name)
    return len(words & terms) / len(words | terms) / 2


def extract_snippet(
    content: str,
    query: str | None = None,
    max_length: int = 300,
    *,
    highlight: Highlight = "plain",
    language: str | None = None,
    **settings: Any,
) -> str:
    """Return `SnippetExtractor.extract` of an extractor with these settings, its other fields by name."""
    extractor = SnippetExtractor(max_length, **settings)
    return extractor.extract(content, query, highlight=highlight, language=language)


@dataclass(frozen=True)
class _SegmentedText:
    """A text in segments, and the passages that these are of: paragraphs, or long ones' segments.

    Of both the stems.
    """

    content: str
    segments: Sequence[Segment]
    stems: Sequence[str]
    passages: Sequence[str]
    passage_of: Sequence[int]


@lru_cache(_KEPT)
def _segmented(content: str, limit: int, shortest: int, language: str | None) -> _SegmentedText:
    segments = segments_of(content, limit, shortest, language)
    stems = stems_of_segments(content, [(one.start, one.end) for one in segments])
    passages: list[range] = []
    for _, group in groupby(range(len(segments)), key=lambda number: segments[number].block):
        block = list(group)
        whole = segments[block[-1]].end - segments[block[0]].start <= LONG
        passages += [range(block[0], block[-1] + 1)] if whole else [range(one, one + 1) for one in block]
    return _SegmentedText(
        content,
        segments,
        stems,
        [" ".join(stems[one.start : one.stop]) for one in passages],
        [number for number, one in enumerate(passages) for _ in one],
    )


# Words as snippets compare them: in lower case, without accents, by their stem.

_WORD = re.compile(rf"[^\W_{UNSPACED}]+(?:\u0300+[^\W_{UNSPACED}]*)*|[{UNSPACED}]")
"""A word of a folded text. That of `lookup.text.scripts` will not do: here marks are MARK, and points part
words, as in code."""

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
MARK = "\u0300"  # Stands for any combining mark in a folded text.


def folded(text: str) -> str:
    """Return `text` in lower case and without accents, with the same offsets."""
    plain = text if text.isascii() else _NOT_ASCII.sub(lambda match: _plain_character(match[0]), text)
    return plain.lower()


def word_spans(text: str) -> list[tuple[int, int, str]]:
    """Return start, end and stem of the words of a text."""
    return [(*match.span(), stem(match[0].replace(MARK, ""))) for match in _WORD.finditer(folded(text))]


def stems_of_segments(text: str, segments: Sequence[tuple[int, int]]) -> list[str]:
    """Return the stems of each of the `segments` of a text, which ascend, as one string."""
    words = word_spans(text)
    begins = [start for start, _, _ in words]
    return [
        " ".join(word for _, _, word in words[bisect_left(begins, start) : bisect_left(begins, end)])
        for start, end in segments
    ]


def query_terms(query: str) -> frozenset[str]:
    """Return the stems of the words of a query, without the stop words."""
    words = (word for word in _WORD.findall(folded(query)) if word not in STOP_WORDS)
    return frozenset(stem(word.replace(MARK, "")) for word in words)


@lru_cache(1 << 12)
def _plain_character(char: str) -> str:
    """Return one character: the letter under an accent, MARK for a mark, a space for other symbols."""
    if unicodedata.category(char).startswith("M"):
        return MARK
    if not char.isalnum():
        return " "
    base = unicodedata.normalize("NFKD", char)[0].casefold()[:1] or char
    return base if len(base.lower()) == 1 else char
