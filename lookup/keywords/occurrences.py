"""Where a form of a keyword stands in bare text, whole."""

import re
from collections.abc import Iterator
from functools import lru_cache

from lookup.keywords.bare import Bare
from lookup.keywords.keywords import Form
from lookup.text.occurrences import occurrences

_BETWEEN = r"([\W_]{0,4}?)"
"""What may stand between two words that stand side by side: spaces, a hyphen, a comma, quotation marks."""


def spans_of(bare: Bare, form: Form) -> Iterator[tuple[int, int]]:
    """The spans of `bare.text` at which the form's words stand side by side, whole, ascending."""
    spans: Iterator[tuple[int, int]]
    if len(form.words) == 1:
        (word,) = form.words
        spans = ((at, at + len(word)) for at in occurrences(bare.text, word))
    else:
        spans = _several_words(bare, form)
    return (span for span in spans if bare.parted(span[0]) and bare.parted(span[1]))


def _several_words(bare: Bare, form: Form) -> Iterator[tuple[int, int]]:
    for match in _pattern(form.words).finditer(bare.text):
        gaps = [match.span(i) for i in range(1, len(form.words))]
        if all(
            bare.parted(start) if start < end else (joined or start in bare.joints)
            for (start, end), joined in zip(gaps, form.joined, strict=True)
        ):
            yield match.span()


@lru_cache(64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(_BETWEEN.join(map(re.escape, words)))
