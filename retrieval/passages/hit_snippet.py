"""Choose the few sentences of a paragraph that a hit shows."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache

from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from retrieval.scoring.relevance import terms

SNIPPET = 300  # Most characters of a snippet.

_SPACED = re.compile(r"\S+")
_BEGIN = 4  # Letters of a term, at most, by which its words are found.
_REST = r"[^\W_]*+(?:(?<=\d)[.,]\d++[^\W_]*+)*(?:['’][^\W_]++)?"


class AskedTerms:
    """The words of texts that hold terms of a query."""

    def __init__(self, asked: Iterable[str]) -> None:
        self._asked = frozenset(asked)
        # A term begins as its words do, but for its last letter; folding changes other letters than a to z.
        begins = "|".join({re.escape(one[: min(_BEGIN, max(1, len(one) - 1))]) for one in self._asked})
        other = r"|[a-zA-Z0-9]*+[^\W_a-zA-Z0-9]"
        word = r"(?<![^\W_])(?<![^\W_]['’])(?:(?:{begins}){other}){rest}"
        self._plain = re.compile(word.format(begins=begins or "(?!)", other="", rest=_REST))
        self._any = re.compile(word.format(begins=f"(?i:{begins or '(?!)'})", other=other, rest=_REST))

    def words(self, text: str) -> Iterator[tuple[tuple[int, int], frozenset[str]]]:
        """Yield the span of each word that holds terms, and these."""
        found = self._plain.finditer(text.lower()) if text.isascii() else self._any.finditer(text)
        for word in found:
            if held := self._asked & _terms(word[0]):
                yield word.span(), held


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
        held: list[set[str]] = [set() for _ in spans]
        begins = [begin for begin, _ in spans]
        for (begin, _), here in asked.words(text):
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


def _within(text: str, start: int, end: int, asked: AskedTerms, length: int) -> tuple[int, int]:
    """Return a stretch of whole words of `text[start:end]`, at most `length` long.

    It holds most of the terms, first of all such stretches, with as much before as after them.
    """
    held = [(start + begin, start + stop, here) for (begin, stop), here in asked.words(text[start:end])]
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
