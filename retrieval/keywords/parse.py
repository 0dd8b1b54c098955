"""Parse what a caller asks for: keywords, each with the words that stand for it.

Beside them those that may be meant: words that contain a keyword, are part of it, or are a typing slip away.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz import process
from rapidfuzz.distance import OSA

from lookup.errors import QueryError
from lookup.text.bare import unaccented
from lookup.text.scripts import WORD, unspaced
from lookup.text.words import STOP_WORDS, slips

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


_SHORTEST = 3
"""Letters that a keyword needs before words that contain it are taken: "of" is part of too many."""

_SHORTEST_PART = 3  # Letters of a word that a keyword may contain...
_PART = 0.5  # ...and their least share of the keyword's: "synthesis" in "photosynthesis", not "photo".


def near_words(word: str, vocabulary: Collection[str]) -> list[tuple[str, float]]:
    """Return the words of `vocabulary` that may be meant by `word`, with their likeness: 1.0 for itself.

    Stop words are left out.
    """
    least, size = least_part(word), len(word)
    found = {
        other: min(size, len(other)) / max(size, len(other))
        for other in vocabulary
        if (
            other in word and len(other) >= least
            if len(other) < size
            else size >= _SHORTEST and word in other
        )
    }
    # Two letters swapped are one slip (optimal string alignment).
    slipped = process.extract(word, vocabulary, scorer=OSA.distance, score_cutoff=slips(word), limit=None)
    for other, distance, _ in slipped:
        if distance == 0 or slips(other):
            found.setdefault(other, 1 - distance / max(len(word), len(other)))
    meant = (one for one in found.items() if one[0] not in STOP_WORDS or one[0] == word)
    return sorted(meant, key=lambda one: (-one[1], one[0]))


def least_part(word: str) -> int:
    """Return the fewest letters of a word that counts as contained in `word`."""
    return max(_SHORTEST_PART, -int(-len(word) * _PART // 1))


def pieces(word: str) -> Sequence[str]:
    """Return parts of `word`: each word that may be meant by it holds at least one of them.

    A part of `word` of n letters holds one of its blocks of (n + 1) / 2 whole, and slips leave one block
    intact where there are more blocks than slips (the pigeonhole principle); two letters swapped over the
    border of two blocks are two slips here.
    """
    size = min((least_part(word) + 1) // 2, len(word) // (slips(word) + 1))
    if len(word) <= _SHORTEST_PART or not size:
        return [word]
    return list(dict.fromkeys(word[at : at + size] for at in range(0, len(word) - size + 1, size)))
