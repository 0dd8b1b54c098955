"""Bare text: folded, without accents and hyphens inside words; and the way back to the printed text."""

import re
import unicodedata
from array import array
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from lookup.text.folding import fold
from lookup.text.scripts import of_word, unspaced

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_HYPHEN = re.compile(r"-(?:[ \t]*\r?\n[ \t]*)?(?=[^\W_])")
"""A hyphen, with the line break after it, before a letter or digit."""

_ACCENT = 10
"""Lowest combining class of accents; lower ones are parts of letters: nuktas, viramas, the voicing marks of
kana."""


@dataclass
class _Shifts:
    """Where the offsets of a text and of its source drift apart."""

    made: "array[int]" = field(default_factory=lambda: array("I", [0]))
    source: "array[int]" = field(default_factory=lambda: array("I", [0]))

    def add(self, made: int, source: int) -> None:
        """Note that the characters from `made` on come from `source` on."""
        self.made.append(made)
        self.source.append(source)

    def back(self, at: int) -> int:
        """Return where the character at `at` came from."""
        i = bisect_right(self.made, at) - 1
        return self.source[i] + at - self.made[i]


@dataclass(frozen=True)
class BareText:
    """A text without accents and hyphens; `joints` are the offsets in `text` where a hyphen was taken out."""

    text: str
    joints: frozenset[int]
    _hyphens: _Shifts
    _folded: _Shifts

    def with_spaces(self) -> str:
        """Return the text with a space at each joint."""
        ends = [0, *sorted(self.joints), len(self.text)]
        return " ".join(self.text[start:end] for start, end in pairwise(ends))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the source of `text[start:end]`, without accents of its last letter."""
        first, last = (self._folded.back(self._hyphens.back(at)) for at in (start, end - 1))
        return first, last + 1

    def is_word_border(self, at: int) -> bool:
        """Whether a word begins or ends at `at`, and not at the point of a decimal number."""
        text = self.text
        if at <= 0 or at >= len(text) or at in self.joints:
            return True
        before, after = text[at - 1], text[at]
        if of_word(before) and of_word(after):
            return after.isalnum() and (unspaced(before) or unspaced(after))
        if before in ".,":
            return not (after.isdigit() and text[at - 2 : at - 1].isdigit())
        return not (after in ".," and before.isdigit() and text[at + 1 : at + 2].isdigit())


def bare(text: str) -> BareText:
    """Return `text` without accents and hyphens, and the way back."""
    folded, shifts = _without_accents(text)
    joined, hyphens = _joined(folded)
    return BareText(joined, frozenset(hyphens.made[1:]), hyphens, shifts)


def unaccented(text: str) -> str:
    """Return `text` folded and without accents, its hyphens as they are."""
    return _without_accents(text)[0]


def _without_accents(text: str) -> tuple[str, _Shifts]:
    shifts = _Shifts()
    if text.isascii():
        return text.lower(), shifts
    pieces: list[str] = []
    at = length = 0
    for run in _BEYOND_ASCII.finditer(text):
        pieces.append(text[at : run.start()].lower())
        length += run.start() - at
        at = run.start()
        for char in run[0]:
            letters = _letters(char)
            at += 1
            if len(letters) != 1:
                for i in range(1, len(letters)):  # all of them came from this character
                    shifts.add(length + i, at - 1)
                shifts.add(length + len(letters), at)
            length += len(letters)
            pieces.append(letters)
    pieces.append(text[at:].lower())
    return "".join(pieces), shifts


@lru_cache(4096)
def _letters(char: str) -> str:
    """Return a character beyond ASCII folded, without its accents; white space stays as it is."""
    if char.isspace():
        return char
    parts = unicodedata.normalize("NFKD", fold(char))
    return "".join(part for part in parts if unicodedata.combining(part) < _ACCENT)


def _joined(folded: str) -> tuple[str, _Shifts]:
    """Return the text without the hyphens inside words; those between two numbers stay."""
    shifts, pieces = _Shifts(), []
    at = length = 0
    for hyphen in _HYPHEN.finditer(folded):
        before, after = folded[hyphen.start() - 1 : hyphen.start()], folded[hyphen.end()]
        if not before or not of_word(before) or (before.isdigit() and after.isdigit()):
            continue
        pieces.append(folded[at : hyphen.start()])
        length += hyphen.start() - at
        at = hyphen.end()
        shifts.add(length, at)
    pieces.append(folded[at:])
    return "".join(pieces), shifts
