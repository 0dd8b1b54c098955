"""Where a string stands in a text."""

from collections.abc import Iterator


def occurrences(text: str, part: str) -> Iterator[int]:
    """Yield the offsets at which `part` stands in `text`, ascending; occurrences may overlap."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)
