"""The blocks of Markdown: paragraphs, block quotes, list items, and the callouts of Obsidian."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

_BLOCKS = MarkdownIt("commonmark").enable("table").disable("inline")
_NOTE = re.compile(r"(?m:^ {0,3}\[\^[^\[\]\s]++\]:)")
CALLOUT = re.compile(
    r"(?m:^[ \t]*>[ \t]*)(?:\[!(?P<kind>[\w-]+)(?:\|[^\[\]]*)?\][+-]?"
    r"|\*\*(?:Note|Tip|Important|Warning|Caution)\*\*(?=[ \t]*\r?$))[ \t]*+(?P<title>[^\r\n]*)",
    re.MULTILINE,
)
_QUOTING_FENCE = re.compile(r"\s*\{?(?:epigraph|pull-quote|quote|blockquote|highlights)\b")
"""Directives of MyST, and fences, that quote."""

_QUOTING_CALLOUTS = frozenset({"quote", "cite", "citation", "pdf", "excerpt", "highlight", "annotation"})
"""Callouts of Obsidian and its plugins that quote; others ("note", "warning") are the writer's own words."""


def blocks(text: str, starts: Sequence[int]) -> Iterator[tuple[str, int, int]]:
    """Yield paragraphs and headings ("text"), titles of callouts ("title"), begins and ends of list items.

    Block quotes begin at "quote" and end at "end": of a callout that holds one, the inner one; of other
    callouts than those that quote, none. Numbers are the first line and the one after the last.
    """
    depth = counts = 0
    titled = False
    tokens = _BLOCKS.parse(_NOTE.sub(lambda note: f"{note[0][:-1]} ", text))  # "[^1]: @key" is no address
    for at, token in enumerate(tokens):
        if token.type == "blockquote_open" and token.map:
            depth += 1
            if depth == 1:
                callout = CALLOUT.match(text, starts[token.map[0]])
                titled, counts = callout is not None, _quoting_depth(callout, tokens, at)
            if depth == counts and not titled:
                yield "quote", 0, 0
        elif token.type == "blockquote_close":
            if depth == counts:
                yield "end", 0, 0
            depth -= 1
        elif token.type in ("fence", "html_block") and token.map:
            yield from _raw(token, *token.map)
        elif token.type == "inline" and token.map:
            yield from _text(*token.map, titled=titled, quotes=depth == counts)
            titled = False
        elif token.type in ("list_item_open", "list_item_close"):
            yield token.type, 0, 0


def _raw(token: Token, first: int, last: int) -> Iterator[tuple[str, int, int]]:
    """Yield the text of a block of HTML, or of a directive of MyST that quotes."""
    if token.type == "html_block":
        yield "text", first, last
    elif _QUOTING_FENCE.match(token.info):
        yield "quote", 0, 0
        yield "text", first + 1, last - 1
        yield "end", 0, 0


def _text(first: int, last: int, *, titled: bool, quotes: bool) -> Iterator[tuple[str, int, int]]:
    if titled:
        yield "title", first, first + 1
        first += 1
        if quotes:
            yield "quote", 0, 0
    if first < last:
        yield "text", first, last


def _quoting_depth(callout: re.Match[str] | None, tokens: Sequence[Token], at: int) -> int:
    """Return how deep in block quotes the quoted words are; 0 if the callout quotes nothing."""
    if callout is None:
        return 1
    if (callout["kind"] or "").lower() not in _QUOTING_CALLOUTS:
        return 0
    return 2 if _holds_quote(tokens, at) else 1


def _holds_quote(tokens: Sequence[Token], at: int) -> bool:
    """Return whether the block quote that begins at `at` has another one within."""
    for token in tokens[at + 1 :]:
        if token.type in ("blockquote_open", "blockquote_close"):
            return token.type == "blockquote_open"
    return False
