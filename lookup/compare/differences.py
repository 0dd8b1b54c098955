"""Name what differs between the words of a query and the printed words, by what it does to the meaning."""

from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from unicodedata import normalize

from lookup.compare.negation import NEGATIVE_PREFIXES
from lookup.compare.sense_words import NEGATION, words_of
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.units import UNITS, WORDS_TOO
from lookup.text.words import slips

FACTS = ("number", "sign", "comparison", "negation", "hedge", "unit", "case")
"""Kinds of difference that change a fact, in the order in which they are named, before all others."""

_NUMBERS = frozenset(words_of("cardinals", "tens", "scales", "amounts"))
_TYPED_FOR = (("u", "μ"), ("x", "×"), ("ss", "β"))
_COMPARING = frozenset(words_of("comparing"))


def difference(
    asked: Sequence[str], printed: Sequence[str], known: Callable[[str], bool] = bool
) -> Difference:
    """Return the difference between the words `asked` and the words `printed`; one side may be empty.

    `known` tells whether the paper has a word: such a word is another one, not a misread one.
    """
    return Difference(_kind(asked, printed, known), " ".join(asked), " ".join(printed))


def facts_first(differences: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return the differences: those that change a fact first, else in the order of the text."""
    rank = {kind: i for i, kind in enumerate(FACTS)}
    return tuple(sorted(differences, key=lambda each: rank.get(each.kind, len(FACTS))))


def _kind(asked: Sequence[str], printed: Sequence[str], known: Callable[[str], bool]) -> str:
    one, other = set(asked) - set(printed), set(printed) - set(asked)
    if {word.replace("·", ".") for word in one} == {word.replace("·", ".") for word in other}:
        return "form"  # of a decimal point
    either = one | other
    numbered = any(map(str.isdigit, "".join(other))) or any(_NUMBERED.search(word) for word in one)
    if numbered or either & _NUMBERS:  # "re5pectively" is a misread word
        return "number"
    if either & set("-+±") or any(one.replace(*typed) in other for one in one for typed in _TYPED_FOR):
        return "sign"
    if either & set("<>=~≤≥≈≠"):
        return "comparison"
    if _denies(one) != _denies(other) or _opposite(asked, printed):
        return "negation"
    if "".join(asked) != "".join(printed):
        if either & _COMPARING:
            return "comparison"
        if _measures(one, other):
            return "unit"
    return _form("".join(asked), "".join(printed), len(asked), len(printed), known)


def _form(one: str, other: str, words: int, others: int, known: Callable[[str], bool]) -> str:
    if not one or not other:
        return "added" if one else "dropped"
    if words != others and one == other:
        return "split" if words > others else "merged"
    if words == others == 1 and one != other and _modern(one, other) == _modern(other, one):
        return "historical"
    if words == 1 and known(one):
        return "changed"
    from rapidfuzz.distance import Levenshtein  # words that are printed do without  # noqa: PLC0415

    if Levenshtein.distance(one, other) > max(1, slips(other)):
        return "changed"
    return "spelling"


_MODERN = (("vv", "w"), ("v", "u"), ("j", "i"), ("æ", "ae"), ("œ", "oe"))
_TILDE = "\u0303"


def _modern(word: str, other: str) -> str:
    """Return a folded word with one letter for those that printers of old did not tell from those of another.

    A tilde stands for an n or m; where neither has one, these are two letters.
    """
    for old, new in _MODERN:
        word = word.replace(old, new)
    if _TILDE in normalize("NFD", word + other):
        word = normalize("NFD", word).replace(_TILDE, "n").replace("nn", "n").replace("m", "n")
    return word


_NUMBERED = regex(r"^\d+(?![^\W\d_]{2})|\d$")
"""A number, or a word with a number at its end, as in "co2"."""


def _measures(one: AbstractSet[str], other: AbstractSet[str]) -> bool:
    """Return whether the words that differ hold a unit.

    A letter or an ordinary word is a unit only in the place of another unit.
    """
    if one & UNITS and other & UNITS:
        return True
    units = (one | other) & UNITS - WORDS_TOO
    return any(len(word) > 1 or not word.isalpha() for word in units)


def _denies(words: Collection[str]) -> bool:
    return any(map(_is_denial, words))


@lru_cache(4096)
def _is_denial(word: str) -> bool:
    return word == "non" or NEGATION.fullmatch(word) is not None


def _opposite(one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether one word is the other with a negative prefix."""
    if len(one) != 1 or len(other) != 1:
        return False
    short, long = sorted((one[0], other[0]), key=len)
    return len(short) >= 4 and any(long == prefix + short for prefix in NEGATIVE_PREFIXES)
