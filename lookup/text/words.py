"""The words of a folded text, which are compared where a quote is not printed word for word."""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, count
from pathlib import Path
from typing import NamedTuple

from lookup.text.regex import regex

_WORD = regex(
    r"[a-z]++(?![^\W_]|')"  # most words are plain; this is the fastest way past them
    # Any other word, or a number, with its decimal point or its apostrophe.
    r"|[^\W_]++(?>(?:(?<=\d)[.,·]\d++[^\W_]*+)*)(?:'[^\W_]++)?"
    r"|-(?:(?<![^\W_]-)(?=\s?\.?\d)|(?<=\d-)(?=\d))"  # a sign or the hyphen of a range, not that of a word
    r"|[<>=~≤≥≈≠±+%‰°^×/$€£\ufffd]"  # what gives a number its meaning
)


def words_in(folded: str) -> list[str]:
    """Return the words, numbers and symbols of `folded` in order, without punctuation; hyphens part words."""
    return _WORD.findall(folded)


class WordIndex(NamedTuple):
    """The words of several texts, one after the other; `vocabulary` counts how often each occurs.

    `borders` are the places (indices of words) at which each text begins.
    """

    texts: Sequence[str]
    words: Sequence[str]
    borders: Sequence[int]
    vocabulary: Mapping[str, int]

    def places(self, wanted: Collection[str], within: Iterable[tuple[int, int]]) -> Iterator[int]:
        """Yield the places of the `wanted` words `within` ranges of places."""
        for begin, end in within:
            here = self.words if end - begin == len(self.words) else self.words[begin:end]
            yield from compress(count(begin), map(wanted.__contains__, here))

    def locate(self, place: int) -> tuple[int, int, int]:
        """Return the number of the text with the word at `place`, and its start and end in that text."""
        number = bisect_right(self.borders, place) - 1
        return number, *spans(self.texts[number])[place - self.borders[number]]


def index_of(texts: Sequence[str]) -> WordIndex:
    """Return the index of the words of `texts`, each folded."""
    borders = array("I")
    words: list[str] = []
    for text in texts:
        borders.append(len(words))
        words += words_in(text)
    one: dict[str, str] = {}  # one string for each distinct word, since an index is kept with its paper
    words = list(map(one.setdefault, words, words))
    return WordIndex(texts, words, borders, Counter(words))


@lru_cache(64)
def spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of the words of folded text."""
    return [match.span() for match in _WORD.finditer(text)]


SLIPS = (4, 8, 12)  # Lengths of a word from which one, two and three of its letters may be misread.


def slips(word: str) -> int:
    """Return the number of letters of `word` that may be misread; 0 for a number."""
    if any(map(str.isdigit, word)) and not any(map(str.isalpha, word)):
        return 0
    return sum(len(word) >= length for length in SLIPS)


def occurrences(text: str, part: str) -> Iterator[int]:
    """Yield the offsets at which `part` stands in `text`, ascending; occurrences may overlap."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _read_table(path: Path) -> dict[str, dict[str, str]]:
    """Return the table: a language in brackets, then its kinds, whose words may go on in indented lines."""
    table: dict[str, dict[str, str]] = {}
    language = kind = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            language = line.strip("[]")
            table[language] = {}
        elif line.startswith(" "):
            table[language][kind] += line
        elif line and not line.startswith("#"):
            kind, _, table[language][line.partition(":")[0]] = line.partition(":")
    return table


WORD_TABLE = _read_table(Path(__file__).with_name("word_table.txt"))
"""The words of each language by what they do, between spaces."""


def words_of(*kinds: str) -> list[str]:
    """Return the words of these kinds in all languages, as the table has them."""
    return [word for words in WORD_TABLE.values() for kind in kinds for word in words.get(kind, "").split()]


STOP_WORDS = frozenset(words_of("stop_words"))
"""English words that say nothing of what a query is about."""


UNITS = frozenset(words_of("units"))


WORDS_TOO = frozenset(words_of("units_and_words"))
"""Units that are also words of running text."""

UNITS_ALONE = UNITS - frozenset("a d k n t u".split())
"""Those that stand for little else after a number, unlike "step 4a", "12 t cells" and "3 n"."""

_SYMBOLS = sorted((unit for unit in UNITS - WORDS_TOO if unit.isalpha()), key=len, reverse=True)
_PRODUCT = regex(rf"(?:{'|'.join(_SYMBOLS)}){{1,4}}")


def is_unit(word: str) -> bool:
    """Return whether a folded word is a unit, or a product of units without spaces, such as mahg or ks."""
    return word in UNITS or _PRODUCT.fullmatch(word) is not None
