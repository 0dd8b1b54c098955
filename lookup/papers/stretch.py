"""A place in a paper, in folded offsets."""

from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Stretch:
    """The words between two places of a paper: the first and the last paragraph (indices), and offsets in the folded text of each."""

    first: int
    start: int
    last: int
    end: int
