"""Which section each paragraph stands in."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_OUTSIDE = ("title", "front")
_NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,4}|[A-Z](?:\.\d{1,2})?)\.?\s+\S")


@dataclass(frozen=True)
class Section:
    """A section by its heading: the number printed before it (without a final stop), and the whole heading as printed.

    Both are None before the first heading. `place` counts the headings: an abstract and a paper may both have "Results".
    """

    place: int
    number: str | None
    title: str | None


def sections(paragraphs: Iterable[tuple[str, str]]) -> list[Section]:
    """The section of each of a document's paragraphs, given as kind and text; a heading stands under itself."""
    out: list[Section] = []
    current = nowhere = Section(0, None, None)
    for kind, text in paragraphs:
        if kind == "heading":
            match = _NUMBER.match(text)
            current = Section(current.place + 1, match[1] if match else None, text)
        out.append(nowhere if kind in _OUTSIDE else current)
    return out
