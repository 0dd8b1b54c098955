"""A folded text as words: what is compared when a quote does not stand there as it was asked."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, count

_WORD = re.compile(
    r"[a-z]++(?![^\W_]|')"  # a plain word: most are, and this is the fastest way past them
    r"|[^\W_]++(?:(?<=\d)[.,]\d+[^\W_]*+)*+(?:'[^\W_]+)?"  # any other, or a number, with its decimal point or its apostrophe
    r"|-(?:(?<![^\W_]-)(?=\s?\.?\d)|(?<=\d-)(?=\d))"  # a sign, or the hyphen of a range; the hyphen of a word is none
    r"|[<>=~≤≥≈≠±+%‰°^×/$€£\ufffd]"  # what gives a number its meaning
)


def words_in(folded: str) -> list[str]:
    """The words, numbers and symbols of `folded` in order; punctuation is none, and the hyphen of a word parts it in two."""
    return _WORD.findall(folded)


@dataclass(frozen=True)
class WordIndex:
    """The words of several texts in one order, and the distinct ones in `vocabulary`.

    `borders` are the places (indices of words) at which each text begins.
    """

    texts: Sequence[str]
    words: Sequence[str]
    borders: Sequence[int]
    vocabulary: Mapping[str, str]

    def places(self, wanted: Collection[str]) -> dict[str, list[int]]:
        """The places of each of the `wanted` words that there is, ascending."""
        found: dict[str, list[int]] = {}
        for place in compress(count(), map(wanted.__contains__, self.words)):
            found.setdefault(self.words[place], []).append(place)
        return found

    def locate(self, place: int) -> tuple[int, int, int]:
        """Which text has the word at `place`, and its start and end in it."""
        number = bisect_right(self.borders, place) - 1
        return number, *spans(self.texts[number])[place - self.borders[number]]


def index_of(texts: Sequence[str]) -> WordIndex:
    """The words of `texts`, each folded, indexed."""
    borders = array("I")
    words: list[str] = []
    for text in texts:
        borders.append(len(words))
        words += words_in(text)
    one: dict[str, str] = {}  # one string a distinct word: an index is kept with its paper
    return WordIndex(texts, list(map(one.setdefault, words, words)), borders, one)


@lru_cache(64)
def spans(text: str) -> list[tuple[int, int]]:
    """Where the words of folded text stand: start and end of each."""
    return [match.span() for match in _WORD.finditer(text)]
