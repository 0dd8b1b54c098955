"""Regular expressions by which SQL finds in `text_norm` what `SearchText.find` finds in bare text."""

import re
from collections.abc import Sequence

from lookup.keywords.parse import Form, Keyword
from lookup.text.accents import accented
from lookup.text.scripts import unspaced

_BORDER = r"[^\pL\pN]"
_PART_OF_WORD = r"[\pL\pN-]*"


def words_pattern(keywords: Sequence[Keyword]) -> str:
    """Return a pattern that finds one of the keywords, whole, whatever its accents and hyphens are."""
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
    """Return a pattern for a word that holds one of the pieces, with the words that a hyphen ties to it."""
    return f"{_PART_OF_WORD}(?:{'|'.join(map(_letters, pieces))}){_PART_OF_WORD}"


def _form(form: Form) -> str:
    words = [_word(word) for word in form.words]
    return f"{_BORDER}*".join(words)  # a count would make the expression slow


def _word(word: str) -> str:
    """Return a pattern for the word, with or without hyphens in it, none of them between two digits."""
    pattern = ""
    for before, char in zip(" " + word, word, strict=False):
        inside = before.isalnum() and char.isalnum() and not (before.isdigit() and char.isdigit())
        pattern += ("-?" if inside else "") + _letters(char)
    return pattern


def _letters(text: str) -> str:
    return "".join(f"[{char}{accented()[char]}]" if char in accented() else re.escape(char) for char in text)
