"""A place in a paper, in folded offsets."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Stretch:
    """The words from one place of a paper to another.

    A place is a paragraph (its index) and an offset in its folded text.
    """

    first: int
    start: int
    last: int
    end: int
