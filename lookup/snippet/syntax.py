"""Find blocks of code by tree-sitter, if the wheel of the language is installed (the extra `code`)."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_LEADING = ("comment", "attribute", "decorator", "annotation")
"""Parts of the names of nodes that belong to the definition below them: line_comment, attribute_item, ..."""


def block_spans(text: str, start: int, end: int, limit: int, language: str) -> list[tuple[int, int]] | None:
    """Return the spans of whole blocks, with the decorators and comments above them.

    They ascend and hold all nodes of the syntax tree. A span is longer than `limit` only where it cannot be
    divided. None if the grammar of the language is not installed.
    """
    grammar = _grammar(language)
    if grammar is None:
        return None
    from tree_sitter import Parser  # noqa: PLC0415  # loaded with the first code

    source = text[start:end].encode("utf-8", "surrogatepass")
    found = _blocks(Parser(grammar).parse(source).root_node, limit)
    if len(source) == end - start:
        return [(start + a, start + z) for a, z in found]
    places = _characters(source, sorted({at for span in found for at in span}))
    return [(start + places[a], start + places[z]) for a, z in found]


@cache
def _grammar(language: str) -> "Language | None":
    module, function = f"tree_sitter_{language}", "language"
    if language == "typescript":
        function = "language_typescript"
    try:
        from tree_sitter import Language  # noqa: PLC0415

        return Language(getattr(import_module(module), function)())
    except ImportError:
        return None


def _blocks(node: "Node", limit: int) -> list[tuple[int, int]]:
    """Return the bytes of the children: joined if on one line or leading to the next, long ones in parts."""
    spans: list[tuple[int, int]] = []
    last_row, leading = -1, False
    for child in node.children:
        too_long = child.end_byte - child.start_byte > limit and child.child_count > 0
        inner = _blocks(child, limit) if too_long else [(child.start_byte, child.end_byte)]
        if (
            spans
            and inner
            and (child.start_point.row == last_row or (leading and child.start_point.row <= last_row + 1))
        ):
            joined = (spans[-1][0], inner[0][1])
            if joined[1] - joined[0] <= limit:
                spans[-1] = joined
                del inner[0]
        spans += inner
        last_row = child.end_point.row
        leading = any(part in child.type for part in _LEADING)
    return spans


def _characters(source: bytes, offsets: list[int]) -> dict[int, int]:
    """Return the number of the character at each of the ascending byte offsets."""
    places: dict[int, int] = {}
    at = characters = 0
    for offset in offsets:
        characters += len(source[at:offset].decode("utf-8", "surrogatepass"))
        places[offset] = characters
        at = offset
    return places
