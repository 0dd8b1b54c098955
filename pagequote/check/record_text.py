"""Values of structured files with their places: JSON, JSON lines, YAML, TSV and CSV.

A file becomes a tree of scalars, lists and objects; a scalar knows where its text stands in the source.
"""

import re
from collections.abc import Iterator
from json import JSONDecoder
from typing import Any, NamedTuple

from pipeline.files.expansion import Expansion


class Scalar(NamedTuple):
    """A value as text, and where it begins and ends in the source."""

    text: str
    start: int
    end: int


Value = Scalar | list["Value"] | dict[str, "Value"]

_DEEPEST = 100
"""Lists and objects within one another that are read."""

_DECODER = JSONDecoder(object_pairs_hook=tuple)
_SPACE = re.compile(r"[ \t\r\n\ufeff]*+")
_SCALAR = re.compile(r'"(?>(?:[^"\\]|\\.)*)"|[^\s,\[\]{}:"\ufeff]++', re.DOTALL)


def read_json(source: str) -> Value:
    """Return the value of a JSON text. Raise ValueError."""
    values = read_json_lines(source)
    if len(values) != 1:
        raise ValueError("there is more after its end" if values else "there is nothing in it")
    return values[0]


def read_json_lines(source: str) -> list[Value]:
    """Return the values of lines of JSON. Raise ValueError.

    The decoder tells what they are; names and scalars follow one another in them as they do in the source.
    """
    places = _SCALAR.finditer(source)
    values: list[Value] = []
    at = _after_space(source, 0)
    while at < len(source):
        value, end = _DECODER.raw_decode(source, at)
        values.append(_placed(value, places, 0))
        at = _after_space(source, end)
        if at == end < len(source):
            raise ValueError(f"nothing parts two values at character {at}")
    return values


def _after_space(source: str, at: int) -> int:
    space = _SPACE.match(source, at)
    return space.end() if space else at


def _placed(value: Any, places: Iterator[re.Match[str]], depth: int) -> Value:
    """Return a decoded value, an object of which is a tuple of pairs, with its places. Raise ValueError."""
    if depth > _DEEPEST:
        raise ValueError("its lists and objects are nested too deeply")
    if isinstance(value, tuple):
        return {name: _placed(one, places, depth + 1) for name, one in value if next(places)}
    if isinstance(value, list):
        return [_placed(one, places, depth + 1) for one in value]
    place = next(places)
    if isinstance(value, str):
        return Scalar(value, place.start() + 1, place.end() - 1)
    return Scalar("" if value is None else place[0], *place.span())


def read_yaml(source: str) -> Value:
    """Return the values of a YAML text, of several documents a list. Raise ValueError."""
    import yaml  # type: ignore[import-untyped]  # noqa: PLC0415  # the hook for Git's commits may be without

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
    if node.id == "mapping":
        return {str(key.value): _of_node(value, depth + 1, room) for key, value in node.value}
    if node.id == "sequence":
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
