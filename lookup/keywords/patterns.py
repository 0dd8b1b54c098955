"""Regular expressions that find in `text_norm`, by SQL, what `occurrences` finds in bare text."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from lookup.keywords.keywords import Form, Keyword
from lookup.text.scripts import unspaced

_COMPOSED = (range(0xDF, 0x250), range(0x390, 0x460), range(0x1E00, 0x2000))
"""Latin, Greek and Cyrillic letters with accents; folded text has no other form of them."""

_BORDER = r"[^\pL\pN]"
_PART_OF_WORD = r"[\pL\pN-]*"


@cache
def accented() -> dict[str, str]:
    """For each letter its forms with accents, as folded text has them."""
    forms: dict[str, str] = {}
    for char in (chr(code) for codes in _COMPOSED for code in codes):
        parts = unicodedata.normalize("NFD", char)
        if len(parts) > 1 and char.islower():
            letter = parts[0]
            forms[letter] = forms.get(letter, "") + char
    return forms


def words_pattern(keywords: Sequence[Keyword]) -> str:
    """What holds one of the keywords, whole, whatever its accents and hyphens are."""
    forms = "|".join(_form(form) for keyword in keywords for form in keyword.forms)
    edges = [
        char
        for keyword in keywords
        for form in keyword.forms
        for char in (form.words[0][0], form.words[-1][-1])
    ]
    if any(map(unspaced, edges)):
        return f"(?:{forms})"
    return f"(?:^|{_BORDER})(?:{forms})(?:$|{_BORDER})"


def near_pattern(pieces: Sequence[str]) -> str:
    """A word, with the words that a hyphen ties to it, that holds one of the pieces."""
    return f"{_PART_OF_WORD}(?:{'|'.join(map(_letters, pieces))}){_PART_OF_WORD}"


def _form(form: Form) -> str:
    words = [_word(word) for word in form.words]
    return f"{_BORDER}*".join(words)  # a count would make the expression slow


def _word(word: str) -> str:
    """The word with or without hyphens in it, none of them between two digits."""
    pattern = ""
    for before, char in zip(" " + word, word, strict=False):
        inside = before.isalnum() and char.isalnum() and not (before.isdigit() and char.isdigit())
        pattern += ("-?" if inside else "") + _letters(char)
    return pattern


def _letters(text: str) -> str:
    return "".join(f"[{char}{accented()[char]}]" if char in accented() else re.escape(char) for char in text)
