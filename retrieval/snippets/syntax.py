"""Find blocks of code by tree-sitter, if the wheel of the language is installed (the extra `pipeline`)."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from retrieval.snippets.blocks import Block

if TYPE_CHECKING:
    from tree_sitter import Language, Node

_LEADING = ("comment", "attribute", "decorator", "annotation")
"""Parts of the names of nodes that belong to the definition below them: line_comment, attribute_item, ..."""


def block_spans(text: str, start: int, end: int, limit: int, language: str) -> list[Block] | None:
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
        return [Block(start + a, start + z, whole, of) for a, z, whole, of in found]
    places = _characters(source, sorted({at for block in found for at in (block.start, block.end)}))
    return [Block(start + places[a], start + places[z], whole, of) for a, z, whole, of in found]


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


def _blocks(node: "Node", limit: int, of: int = -1) -> list[Block]:
    """Return the bytes of the children: joined if on one line or leading to the next, long ones in parts."""
    spans: list[Block] = []
    last_row, leading = -1, False
    for child in node.children:
        too_long = child.end_byte - child.start_byte > limit and child.child_count > 0
        # A lone bracket of another width is an error or a name to some grammars.
        broken = child.has_error or child.is_error or child.type == "identifier"
        whole = child.is_named and not broken
        defines = child.child_by_field_name("name") is not None
        inner = (
            _blocks(child, limit, child.start_byte if defines else of)
            if too_long
            else [Block(child.start_byte, child.end_byte, whole, of)]
        )
        if (
            spans
            and inner
            and (child.start_point.row == last_row or (leading and child.start_point.row <= last_row + 1))
        ):
            joined = Block(spans[-1].start, inner[0].end, spans[-1].whole and inner[0].whole, of)
            if joined.end - joined.start <= limit:
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
