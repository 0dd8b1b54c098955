"""A folded text as words: what is compared when a quote does not stand there as it was asked."""

import re
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
    """The words of several texts in one order; `vocabulary` has the distinct ones, and how often each stands there.

    `borders` are the places (indices of words) at which each text begins.
    """

    texts: Sequence[str]
    words: Sequence[str]
    borders: Sequence[int]
    vocabulary: Mapping[str, int]

    def places(self, wanted: Collection[str], within: Iterable[tuple[int, int]]) -> Iterator[int]:
        """The places `within` ranges of words at which one of the `wanted` words stands."""
        for begin, end in within:
            here = self.words if end - begin == len(self.words) else self.words[begin:end]
            yield from compress(count(begin), map(wanted.__contains__, here))

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
    words = list(map(one.setdefault, words, words))
    return WordIndex(texts, words, borders, Counter(words))


@lru_cache(64)
def spans(text: str) -> list[tuple[int, int]]:
    """Where the words of folded text stand: start and end of each."""
    return [match.span() for match in _WORD.finditer(text)]


SLIPS = (4, 8, 12)
"""Letters of a word from which one, two and three letters of it may be misread."""


def slips(word: str) -> int:
    """Return the number of letters of `word` that may be misread; 0 for a number."""
    if any(map(str.isdigit, word)) and not any(map(str.isalpha, word)):
        return 0
    return sum(len(word) >= length for length in SLIPS)
