"""Parse what a caller asks for: keywords, each with the words that stand for it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from lookup.errors import QueryError
from lookup.text.bare import unaccented
from lookup.text.scripts import WORD, unspaced
from lookup.text.words import STOP_WORDS

_QUOTES = '"“” '
_ASKED = re.compile(r"[\"“”]([^\"“”]+)[\"“”]|(\S+)")


@dataclass(frozen=True)
class Form:
    """Words that stand for a keyword where they stand side by side.

    `joined` holds for each two neighbours whether they may also be printed as one word. `weight` is 1.0 for
    the keyword's own words.
    """

    words: tuple[str, ...]
    joined: tuple[bool, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Keyword:
    """A keyword as the caller wrote it, and its forms."""

    asked: str
    forms: tuple[Form, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """Its own words."""
        return self.forms[0].words

    @property
    def joined(self) -> str:
        """Its own words as one."""
        return "".join(self.words)

    @property
    def is_content_word(self) -> bool:
        """Whether it is more than stop words."""
        return not all(word in STOP_WORDS for word in self.words)

    def with_near(self, near: Iterable[tuple[str, float]]) -> "Keyword":
        """Return the keyword with other words that may stand for it, each with its weight."""
        forms = [Form((word,), (), weight) for word, weight in near if (word,) != self.words]
        return replace(self, forms=(*self.forms, *forms))


def keywords_of(asked: str | Iterable[str]) -> tuple[Keyword, ...]:
    """Return the keywords of a string, its words and quoted phrases, or of strings, one each, in order.

    Raise QueryError where they hold no letter or digit.
    """
    parts = [one[1] or one[2] for one in _ASKED.finditer(asked)] if isinstance(asked, str) else list(asked)
    keywords: dict[tuple[str, ...], Keyword] = {}
    for part in parts:
        form = _form(part)
        if form.words:
            keywords.setdefault(form.words, Keyword(part.strip(_QUOTES), (form,)))
    if not keywords:
        raise QueryError(f"The keywords {asked!r} hold no letter or digit. Give the words to look for.")
    return tuple(keywords.values())


def phrase_of(asked: str | Iterable[str]) -> Keyword:
    """Return all the words as one keyword; raise QueryError where they hold no letter or digit."""
    phrase = (asked if isinstance(asked, str) else " ".join(asked)).strip(_QUOTES)
    form = _form(phrase)
    if not form.words:
        raise QueryError(f"The phrase {phrase!r} holds no letter or digit. Give the words to look for.")
    return Keyword(" ".join(phrase.split()), (form,))


def _form(asked: str) -> Form:
    folded = unaccented(asked)
    matches = list(WORD.finditer(folded))
    joined = tuple(
        _may_join(folded[one.start() : other.end()], one.end() - one.start(), other.start() - one.start())
        for one, other in pairwise(matches)
    )
    return Form(tuple(match[0] for match in matches), joined)


def _may_join(both: str, end: int, start: int) -> bool:
    """Whether the words `both[:end]` and `both[start:]` may be one: by a hyphen, or in an unspaced script."""
    if end == start:
        return unspaced(both[end - 1]) or unspaced(both[start])
    return both[end:start] == "-" and not (both[end - 1].isdigit() and both[start].isdigit())
