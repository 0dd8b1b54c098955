"""The forms that answers share: as JSON, by `print`, in notebooks; the sentence around a quote, marked."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar, cast

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


class AsDict:
    """A frozen dataclass that can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(cast("Any", self))))
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict` as JSON; text stays readable, and what could act on a terminal is escaped."""
        from lookup.text.printable import json_text  # with its first use  # noqa: PLC0415

        return json_text(self.to_dict(), indent)


class Shown(AsDict):
    """A place that `print` shows as text and a notebook as HTML; its `repr` stays short."""

    @property
    def place(self) -> ShownPlace:
        """The place as it is shown."""
        raise NotImplementedError

    def _shown(self) -> tuple[list[ShownPlace], list[str]]:
        """Return the places that are shown, and notes that stand below them."""
        return [self.place], []

    def __str__(self) -> str:
        from lookup.results.plain_text import places_text  # with its first use  # noqa: PLC0415

        return places_text(*self._shown())

    def _repr_html_(self) -> str:
        from lookup.results.plain_text import places_html  # only notebooks need it  # noqa: PLC0415

        return places_html(*self._shown())


T = TypeVar("T", bound=Shown)


class Places(Shown, Generic[T]):
    """An answer of places, best first: it iterates over them, has a length, and is true if there are any."""

    hint: str
    _field = "matches"  # That with the places.

    @property
    def _places(self) -> tuple[T, ...]:
        found: tuple[T, ...] = getattr(self, self._field)
        return found

    def _shown(self) -> tuple[list[ShownPlace], list[str]]:
        return [one.place for one in self._places], [self.hint]

    def __bool__(self) -> bool:
        return bool(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[T]:
        return iter(self._places)

    def __getitem__(self, number: int) -> T:
        return self._places[number]


OPENS, CLOSES = "{+", "+}"
"""Between these stands what is printed and not quoted, as in a word diff."""


def around(text: str, quoted: tuple[int, int], omitted: Sequence[tuple[int, int]]) -> str:
    """Return printed sentences with what is not `quoted` of them marked; '' where they are quoted whole.

    `omitted` are the spans that the quote leaves out, in order.
    """
    start, end = quoted
    bounds = [0, start, *(at for span in omitted for at in span if start <= at <= end), end, len(text)]
    pieces = [text[first:last] for first, last in pairwise(bounds)]
    if not any(map(_says_something, pieces[::2])):
        return ""
    for at, piece in enumerate(pieces):
        words = piece.strip()
        if at % 2 == 0 and _says_something(words):
            pieces[at] = piece.replace(words, f"{OPENS}{words}{CLOSES}", 1)
    return "".join(pieces)


def cuts(marked: str) -> Iterator[str]:
    """Yield in words where the quote begins and ends, if that is within the sentence of `around`."""
    if marked.startswith(OPENS):
        yield "begins within a sentence"
    if marked.endswith(CLOSES):
        yield "ends within one" if marked.startswith(OPENS) else "ends within a sentence"


def _says_something(piece: str) -> bool:
    return any(map(str.isalnum, piece))
