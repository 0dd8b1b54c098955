"""Which words a language has: the word-frequency lists of pyspellchecker, each read when a document first needs it."""

import gzip
import json
from collections.abc import Container, Mapping
from functools import cache
from importlib.resources import files

_FUNCTION_WORDS = {
    "en": "the of and in to with was were for that",
    "de": "der die und das von mit wurde den zu nicht",
    "es": "el los las del y una con por se fueron",
    "fr": "le les des et du une dans est par pour",
    "it": "il di che della e sono gli nel per del",
    "nl": "de het een van en zijn met voor niet werd",
    "pt": "o os as do da em uma com foi não",
}
"""The words that make up most of a text in each of the languages that have a list."""

_ENOUGH = 20
"""Function words from which a document's language is told; below, no list is asked."""


def lexicon(words: Mapping[str, int]) -> Container[str]:
    """The words, lower-cased, of the language that a document with these words is written in; of none where that is not seen."""
    counts = {
        language: sum(words.get(word, 0) for word in listed.split())
        for language, listed in _FUNCTION_WORDS.items()
    }
    language = max(counts, key=lambda language: counts[language])
    return _words(language) if counts[language] >= _ENOUGH else frozenset()


@cache
def _words(language: str) -> Container[str]:
    """Read from the package's file: its own `SpellChecker(language=...)` counts as it reads, and takes twice as long."""
    listed = files("spellchecker") / "resources" / f"{language}.json.gz"
    return frozenset(json.loads(gzip.decompress(listed.read_bytes())))
