"""How answers are shown: as JSON, how a place in a paper is named, and which of its words are marked."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, cast

from lookup.text.printable import json_text


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
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


class AsDict:
    """A frozen dataclass that can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(cast("Any", self))))
        return fields


class AsJson(AsDict):
    """The same, for an answer that is often written by itself."""

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict` as JSON; text stays readable, and what could act on a terminal is escaped."""
        return json_text(self.to_dict(), indent)
