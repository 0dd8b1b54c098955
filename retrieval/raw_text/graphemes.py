"""Where a text may be cut without dividing what a reader sees as one character, and around a cursor at words.

The former are the boundaries of grapheme clusters (UAX #29, section 3), by the standard library's tables
(docs/decisions/0073). A few boundaries of the standard are refused; none is added.
"""

import re
import unicodedata

from lookup.errors import QueryError
from lookup.text.scripts import unspaced

_ZWJ = "\u200d"
_MARKS = frozenset({"Mn", "Me", "Mc"})
_OTHER_EXTENDERS = re.compile(
    "[\u200c\u200d\uff9e\uff9f\u0e33\u0eb3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f\U00016d63\U00016d67-\U00016d6a]"
)
"""Characters other than marks that join the one before them: joiners, kana voicing signs, Thai and Lao AM,
skin tones, tags, Kirat Rai vowels."""

_PREPENDED = re.compile(
    "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3\U000113d1"
    "\U0001193f\U00011941\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02]"
)
_FLAG_LETTER = re.compile("[\U0001f1e6-\U0001f1ff]")
_LEADING_JAMO = re.compile("[\u1100-\u115f\ua960-\ua97c]")
_HANGUL = re.compile("[\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb]")
_FOLLOWING_JAMO = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
_OF_PICTURES = frozenset({"So", "Sm", "Po", "Pd", "Cn"})
"""Categories of pictures, which a joiner (ZWJ) may join to one."""

_VIRAMA = 9  # Combining class of the signs that join two consonants to one.


def is_boundary(text: str, at: int) -> bool:
    """Whether `text` may be cut before the character `at` (its ends are boundaries)."""
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if before < "\u0300" and after < "\u0300":
        return not (before == "\r" and after == "\n")
    if before in "\r\n":
        return True
    if unicodedata.category(after) in _MARKS or _OTHER_EXTENDERS.match(after):
        return False
    if _PREPENDED.match(before):
        return False
    if before == _ZWJ and unicodedata.category(after) in _OF_PICTURES:
        return False
    if _FLAG_LETTER.match(before) and _FLAG_LETTER.match(after):
        start = at
        while start and _FLAG_LETTER.match(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 0
    if _HANGUL.match(before) and (
        _FOLLOWING_JAMO.match(after) or (_LEADING_JAMO.match(before) and _HANGUL.match(after))
    ):
        return False
    return not (unicodedata.category(after) == "Lo" and _ends_in_virama(text, at))


def boundary_before(text: str, at: int) -> int:
    """Return the last boundary at or before `at`."""
    while not is_boundary(text, at):
        at -= 1
    return at


def boundary_after(text: str, at: int) -> int:
    """Return the first boundary at or after `at`."""
    while not is_boundary(text, at):
        at += 1
    return at


def _ends_in_virama(text: str, at: int) -> bool:
    """Whether a sign that joins consonants stands before `at`, with nothing but marks and joiners between."""
    while at and (unicodedata.category(char := text[at - 1]) in _MARKS or char in "\u200c\u200d"):
        if unicodedata.combining(char) == _VIRAMA:
            return True
        at -= 1
    return False


_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONGEST_WORD = 60  # Longest word, in characters, that is not cut; an address or a sequence may be longer.


def around(text: str, cursor: int, before: int, after: int) -> tuple[int, int]:
    """Return the span of `text` around `cursor`, `before` and `after` characters long, clipped at its ends.

    It is shortened to whole words, but holds the word at the cursor; a word longer than 60 characters may be
    cut, a character never. Raise QueryError for a cursor outside the text, or a negative number of
    characters.
    """
    if not 0 <= cursor <= len(text):
        raise QueryError(f"There is no cursor {cursor}: the text has cursors 0 to {len(text)}.")
    if before < 0 or after < 0:
        raise QueryError(f"chars_before and chars_after must be at least 0, got {before} and {after}.")
    return _border(text, max(0, cursor - before), cursor, -1), _border(
        text, min(len(text), cursor + after), cursor, 1
    )


def _border(text: str, at: int, cursor: int, step: int) -> int:
    """Return where a span around the cursor begins (`step` -1) or ends (1), at `at` or near it."""
    if at == (0 if step < 0 else len(text)):
        return at
    if _within_word(text, at):
        furthest = at - step * _LONGEST_WORD
        inwards = max(cursor, furthest) if step > 0 else min(cursor, furthest)
        at = _word_border(text, at, inwards, min(len(text), max(0, at + step * _LONGEST_WORD)))
    while at != cursor and text[min(at, at - step)].isspace():
        at -= step
    return _uncut(text, at, step)


def _uncut(text: str, at: int, step: int) -> int:
    """Return the nearest place from `at` on, in steps of `step`, where no character is cut.

    Broken UTF-16 may leave two halves of one.
    """
    while not is_boundary(text, at) or _HALVES.fullmatch(text, max(0, at - 1), at + 1):
        at += step
    return at


def _within_word(text: str, at: int) -> bool:
    """Whether a cut before `text[at]` divides a word; in unspaced scripts each character is a word."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return not (before.isspace() or after.isspace() or unspaced(before) or unspaced(after))


def _word_border(text: str, at: int, *limits: int) -> int:
    """Return the place nearest to `at`, up to the first of `limits` that has one, where no word is cut.

    `at` itself where all are too far away.
    """
    for limit in limits:
        step = 1 if limit > at else -1
        for place in range(at, limit + step, step):
            if not _within_word(text, place):
                return place
    return at
