"""Hyphenation: "con-/cept" at a line's end is one word, "well-/known" keeps its hyphen."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping

HYPHENS = "-‐\u00ad"  # Characters that break a word at a line's end: hyphen-minus, hyphen, soft hyphen.

BREAKS = f"{HYPHENS}¬⸗"
"""Those, and what old text layers (ABBYY's) and books in Fraktur have for them, between letters alone."""

ZERO_WIDTH = "\u200b\u200c\u200d\ufeff"
"""Invisible characters that viewers and typesetters put beside a hyphen."""

_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_LAST_WORD = re.compile(_WORD.pattern + "$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


_PARTICLES = "을 를 은 는 의 에 와 과 로 고 며 에서 에게 으로 부터 까지 에는 에도 에서는 서만".split()
"""Of Korean: they stand behind their word, and are hardly ever words themselves."""


def vocabulary(lines: Iterable[str]) -> Counter[str]:
    """Count the unbroken words of the printed lines, lower-cased; compounds count whole ('well-known')."""
    found: list[str] = []
    broken = False
    for line in lines:
        words = _WORD.findall(_plain(line).replace("-\u00ad", "-"))
        ends_broken = line.rstrip(ZERO_WIDTH)[-1:] in BREAKS
        found += words[1 if broken else 0 : -1 if ends_broken else None]
        broken = ends_broken
    return Counter(found)


def _plain(text: str) -> str:
    """Return a text in small letters, with one hyphen and without the long s, for lists of words."""
    return text.lower().replace("‐", "-").replace("ſ", "s")


def keeps_together(left: str, right: str, words: Mapping[str, int]) -> bool:
    """Whether `left/right`, broken at a line's end without a hyphen, is one word, as Korean breaks them."""
    left_match, right_match = _LAST_WORD.search(left), _FIRST_WORD.match(right)
    if not left_match or not right_match:
        return False
    first, second = left_match.group(), right_match.group()
    whole = words.get(first + second, 0)
    known = whole > 0 and whole >= min(words.get(first, 0), words.get(second, 0))  # which count these halves
    return known or second in _PARTICLES


def keeps_hyphen(left: str, right: str, words: Mapping[str, int], listed: Container[str]) -> bool:
    """Whether `left-/right`, broken at a line's end, keeps its hyphen.

    The document's own `words` decide (those it prints unbroken, with counts). If it has neither form, a
    hyphen stays beside a digit, before a capital and beside a single letter. Then `listed`, the words of
    the language, decide: a hyphen goes if the joined word is among them, and stays if both halves are
    words, of the language or of the document.
    """
    left_match, right_match = _LAST_WORD.search(left), _FIRST_WORD.match(right)
    if not left_match or not right_match:
        return True
    first, second = _plain(left_match.group()), _plain(right_match.group())
    compound = words.get(f"{first}-{second}", 0)
    whole = max(words.get(first + second, 0), words.get(first.replace("-", "") + second, 0))
    if whole != compound:
        return compound > whole
    part = first.rpartition("-")[2]  # of "cross-bor-/der", "bor" is broken off
    if right_match.group()[0].isupper() or 1 in {len(part), len(second)}:
        return True
    if part + second in words or part + second in listed:
        return False
    return (part in words or part in listed) and (second in words or second in listed)
