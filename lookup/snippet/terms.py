"""Words of a text as a search compares them: case-folded, without accents, by their stem."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from lookup.text.occurrences import occurrences
from lookup.text.stop_words import STOP_WORDS

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[^\W_{_CJK}]+(?:\u0300+[^\W_{_CJK}]*)*|[{_CJK}]")
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
MARK = "\u0300"
"""Stands for any combining mark in a folded text."""

_SUFFIXES = re.compile(r"(?:ations?|ingly|ments?|ings?|edly|ies|ied|ions?|ness|ally|ers?|ed|es|ly|al|s|e)\Z")
_SHORTEST_STEM = 4


def folded(text: str) -> str:
    """`text` in lower case and without accents, character for character: offsets stay what they are."""
    plain = text if text.isascii() else _NOT_ASCII.sub(_plain, text)
    return plain.lower()


def word_spans(plain: str) -> list[tuple[int, int, str]]:
    """Start, end and stem of the words of a folded text."""
    return [(match.start(), match.end(), stem(match[0])) for match in _WORD.finditer(plain)]


def places_of(term: str, plain: str) -> Iterator[int]:
    """Where words with this stem begin in a folded text that has no marks."""
    for at in occurrences(plain, term):
        within = at > 0 and plain[at - 1].isalnum() and not _parted(plain, at)
        if not within and (word := _WORD.match(plain, at)) and stem(word[0]) == term:
            yield at


def _parted(plain: str, at: int) -> bool:
    """Whether a word may begin at `at` right after a letter, as between Chinese characters."""
    return bool(_CJK_CHARACTER.match(plain, at) or _CJK_CHARACTER.match(plain, at - 1))


def query_terms(query: str) -> frozenset[str]:
    """The stems of the words of a query, without the stop words."""
    return frozenset(stem(word) for word in _WORD.findall(folded(query)) if word not in STOP_WORDS)


@lru_cache(1 << 15)
def stem(word: str) -> str:
    """`word` without an English ending, so that "infected" and "infections" are one; words of other languages mostly stay what they are."""
    if MARK in word:
        word = word.replace(MARK, "")
    if len(word) > _SHORTEST_STEM and (suffix := _SUFFIXES.search(word, _SHORTEST_STEM)):
        return word[: suffix.start()]
    return word


def _plain(match: re.Match[str]) -> str:
    return _plain_character(match[0])


@lru_cache(1 << 12)
def _plain_character(char: str) -> str:
    """One character for one: the letter under an accent, the mark for a mark, a space for what is neither letter nor digit."""
    if unicodedata.category(char).startswith("M"):
        return MARK
    if not char.isalnum():
        return " "
    base = unicodedata.normalize("NFKD", char)[0].casefold()[:1] or char
    return base if len(base.lower()) == 1 else char
