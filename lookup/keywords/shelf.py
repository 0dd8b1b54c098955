"""Where a search takes its texts from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from lookup.keywords.keywords import Keyword
from lookup.keywords.text import SearchText


class Pool(NamedTuple):
    """Texts to search, of so many paragraphs, and how many of these hold each keyword.

    The counts may be of more texts than are to be searched; None: count them.
    """

    texts: Sequence[SearchText]
    paragraphs: int
    held: Sequence[int] | None = None


class Shelf(Protocol):
    """Texts, one or very many, of which a search wants those that may answer it."""

    def pool(self, keywords: Sequence[Keyword], chars: int, wanted: int, *, together: bool) -> Pool:
        """The texts with the best stretches of `chars` characters, enough for `wanted` results; if `together`, with all keywords."""

    def vocabulary(self, words: Sequence[str]) -> Collection[str]:
        """The words that may be meant by `words`, and others."""


@dataclass(frozen=True)
class OneText:
    """A shelf with a single text."""

    text: SearchText

    def pool(self, keywords: Sequence[Keyword], chars: int, wanted: int, *, together: bool) -> Pool:
        """The text."""
        del keywords, chars, wanted, together
        return Pool((self.text,), len(self.text.borders))

    def vocabulary(self, words: Sequence[str]) -> Collection[str]:
        """All its words."""
        del words
        return self.text.vocabulary
