"""Scripts: how their words are parted, and in which direction they run."""

import re
import unicodedata

from lookup.text.regex import regex

UNSPACED = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
"""Han characters and kana, for a character class. Each counts as a word, since no spaces stand between
words."""

HANGUL = r"\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
"""Letters and syllables of Korean, for a character class: as wide as Han characters, but with spaces."""

RIGHT_TO_LEFT = r"\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Hebrew, Arabic and others that run from right to left, for a character class."""

UNSPACED_LETTERS = r"\u0e01-\u0edf\u1000-\u109f\u1780-\u17ff"
"""Letters of Thai, Lao, Burmese and Khmer, for a character class: their words are not parted by spaces."""

FULL_STOPS = ".!?…。．！？｡؟۔।॥։።။។"  # What ends sentences, in all scripts.

# The patterns that `re` compiles with their first use: that takes 10 ms, and few texts need them.
_FULL_WIDTH = rf"{UNSPACED}\u3001-\u3003\u3008-\u301f\u30fb\uff00-\uffef"
_WIDE_LATIN = r"\uff10-\uff19\uff21-\uff3a\uff41-\uff5a"
"""Full-width letters and digits, whose words are parted by spaces, at the ends of lines too."""

_KATAKANA = r"[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f]{2}"
_UNPARTED = rf"(?![{_WIDE_LATIN}]{{2}})[{_FULL_WIDTH}]{{2}}|[{UNSPACED_LETTERS}]{{2}}"
_HANGUL = f"[{HANGUL}]"
_DENSE = f"[{UNSPACED}{HANGUL}]"
_WITHOUT_SPACES = f"[{UNSPACED}]"
_LEFTWARDS = f"[{RIGHT_TO_LEFT}]"
_RIGHTWARDS = r"[A-Za-z\u00c0-\u058f\u0900-\u1fff\u3040-\ud7ff]"
_TURN = r"[\u202d\u202e]"
_TURN_AMONG_OTHERS = r"[\u202b\u202d\u202e\u2067]|[\u200f\u061c](?=\W{0,3}\d)"
_DENSE_LETTERS = 2.5
"""Letters of an alphabet to one of Chinese, Japanese or Korean, at least: where a German text has 11.8
thousand, they have 2.9, 4.1 and 4.6."""

_VOWEL_SIGNS = (
    r"\u0900-\u0963\u0971-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84"
    r"\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
)
"""Signs of Indic and neighbouring scripts that belong to their letter, and the voicing marks of kana; `\\w`
leaves them out."""

_LETTERS = rf"(?:[^\W_{UNSPACED}]++|[{_VOWEL_SIGNS}]++)"
WORD = regex(
    # Most words are plain; this is the fastest way past them.
    rf"[a-z]++(?![^\W_{UNSPACED}]|[{_VOWEL_SIGNS}])"
    rf"|\d++(?>(?:[.,]\d++)+)(?>{_LETTERS}*)"
    rf"|[{UNSPACED}][\u3099\u309a]?"
    rf"|(?>{_LETTERS}+)"
)
"""A word of bare text: letters and digits, a number with its point, or a character of a script without
spaces."""


def without_turns(text: str, instead: str) -> str:
    """Return `text` with `instead` for what shows it in another order: overridden, 12.5 is seen as 5.21.

    Beside letters that run from right to left, marks that embed a direction are in place.
    """
    return re.sub(_TURN if re.search(_LEFTWARDS, text) else _TURN_AMONG_OTHERS, instead, text)


def runs_leftwards(text: str) -> bool:
    """Whether most letters of `text` are of scripts that run from right to left."""
    found = 0 if text.isascii() else len(re.findall(_LEFTWARDS, text))
    return found > 0 and found > len(re.findall(_RIGHTWARDS, text))


def unspaced(char: str) -> bool:
    """Whether `char` is of a script that puts no spaces between words."""
    return char > "\u2e7f" and re.match(_WITHOUT_SPACES, char) is not None


def is_hangul(char: str) -> bool:
    """Whether `char` is a letter or a syllable of Korean."""
    return char > "\u10ff" and re.match(_HANGUL, char) is not None


def letters(text: str) -> float:
    """Return how long a text is in letters of an alphabet: those of Chinese, Japanese and Korean say more."""
    if text.isascii():
        return len(text)
    return len(text) + (_DENSE_LETTERS - 1) * len(re.findall(_DENSE, text))


def begins_small(text: str) -> bool:
    """Whether a text begins in lower case, where sentences of its script begin with a capital."""
    return text[:1].islower() and text[:1].title() != text[:1] and not has_syllables(text)


def has_syllables(text: str) -> bool:
    """Whether one character of the text may be a word, as in Chinese, Japanese and Korean."""
    return not text.isascii() and re.search(_DENSE, text) is not None


def count_unspaced(text: str) -> int:
    """Return how many characters of `text` are of scripts that put no spaces between words."""
    return 0 if text.isascii() else len(re.findall(_WITHOUT_SPACES, text))


def parts_no_words(before: str, after: str) -> bool:
    """Whether the end of a line between these characters is no space: both are of a script without spaces."""
    return before > "\u0e00" and re.match(_UNPARTED, before + after) is not None


def may_part(before: str, after: str) -> bool:
    """Whether a word may end between two letters, no space though there is: one is a Han character or kana.

    The other is too, or is a letter of an alphabet. Katakana side by side are one word: no カー is in カード.
    """
    if before < "\u2e80" and after < "\u2e80":
        return False
    if re.match(_KATAKANA, before + after):
        return False
    return (unspaced(before) or unspaced(after)) and all(c.isalpha() or unspaced(c) for c in (before, after))


def of_word(char: str) -> bool:
    """Whether `char` is part of a word: a letter, a digit or a sign that belongs to its letter."""
    return char.isalnum() or (char > "\u02ff" and unicodedata.category(char)[0] == "M")


GREEK = regex(r"(?<![Ͱ-Ͽ])[Ͱ-Ͽ](?![Ͱ-Ͽ])")
"""A Greek letter that is a symbol, and not a part of a Greek word."""
