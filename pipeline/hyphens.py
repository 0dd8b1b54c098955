"""What to do with a hyphen at a line's end: "con-/cept" is one word, "well-/known" keeps its hyphen."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

HYPHENS = "-‐\u00ad"
"""Characters that break a word at a line's end: hyphen-minus, hyphen, soft hyphen."""

_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")

_PREFIXES = frozenset(
    "self non well quasi ex half cross long short high low pre post anti".split()  # noqa: SIM905
)
"""First halves whose compounds English mostly writes with a hyphen; consulted when the text itself does not tell."""


def vocabulary(lines: Iterable[str]) -> Counter[str]:
    """How often each word stands unbroken in the printed lines, lower-cased; compounds count whole ('well-known')."""
    counts: Counter[str] = Counter()
    broken = False
    for line in lines:
        words = [match.group().lower().replace("‐", "-") for match in _WORD.finditer(line)]
        if broken:
            words = words[1:]
        broken = line[-1:] in HYPHENS
        if broken:
            words = words[:-1]
        counts.update(words)
    return counts


def keeps_hyphen(left: str, right: str, words: Mapping[str, int]) -> bool:
    """Whether `left-/right`, parted at a line's end, keeps its hyphen; `words` is what the document prints unbroken.

    The document's own words decide; where it has neither form, a hyphen stays before a capital or a digit, after a digit, and after a few
    prefixes whose second half is a word of its own.
    """
    first, second = _last_word(left), _first_word(right)
    if not first or not second or second[0].isupper():
        return True
    first, second = first.lower(), second.lower()
    whole, compound = words.get(first.replace("-", "") + second, 0), words.get(f"{first}-{second}", 0)
    whole = max(whole, words.get(first + second, 0))
    if whole != compound:
        return compound > whole
    return "-" in first or (first in _PREFIXES and second in words)


def _last_word(text: str) -> str:
    match = re.search(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*$", text)
    return match.group() if match else ""


def _first_word(text: str) -> str:
    match = re.match(r"[^\W\d_]+", text)
    return match.group() if match else ""
