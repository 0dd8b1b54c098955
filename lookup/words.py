"""A folded text as words: what is compared when a quote does not stand there as it was asked."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(
    r"[^\W_]+(?:(?<=\d)[.,]\d+[^\W_]*)*(?:'[^\W_]+)?"  # a word or a number, with its decimal point or its apostrophe
    r"|(?<![^\W_])-(?=\s?\.?\d)|(?<=\d)-(?=\d)"  # a sign, or the hyphen of a range; the hyphen of a word is none
    r"|[<>=~≤≥≈≠±+%‰°^×/$€£\ufffd]"  # what gives a number its meaning
)


def words_in(folded: str) -> list[str]:
    """The words, numbers and symbols of `folded` in order; punctuation is none, and the hyphen of a word parts it in two."""
    return _WORD.findall(folded)


@dataclass(frozen=True)
class WordIndex:
    """The words of several texts in one order, and for each distinct one the places (indices) where it stands, ascending.

    `borders` are the places at which each text begins.
    """

    texts: Sequence[str]
    words: Sequence[str]
    borders: Sequence[int]
    places: Mapping[str, Sequence[int]]

    def locate(self, place: int) -> tuple[int, int, int]:
        """Which text has the word at `place`, and its start and end in it."""
        number = bisect_right(self.borders, place) - 1
        return number, *spans(self.texts[number])[place - self.borders[number]]


def index_of(texts: Sequence[str]) -> WordIndex:
    """The words of `texts`, each folded, indexed."""
    borders: list[int] = []
    words: list[str] = []
    for text in texts:
        borders.append(len(words))
        words += words_in(text)
    places: dict[str, array[int]] = {}
    for place, word in enumerate(words):
        if (known := places.get(word)) is None:
            places[word] = array("I", (place,))
        else:
            known.append(place)
    one = {word: word for word in places}  # one string a distinct word: an index is kept with its paper
    return WordIndex(texts, [one[word] for word in words], borders, places)


@lru_cache(64)
def spans(text: str) -> list[tuple[int, int]]:
    """Where the words of folded text stand: start and end of each."""
    return [match.span() for match in _WORD.finditer(text)]
