"""Lexicon: the words of a language, by pyspellchecker's lists, each read when first needed."""

import gzip
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
"""The most frequent words of each language that has a list."""

_LEAST_WORDS = 20
"""Function words of a document, at least, that tell its language."""


def lexicon(words: Mapping[str, int]) -> Container[str]:
    """Return the lower-cased words of the language of a document with these words; none if unknown."""
    counts = {
        language: sum(words.get(word, 0) for word in listed.split())
        for language, listed in _FUNCTION_WORDS.items()
    }
    language = max(counts, key=lambda language: counts[language])
    return _words(language) if counts[language] >= _LEAST_WORDS else frozenset()


@cache
def _words(language: str) -> Container[str]:
    """Read a list from the package's file: words in quotation marks, with their frequencies between.

    No word has an escaped character. Reading the JSON takes twice as long, 0.2 to 0.7 s.
    """
    listed = files("spellchecker") / "resources" / f"{language}.json.gz"
    return frozenset(gzip.decompress(listed.read_bytes()).decode().split('"')[1::2])
