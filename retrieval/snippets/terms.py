"""Words of a text as snippets compare them: in lower case, without accents, by their stem."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

from lookup.text.scripts import UNSPACED
from lookup.text.words import STOP_WORDS
from retrieval.scoring.relevance import stem

_WORD = re.compile(rf"[^\W_{UNSPACED}]+(?:\u0300+[^\W_{UNSPACED}]*)*|[{UNSPACED}]")
"""A word of a folded text. That of `lookup.text.scripts` will not do: here marks are MARK, and points part
words, as in code."""

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
MARK = "\u0300"  # Stands for any combining mark in a folded text.


def folded(text: str) -> str:
    """Return `text` in lower case and without accents, with the same offsets."""
    plain = text if text.isascii() else _NOT_ASCII.sub(lambda match: _plain_character(match[0]), text)
    return plain.lower()


def word_spans(plain: str) -> list[tuple[int, int, str]]:
    """Return start, end and stem of the words of a folded text."""
    return [(match.start(), match.end(), _stem(match[0])) for match in _WORD.finditer(plain)]


def stems_of_segments(text: str, segments: Sequence[tuple[int, int]]) -> list[str]:
    """Return the stems of each of the `segments` of a text, which ascend, as one string."""
    words = word_spans(folded(text))
    begins = [start for start, _, _ in words]
    return [
        " ".join(stem for _, _, stem in words[bisect_left(begins, start) : bisect_left(begins, end)])
        for start, end in segments
    ]


def query_terms(query: str) -> frozenset[str]:
    """Return the stems of the words of a query, without the stop words."""
    return frozenset(_stem(word) for word in _WORD.findall(folded(query)) if word not in STOP_WORDS)


def _stem(word: str) -> str:
    return stem(word.replace(MARK, "") if MARK in word else word)


@lru_cache(1 << 12)
def _plain_character(char: str) -> str:
    """Return one character: the letter under an accent, MARK for a mark, a space for other symbols."""
    if unicodedata.category(char).startswith("M"):
        return MARK
    if not char.isalnum():
        return " "
    base = unicodedata.normalize("NFKD", char)[0].casefold()[:1] or char
    return base if len(base.lower()) == 1 else char
