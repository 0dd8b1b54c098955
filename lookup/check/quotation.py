"""What a manuscript quotes: the words as they would be printed, and where each of them stands in the source."""

from dataclasses import dataclass, replace
from typing import Literal

from lookup.check.locators import Locator

Counting = Literal["printed", "physical"]
"""How a page is given: by the number printed on it, or counted from the first of the PDF."""


@dataclass(frozen=True)
class MappedText:
    """Plain text, and for each of its characters the stretch of the source that it is made from."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def cut(self, start: int, end: int) -> "MappedText":
        """Return the characters from `start` to `end`, without the spaces at either end."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        end = start + len(text.strip())
        return MappedText(self.text[start:end], self.spans[start:end])


@dataclass(frozen=True)
class Citation:
    """Keys that are cited together, the pages given for them, and where that stands in the source.

    `textual` is one that is read as a part of its sentence ("Okafor (2021) says ..."), so that it may begin one. In `each`, keys have
    pages of their own.
    """

    keys: tuple[str, ...]
    locator: Locator | None
    start: int
    end: int
    textual: bool = False
    each: tuple[tuple[str, Locator | None], ...] = ()


@dataclass(frozen=True)
class Quotation:
    """Words that are quoted from one of `keys`.

    `start` and `end` are where words and marks stand in the source; `form` is the macro, environment or mark that makes the
    quotation; `counting` is how such a form gives pages where nothing else tells. `each` is that of the citation.
    """

    words: MappedText
    keys: tuple[str, ...]
    locator: Locator | None
    start: int
    end: int
    form: str
    counting: Counting = "printed"
    each: tuple[tuple[str, Locator | None], ...] = ()

    def by(self, key: str) -> "Quotation":
        """Return the same, with the pages that are given for this key."""
        return replace(self, locator=dict(self.each).get(key, self.locator))
