"""Words that decide what a statement says, by language: the patterns made of the table of words."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from lookup.text.folding import fold
from lookup.text.regex import regex
from lookup.text.scripts import UNSPACED as UNSPACED_SIGNS
from lookup.text.scripts import UNSPACED_LETTERS
from lookup.text.words import WORD_TABLE, words_of

_NOT_ASCII = regex(r"[^\x00-\x7f]+")
_BEGINS = r"(?<![^\s(\[\"'/,;:-])"
_ENDS = r"(?:(?<=')|(?<=-)|(?![^\s(.,;:!?)\]\"'/।॥،؛؟-]))"
"""Where a word begins and ends, vowel signs of Indic scripts with it; "n'" ends before a letter."""

_WITHOUT_SPACES = regex(rf"[{UNSPACED_SIGNS}{UNSPACED_LETTERS}]")
_LATIN = ("English", "German", "French", "Spanish", "Portuguese", "Italian")
_LANGUAGES = [language for language, words in WORD_TABLE.items() if "known" in words]
_KNOWN: dict[str, list[str]] = defaultdict(list)
for _language in _LANGUAGES:
    for _word in {*fold(WORD_TABLE[_language]["known"]).split()}:
        _KNOWN[_word].append(_language)
_SURE = 5  # Hits from which no language counts that has fewer.
Spoken = tuple[str, ...]  # Names of languages, the keys of WORD_TABLE.


def languages_of(*texts: str) -> Spoken:
    """Return the languages of which folded texts have the most frequent words.

    A word that one language has alone counts twice. A text with one that languages share may be of any of the
    widespread languages too, one that has none of any language, or of a script without spaces.
    """
    text = " ".join(texts)
    hits: Counter[str] = Counter()
    for known in (_KNOWN[word] for word in {*text.split()} & _KNOWN.keys()):
        hits.update(known * (1 + (len(known) == 1)))
    most = max(hits.values(), default=0)
    found = tuple(one for one in _LANGUAGES if hits[one] >= max(1, most - (most < _SURE)))
    if not text.isascii() and _WITHOUT_SPACES.search(text):
        return (*found, "unspaced")
    if most > 1:
        return found
    return tuple(dict.fromkeys((*found, *_LATIN))) if found else tuple(_LANGUAGES)


_SAME = str.maketrans({one: f"[{pair}]" for pair in ("يی", "كک") for one in pair})
"""Letters of which Arabic keyboards have one and Persian ones the other."""


def _pattern(language: str, kind: str) -> str:
    """Return the pattern of the words of a kind that a language has."""
    pattern = f"(?:{'|'.join(WORD_TABLE[language][kind].split())})".replace("_", r"\s+")
    pattern = _NOT_ASCII.sub(lambda found: fold(found.group()), pattern).translate(_SAME)
    return pattern if language == "unspaced" else f"{_BEGINS}{pattern}{_ENDS}"


def any_word(languages: Sequence[str], *kinds: str) -> str:
    """Return a pattern for the words of these kinds in any of the languages."""
    patterns = [_pattern(one, kind) for one in languages for kind in kinds if kind in WORD_TABLE[one]]
    return f"(?:{'|'.join(patterns) or '(?!)'})"


class SensePattern(NamedTuple):
    """The patterns of several languages, which are asked one after the other."""

    patterns: Sequence[re.Pattern[str]]

    def search(self, text: str, *ends: int) -> re.Match[str] | None:
        """Return the first match in a text, or within its `ends`."""
        return next(filter(None, (one.search(text, *ends) for one in self.patterns)), None)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match at the beginning of a text."""
        return next(filter(None, (one.match(text) for one in self.patterns)), None)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match that is all of a text."""
        return next(filter(None, (one.fullmatch(text) for one in self.patterns)), None)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield all matches, by language."""
        return chain.from_iterable(one.finditer(text) for one in self.patterns)


@cache
def _of_language(language: str, form: str, *kinds: str) -> re.Pattern[str] | None:
    words = any_word([language], *kinds)
    return regex(form.replace("{}", words)) if words != any_word([]) else None


@cache
def sense_words(languages: Spoken, form: str, *kinds: str) -> SensePattern:
    """Return the pattern `form` with the words of these kinds in the languages put in for its `{}`."""
    return SensePattern(tuple(filter(None, (_of_language(one, form, *kinds) for one in languages))))


NOTES = "|".join(words_of("notes")).replace("_", " ")
"""What a writer says of a quotation in brackets, "emphasis added", as a pattern."""

_UNAMBIGUOUS = ("English", "German", "Dutch", "Polish", "Cyrillic", "Greek", "Hebrew", "Indic", "Korean")
NEGATION = regex(
    rf"{any_word((*_UNAMBIGUOUS, 'Arabic, Persian, Urdu'), 'denies')}"
    r"|\b(?:não|nunca|jam[aá]is|nenhuma?|ningun[oa]?|tampoco)\b"
)
"""A negation in folded text of any language, where the word means nothing else in others."""
