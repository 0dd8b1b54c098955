"""The words of a folded text, which are compared where a quote is not printed word for word."""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, count
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


STOP_WORDS = frozenset(
    """
    a about above after again against all also although am an and any are as at be because been before being
    below between both but by can could did do does doing down during each few for from further had has have
    having he her here hers him his how however i if in into is it its itself just may me might more most much
    must my no nor not of off on once only or other our out over own same shall she should so some such than
    that the their them then there these they this those through thus to too under until up upon us very was
    we were what when where which while who whom whose why will with within without would you your
    """.split()
)
"""English words that say nothing of what a query is about."""


UNITS = frozenset(
    """
    fm pm nm μm µm um mm cm dm m km ng μg µg ug mg g kg t pg fl pl nl μl µl ul ml dl l nmol μmol µmol mmol mol
    pm nm mm fs ps ns μs µs ms s sec second seconds min minute minutes h hr hrs hour hours d day days wk week
    weeks month months yr year years hz khz mhz ghz pa kpa mpa gpa bar mbar v mv kv a ma μa w mw kw mw gw j kj
    mj cal kcal ev mev kev k c f n kn da kda ppm ppb percent percentage permille % ‰ ° $ € £ celsius
    fahrenheit kelvin rpm bp kb mb gb u iu
    """.split()
)


WORDS_TOO = frozenset(
    """
    second seconds min minute minutes hour hours day days week weeks month months year years bar sec ms u
    """.split()
)
"""Units that are also words of running text."""

UNITS_ALONE = UNITS - frozenset("a d k n t u".split())
"""Those that stand for little else after a number, unlike "step 4a", "12 t cells" and "3 n"."""

_SYMBOLS = sorted((unit for unit in UNITS - WORDS_TOO if unit.isalpha()), key=len, reverse=True)
_PRODUCT = regex(rf"(?:{'|'.join(_SYMBOLS)}){{1,4}}")


def is_unit(word: str) -> bool:
    """Return whether a folded word is a unit, or a product of units without spaces, such as mahg or ks."""
    return word in UNITS or _PRODUCT.fullmatch(word) is not None
