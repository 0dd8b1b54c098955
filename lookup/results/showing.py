"""How a place in a paper is shown: how it is named, and which of its words are marked."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

SHOWN = 20  # Places or rows that `print` and a notebook show, at most.


class ShownPlace(NamedTuple):
    """A place in a paper as it is shown: its name, a text with marked `spans`, its verdict, notes on it."""

    head: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()
    verdict: str | None = None


def whereabouts(
    key: str | None, page: int | None, page_label: str | None, *more: str | None, anchor: str | None = None
) -> str:
    """Return a place as "feng2022, page 6 (printed 1650), Results", without what is unknown.

    What no page prints is at its anchor in the markup: "feng2022, at #s2/3, Results".
    """
    shown = (f"page {page}" + (f" (printed {page_label})" if page_label else "")) if page else None
    if not page and anchor:
        shown = f"at #{anchor}"
    return ", ".join(filter(None, (key, shown, *more)))


def marked_pieces(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """Yield the text in pieces, and whether each is marked; of sorted spans that overlap, the first is."""
    at = 0
    for start, end in spans:
        if start >= at:
            yield text[at:start], False
            yield text[start:end], True
            at = end
    yield text[at:], False


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: "1 paper", "2 papers"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def short(text: str, most: int = 60) -> str:
    """Return the first characters of `text`, `most` at most, on one line."""
    return cut(" ".join(text.split()), most)


def cut(text: str, most: int) -> str:
    """Return `text`, or its first characters and "…": `most` at most."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
