"""The forms that answers share: as JSON, by `print`, in notebooks."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Generic, TypeVar, cast

from lookup.results.showing import ShownPlace

T = TypeVar("T")


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
        from lookup.text.printable import json_text  # with its first use  # noqa: PLC0415

        return json_text(self.to_dict(), indent)


class Places(AsJson, Generic[T]):
    """An answer of places, best first: it iterates over them, has a length, and is true if there are any."""

    @property
    def _places(self) -> tuple[T, ...]:
        raise NotImplementedError

    def __bool__(self) -> bool:
        return bool(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[T]:
        return iter(self._places)

    def __getitem__(self, number: int) -> T:
        return self._places[number]


class Shown:
    """An answer that `print` shows as text and a notebook as HTML; its `repr` stays short."""

    def _shown(self) -> tuple[list[ShownPlace], list[str]]:
        """Return the places of the answer, and notes that stand below them."""
        raise NotImplementedError

    def __str__(self) -> str:
        from lookup.results.plain_text import places_text  # with its first use  # noqa: PLC0415

        return places_text(*self._shown())

    def _repr_html_(self) -> str:
        from lookup.results.html import places_html  # only notebooks need it  # noqa: PLC0415

        return places_html(*self._shown())
