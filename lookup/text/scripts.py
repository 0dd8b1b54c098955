"""Words in scripts that put spaces between them, and in those that do not."""

import re
import unicodedata

UNSPACED = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
"""Han characters and kana, for a character class. Each counts as a word, since no spaces stand between
words."""

_VOWEL_SIGNS = (
    r"\u0900-\u0963\u0971-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84"
    r"\u102b-\u103e\u17b4-\u17d3\u3099\u309a"
)
"""Signs of Indic and neighbouring scripts that belong to their letter, and the voicing marks of kana; `\\w`
leaves them out."""

_LETTERS = rf"(?:[^\W_{UNSPACED}]++|[{_VOWEL_SIGNS}]++)"
WORD = re.compile(
    # Most words are plain; this is the fastest way past them.
    rf"[a-z]++(?![^\W_{UNSPACED}]|[{_VOWEL_SIGNS}])"
    rf"|\d++(?:[.,]\d++)++{_LETTERS}*+"
    rf"|[{UNSPACED}][\u3099\u309a]?"
    rf"|{_LETTERS}++"
)
"""A word of bare text: letters and digits, a number with its point, or a character of a script without
spaces."""

_WITHOUT_SPACES = re.compile(rf"[{UNSPACED}]")


def unspaced(char: str) -> bool:
    """Whether `char` is of a script that puts no spaces between words."""
    return char > "\u2e7f" and _WITHOUT_SPACES.match(char) is not None


def of_word(char: str) -> bool:
    """Whether `char` is part of a word: a letter, a digit or a sign that belongs to its letter."""
    return char.isalnum() or (char > "\u02ff" and unicodedata.category(char)[0] == "M")
