"""Words that decide what a statement says, by language: the patterns made of `sense_words.toml`."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from lookup.text.folding import fold
from lookup.text.regex import regex
from lookup.text.scripts import UNSPACED as UNSPACED_SIGNS
from lookup.text.scripts import UNSPACED_LETTERS

_TABLE = Path(__file__).with_name("sense_words.toml").read_text(encoding="utf-8")
SENSE_WORDS: dict[str, dict[str, str]] = tomllib.loads(_TABLE)
"""The words of each language by what they do, between spaces."""

_NOT_ASCII = regex(r"[^\x00-\x7f]+")
_BEGINS = r"(?<![^\s(\[\"'/,;:-])"
_ENDS = r"(?:(?<=')|(?<=-)|(?![^\s(.,;:!?)\]\"'/।॥،؛؟-]))"
"""Where a word begins and ends, vowel signs of Indic scripts with it; "n'" ends before a letter."""

_WITHOUT_SPACES = regex(rf"[{UNSPACED_SIGNS}{UNSPACED_LETTERS}]")
_LATIN = ("English", "German", "French", "Spanish", "Portuguese", "Italian")
_KNOWN = {
    language: frozenset(fold(words["known"]).split())
    for language, words in SENSE_WORDS.items()
    if "known" in words
}
Spoken = tuple[str, ...]  # Names of languages, the keys of SENSE_WORDS.


def languages_of(*texts: str) -> Spoken:
    """Return the languages of which folded texts have the most frequent words.

    A text that has none is of a script without spaces, or may be of any of the widespread languages.
    """
    words = frozenset(" ".join(texts).split())
    hits = {language: len(words & known) for language, known in _KNOWN.items()}
    most = max(hits.values())
    found = tuple(language for language, count in hits.items() if count == most > 0)
    if any(map(_WITHOUT_SPACES.search, texts)):
        return (*found, "unspaced")
    if found:
        return found
    return _LATIN if " ".join(texts).isascii() else tuple(_KNOWN)


def words_for(language: str, kind: str) -> str:
    """Return the pattern of the words of a kind in a language; '' if the table has none."""
    words = SENSE_WORDS[language].get(kind, "")
    if not words:
        return ""
    pattern = f"(?:{'|'.join(words.split())})".replace("_", r"\s+")
    pattern = _NOT_ASCII.sub(lambda found: fold(found.group()), pattern)
    return pattern if language == "unspaced" else f"{_BEGINS}{pattern}{_ENDS}"


def any_word(languages: Sequence[str], *kinds: str) -> str:
    """Return a pattern for the words of these kinds in any of the languages."""
    patterns = filter(None, (words_for(one, kind) for one in languages for kind in kinds))
    return f"(?:{'|'.join(patterns) or '(?!)'})"


@cache
def sense_words(languages: Spoken, form: str, *kinds: str) -> re.Pattern[str]:
    """Return the pattern `form` with the words of these kinds in the languages put in for its `{}`."""
    return regex(form.replace("{}", any_word(languages, *kinds)))
