"""The blocks of Markdown: paragraphs, block quotes, list items, and the callouts of Obsidian."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pagequote.check.latex_units import names
from pagequote.check.running_text import RunningText

_BLOCKS = MarkdownIt("commonmark").enable("table").disable("inline")
_NOTE = re.compile(r"(?m:^ {0,3}\[\^[^\[\]\s]++\]:)")
CALLOUT = re.compile(
    r"(?m:^[ \t]*>[ \t]*)(?:\[!(?P<kind>[\w-]+)(?:\|[^\[\]]*)?\][+-]?"
    r"|\*\*(?:Note|Tip|Important|Warning|Caution)\*\*(?=[ \t]*\r?$))[ \t]*+(?P<title>[^\r\n]*)",
    re.MULTILINE,
)
QUOTES_BY_NAME = re.compile(r"(?:block|pull)?-?quote|epigraph|dictum", re.IGNORECASE)
OF_ITS_OWN = re.compile(
    r"(?<![a-z<])(?:caption|col|panel|content|layout|fig|tbl|table|refs|increment|cell|theorem|lemma|proof|thm|def|exm|exr|cor"
    r"|prp|solution|example|abstract|ack|hidden|visible|tab)",
    re.IGNORECASE,
)
"""Divs, callouts and directives that hold the writer's own words."""

_DIRECTIVE = re.compile(r"\{(?P<name>=?[A-Za-z][\w:-]*+)\}|(?P<quotes>quote|blockquote)\b")
"""What a fence has behind it that is a directive of MyST, raw for another format, or quotes."""

_QUOTING_CALLOUTS = frozenset({"quote", "cite", "citation", "pdf", "excerpt", "highlight", "annotation"})
"""Callouts of Obsidian and its plugins that quote; others ("note", "warning") are the writer's own words."""


def contain_named(flow: RunningText, begins: int, form: str, *, beside: bool = False) -> None:
    """Quote the characters from `begins` on if the name of their form says so; one that is not known may."""
    known = QUOTES_BY_NAME.search(form) is not None
    if known or not OF_ITS_OWN.search(form):
        flow.contain(begins, form, known=known, beside=beside and not known)


def blocks(text: str, starts: Sequence[int]) -> Iterator[tuple[str, str, int, int]]:
    """Yield paragraphs and headings ("text") and titles of callouts ("title"), each with its form and lines.

    What holds others "opens" and "closes": a "list item", a "block quote", or a callout of which nobody knows
    whether it quotes, "[!name]". Of a callout that quotes and holds a block quote, that is the inner one.
    Lines are the first and the one after the last.
    """
    forms: list[str] = []
    titled: str | None = None
    tokens = _BLOCKS.parse(_NOTE.sub(lambda note: f"{note[0][:-1]} ", text))  # "[^1]: @key" is no address
    for at, token in enumerate(tokens):
        if token.type == "blockquote_open" and token.map:
            callout = CALLOUT.match(text, starts[token.map[0]]) if not forms else None
            form = _form(callout, tokens, at) if callout or not forms else "block quote"
            forms.append(form if not any(forms) else "")
            titled = form if callout else None
            if forms[-1] and (not callout or form != "block quote"):
                yield "opens", form, 0, 0
        elif token.type == "blockquote_close":
            if form := forms.pop():
                yield "closes", form, 0, 0
        elif token.type in ("fence", "html_block") and token.map:
            yield from _raw(token, *token.map)
        elif token.type == "inline" and token.map:
            yield from _text(*token.map, titled=titled)
            titled = None
        elif token.type in ("list_item_open", "list_item_close"):
            yield "opens" if token.nesting > 0 else "closes", "list item", 0, 0


def _raw(token: Token, first: int, last: int) -> Iterator[tuple[str, str, int, int]]:
    """Yield the text of a block of HTML, of a directive of MyST, or what is raw for another format."""
    directive = _DIRECTIVE.match(token.info.strip())
    form = directive[directive.lastgroup or 0] if directive else ""
    form = "block quote" if QUOTES_BY_NAME.match(form) or form == "highlights" else form
    if token.type == "html_block":
        yield "text", "", first, last
    elif form and form not in names("rest")["code"]:
        yield "opens", form, 0, 0
        yield "text", "", first + 1, last - 1
        yield "closes", form, 0, 0


def _text(first: int, last: int, *, titled: str | None) -> Iterator[tuple[str, str, int, int]]:
    """Yield a paragraph, the first line of which is the title of a callout if that is `titled`."""
    if titled is not None:
        yield "title", "", first, first + 1
        first += 1
        if titled == "block quote":
            yield "opens", titled, 0, 0
    if first < last:
        yield "text", "", first, last


def _form(callout: re.Match[str] | None, tokens: Sequence[Token], at: int) -> str:
    """Return the form of a block quote that begins at `at`; '' where it quotes nothing itself."""
    if callout is None:
        return "block quote"
    name = (callout["kind"] or "note").lower()
    if name in _QUOTING_CALLOUTS or QUOTES_BY_NAME.search(name):
        within = next(one for one in tokens[at + 1 :] if one.type.startswith("blockquote"))
        return "" if within.nesting > 0 else "block quote"
    return "" if OF_ITS_OWN.match(name) else f"[!{name}]"
