"""The verdicts on words, and what differs between them and the print."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["verbatim", "abridged", "near", "related"]
PRINTED: tuple[Verdict, ...] = ("verbatim", "abridged")
"""Verdicts on words that are printed: whole, or with what the writer left out and put in marked as such."""


@dataclass(frozen=True)
class Difference:
    """A place where the words of the query and the printed words differ.

    `asked` or `printed` is '' if that side has nothing.
    """

    kind: str
    asked: str
    printed: str


Differences = Iterator[Difference]  # What a check finds: nothing where it holds.
