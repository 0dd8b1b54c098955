"""Choose the few sentences of a paragraph that a hit shows."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import accumulate

from lookup.text.folding import fold
from lookup.text.relevance import terms
from lookup.text.sentences import sentence_spans

SNIPPET = 300  # Most characters of a snippet.

_SPACED = re.compile(r"\S+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


class AskedTerms(dict[str, frozenset[str]]):
    """The terms of a query that a word holds, by the word: most words come in many hits."""

    def __init__(self, asked: Iterable[str]) -> None:
        super().__init__()
        self._asked = frozenset(asked)

    def __missing__(self, word: str) -> frozenset[str]:
        self[word] = held = self._asked & _terms(word)
        return held


def snippet_span(
    text: str, asked: AskedTerms, sentence: int | None, length: int = SNIPPET
) -> tuple[int, int]:
    """Return the span of the snippet in `text`: whole sentences as far as `length` allows, else whole words.

    It lies around the `sentence` with this number; if None, around the one with most of the terms `asked`.
    """
    spans = sentence_spans(text)
    if not spans:
        return 0, 0
    if sentence is None:
        words = (map(asked.__getitem__, text[start:end].split()) for start, end in spans)
        held = [len(frozenset().union(*filter(None, here))) for here in words]
        sentence = held.index(max(held))
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


def marked(snippet: str, asked: AskedTerms) -> tuple[tuple[int, int], ...]:
    """Return the spans of the words of `snippet` that hold terms of `asked`."""
    return tuple(word.span() for word in _WORD.finditer(snippet) if asked[word[0]])


def _within(text: str, start: int, end: int, asked: AskedTerms, length: int) -> tuple[int, int]:
    """Return a stretch of whole words of `text[start:end]`, at most `length` long.

    It holds most of the terms, first of all such stretches, with as much before as after them.
    """
    words = text[start:end].split(" ")
    begins = accumulate(words, lambda at, word: at + len(word) + 1, initial=start)
    held = [
        (begin, begin + len(word), here)
        for begin, word in zip(begins, words, strict=False)
        if (here := asked[word])
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
        whole = [word.end() for word in _SPACED.finditer(text, first, last) if word.end() < last]
        last = whole[-1] if whole else last
    return first, last


@lru_cache(1 << 14)
def _terms(word: str) -> frozenset[str]:
    return frozenset(terms(fold(word)))
