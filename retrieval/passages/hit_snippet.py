"""Choose the few sentences of a paragraph that a hit shows."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from retrieval.scoring.relevance import terms

SNIPPET = 300  # Most characters of a snippet.

_SPACED = re.compile(r"\S+")
_WORD = re.compile(r"(?<![^\W_]['’])[^\W_]++(?:(?<=\d)[.,]\d++[^\W_]*+)*(?:['’][^\W_]++)?")

Asked = frozenset[str]  # The terms of a query.


def asked_words(
    text: str, asked: Asked, start: int = 0, end: int | None = None
) -> Iterator[tuple[tuple[int, int], Asked]]:
    """Yield the span of each word of `text[start:end]` that holds terms of a query, and these."""
    for word in _WORD.finditer(text, start, len(text) if end is None else end):
        if held := asked & _terms(word[0]):
            yield word.span(), held


def snippet_span(text: str, asked: Asked, sentence: int | None, length: int = SNIPPET) -> tuple[int, int]:
    """Return the span of the snippet in `text`: whole sentences as far as `length` allows, else whole words.

    It lies around the `sentence` with this number; if None, around the one with most of the terms `asked`.
    """
    spans = sentence_spans(text)
    if not spans:
        return 0, 0
    if sentence is None:
        held: list[set[str]] = [set() for _ in spans]
        begins = [begin for begin, _ in spans]
        for (begin, _), here in asked_words(text, asked):
            held[bisect_right(begins, begin) - 1] |= here
        sentence = held.index(max(held, key=len))
    start, end = spans[sentence]
    if end - start > length:
        start, end = _within(text, start, end, asked, length)
    first = last = sentence
    while True:  # the text after a sentence tells more of the same than the text before it
        if last + 1 < len(spans) and spans[last + 1][1] - start <= length:
            last += 1
            end = spans[last][1]
        elif first > 0 and end - spans[first - 1][0] <= length:
            first -= 1
            start = spans[first][0]
        else:
            return start, end


def _within(text: str, start: int, end: int, asked: Asked, length: int) -> tuple[int, int]:
    """Return a stretch of whole words of `text[start:end]`, at most `length` long.

    It holds most of the terms, first of all such stretches, with as much before as after them.
    """
    held = [
        (start + begin, start + stop, here) for (begin, stop), here in asked_words(text[start:end], asked)
    ]
    best: tuple[int, int, int] = (0, start, start)  # terms, their start and end
    for first, (begin, *_) in enumerate(held):
        terms_here: set[str] = set()
        for _, stop, here in held[first:]:
            if stop - begin > length:
                break
            terms_here |= here
            if len(terms_here) > best[0]:
                best = (len(terms_here), begin, stop)
    _, begin, stop = best
    first = max(start, min(begin - (length - (stop - begin)) // 2, end - length))
    if first > start and not text[first - 1].isspace():
        first = next(word.start() for word in _SPACED.finditer(text, first, end) if word.start() > first)
    last = min(end, first + length)
    if last < end and not text[last].isspace():  # a word that is longer than the snippet is cut
        whole, *cut = text[first : last + 1].rsplit(None, 1)
        last = first + len(whole) if cut else last
    return first, last


_terms = lru_cache(1 << 14)(lambda word: frozenset(terms(fold(word))))
