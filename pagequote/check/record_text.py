"""Values of structured files with their places: JSON, JSON lines, YAML, TSV and CSV.

A file becomes a tree of scalars, lists and objects; a scalar knows where its text stands in the source.
"""

import re
from collections.abc import Callable, Iterator
from json import JSONDecoder
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]  # its stubs are a package of their own

from lookup.text.expansion import Expansion


class Scalar(NamedTuple):
    """A value as text, and where it begins and ends in the source."""

    text: str
    start: int
    end: int


Value = Scalar | list["Value"] | dict[str, "Value"]

_DEEPEST = 100
"""Lists and objects within one another that are read."""

_DECODER = JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n\ufeff]*+")
_BARE = re.compile(r"[^\s,\[\]{}:\"]++")


class _Json:
    """A reader of JSON that keeps the places of what it reads; `at` is how far it is."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self._skip()

    @property
    def ended(self) -> bool:
        return self.at >= len(self.source)

    def value(self, depth: int = 0) -> Value:
        """Return the value that begins here. Raise ValueError."""
        if depth > _DEEPEST:
            raise ValueError("its lists and objects are nested too deeply")
        start = self.at
        if self._take("{"):
            return dict(self._items("}", lambda: (self._key(), self.value(depth + 1))))
        if self._take("["):
            return list(self._items("]", lambda: self.value(depth + 1)))
        if self.source.startswith('"', start):
            return self._string()
        bare = _BARE.match(self.source, start)
        if bare is None:
            raise ValueError(f"character {start} begins no value")
        self.at = bare.end()
        self._skip()
        return Scalar("" if bare[0] == "null" else bare[0], *bare.span())

    def _string(self) -> Scalar:
        start = self.at
        text, self.at = _DECODER.raw_decode(self.source, start)
        end = self.at
        self._skip()
        return Scalar(text, start + 1, end - 1)

    def _key(self) -> str:
        if not self.source.startswith('"', self.at):
            raise ValueError(f"character {self.at} begins no name in quotation marks")
        name = self._string().text
        if not self._take(":"):
            raise ValueError(f"no colon stands after the name {name!r}")
        return name

    def _items(self, closing: str, one: Callable[[], Any]) -> Iterator[Any]:
        if self._take(closing):
            return
        yield one()
        while self._take(","):
            yield one()
        if not self._take(closing):
            raise ValueError(f"a {closing!r} is missing at character {self.at}")

    def _take(self, char: str) -> bool:
        if not self.source.startswith(char, self.at):
            return False
        self.at += 1
        self._skip()
        return True

    def _skip(self) -> None:
        space = _SPACE.match(self.source, self.at)
        self.at = space.end() if space else self.at


def read_json(source: str) -> Value:
    """Return the value of a JSON text. Raise ValueError."""
    reader = _Json(source)
    value = reader.value()
    if not reader.ended:
        raise ValueError(f"there is more after its end, at character {reader.at}")
    return value


def read_json_lines(source: str) -> Value:
    """Return the values of lines of JSON. Raise ValueError."""
    reader = _Json(source)
    rows: list[Value] = []
    while not reader.ended:
        rows.append(reader.value())
    return rows


def read_yaml(source: str) -> Value:
    """Return the values of a YAML text, of several documents a list. Raise ValueError."""
    try:
        roots = list(yaml.compose_all(source, Loader=yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    room = Expansion(len(source))
    values = [_of_node(root, 0, room) for root in roots if root is not None]
    return values[0] if len(values) == 1 else values


def _of_node(node: Any, depth: int, room: Expansion) -> Value:
    """Return the value of a node, which an alias may name many times. Raise ValueError."""
    if depth > _DEEPEST:
        raise ValueError("its lists and mappings are nested too deeply")
    if not room.takes(1 + len(node.value)):
        raise ValueError(room.full)
    if isinstance(node, yaml.MappingNode):
        return {str(key.value): _of_node(value, depth + 1, room) for key, value in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [_of_node(one, depth + 1, room) for one in node.value]
    return Scalar(str(node.value), node.start_mark.index, node.end_mark.index)


def read_table(source: str) -> Value:
    """Return the rows below the head of a TSV or CSV text, each by the names of its columns.

    What parts the columns is what stands most often in the first line, outside of quotation marks.
    """
    head = re.sub(r'"[^"]*+"', "", source.lstrip("\ufeff").partition("\n")[0])
    delimiter = max(",;\t", key=head.count)
    names: list[str] = []
    rows: list[Value] = []
    for cells in _cells(source, delimiter):
        if not names:
            names = [cell.text.strip().removeprefix("\ufeff") for cell in cells]
        elif any(cell.text for cell in cells):
            rows.append(dict(zip(names, cells, strict=False)))
    return rows


def _cells(source: str, delimiter: str) -> Iterator[list[Scalar]]:
    plain = re.compile(rf"[^{re.escape(delimiter)}\r\n]*+")
    quoted = re.compile(r'"((?>(?:[^"]|"")*))"')
    at, row = 0, list[Scalar]()
    while at < len(source):
        cell = quoted.match(source, at)
        if cell is not None:
            row.append(Scalar(cell[1].replace('""', '"'), *cell.span(1)))
            at = cell.end()
        elif cell := plain.match(source, at):
            row.append(Scalar(cell[0], *cell.span()))
            at = cell.end()
        if source.startswith(delimiter, at):
            at += 1
            continue
        yield row
        row = []
        at += 2 if source.startswith("\r\n", at) else 1
    if row:
        yield row
