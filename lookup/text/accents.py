"""Letters with accents, as folded text has them."""

import unicodedata
from functools import cache

_COMPOSED = (range(0xDF, 0x250), range(0x390, 0x460), range(0x1E00, 0x2000))
"""Latin, Greek and Cyrillic letters with accents; folded text has no other form of them."""


@cache
def accented() -> dict[str, str]:
    """For each letter, return its forms with accents, as folded text has them."""
    forms: dict[str, str] = {}
    for char in (chr(code) for codes in _COMPOSED for code in codes):
        parts = unicodedata.normalize("NFD", char)
        if len(parts) > 1 and char.islower():
            letter = parts[0]
            forms[letter] = forms.get(letter, "") + char
    return forms
