"""Quotations of Markdown as Pandoc, Quarto and R Markdown read it, with the exact place of every character.

markdown-it-py tells the blocks: what is a paragraph, a block quote or code. It gives lines for them and no
places within a line, so that emphasis, escapes, code spans and citations are read here.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator

from markdown_it import MarkdownIt

from pagequote.check.latex import read_math
from pagequote.check.locators import parse_locator
from pagequote.check.quotation import Citation, Quotation
from pagequote.check.running_text import Quoted, RunningText, quotations
from pagequote.check.superscript_text import as_superscripts


def read_markdown(source: str) -> tuple[list[Quotation], list[str]]:
    """Return the quotations of a Markdown source, and the files that it includes."""
    flow = RunningText()
    text = _blanked(source)
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text)), len(text)]
    quote: int | None = None
    for kind, first, last in _blocks(text):
        if kind == "text":
            for line in range(first, last):
                _read_line(flow, source, text, starts[line], starts[line + 1])
            end = starts[min(last, len(starts) - 1)]
            flow.add("\n\n", end, end)
        elif kind == "quote":
            quote = len(flow.chars)
        elif quote is not None:
            if len(flow.chars) > quote:
                flow.quoted.append(Quoted(quote, len(flow.chars), "block quote", block=True))
            quote = None
    flow.files += [match["path"].strip("\"'") for match in _INCLUDE.finditer(text)]
    return quotations(flow, straight=True), flow.files


_INCLUDE = re.compile(r"\{\{<\s*include\s+(?P<path>\S+?)\s*>\}\}")
_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_NOT_A_BREAK = re.compile(r"[^\r\n]")


def _blanked(source: str) -> str:
    """Return the source with spaces in place of its front matter and comments."""
    front = _FRONT.match(source)
    text = source if front is None else _NOT_A_BREAK.sub(" ", front[0]) + source[front.end() :]
    kept, done = [], 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept += [text[done:start], _NOT_A_BREAK.sub(" ", text[start : end + 3])]
        done = end + 3
    return "".join([*kept, text[done:]])


_BLOCKS = MarkdownIt("commonmark").enable("table").disable("inline")


def _blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield paragraphs and headings ("text"), and where block quotes begin ("quote") and end ("end")."""
    depth = 0
    for token in _BLOCKS.parse(text):
        if token.type == "blockquote_open":
            depth += 1
            if depth == 1:
                yield "quote", 0, 0
        elif token.type == "blockquote_close":
            depth -= 1
            if depth == 0:
                yield "end", 0, 0
        elif token.type == "inline" and token.map:
            yield "text", token.map[0], token.map[1]


_PREFIX = re.compile(r"[ \t]*+(?:>[ \t]?)*+[ \t]*+")
_KEY = r"(?:\{(?P<braced>[^}\s]+)\}|(?P<plain>\w+(?:[:.#$%&\-+?<>~/]+\w+)*))"
_TICKS = re.compile(r"`++")
_CITED = re.compile(rf"-?@{_KEY}")
# What has a beginning and an end excludes its own beginning: a line of beginnings is read in linear time.
_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<ticks>`++)"
    r"|(?P<math>\$(?=\S)(?P<formula>[^$\r\n]++)(?<!\s)\$(?!\d))"
    r"|(?P<group>\[[^\[\]@]*+@[^\[\]]++\])"
    rf"|(?P<bare>(?<![\w@])-?@{_KEY}(?:[ \t]*(?P<note>\[[^\[\]@]*\])|(?P<comma>,\s*pp?\.[^;\]\r\n]*))?)"
    r"|(?P<image>!\[[^\[\]]*+\]\([^)\[\]]*+\))"
    r"|(?P<target>(?<=\])\([^)\s\[\]]*+(?:\s++\"[^\"]*+\")?\))"
    r"|(?P<reference>\[\^[^\[\]]++\])"
    r"|(?P<tag></?[A-Za-z][^<>]*+>)"
    r"|(?P<super>\^(?P<up>[^\s^]++)\^)"
    r"|(?P<sub>(?<!~)~(?P<down>[^\s~]++)~(?!~))"
    r"|(?P<dash>(?<!-)-{2,3}(?!-))"
    r"|(?P<dots>\.\.\.)"
    r"|(?P<inline>\^\[)"
    r"|(?P<strong>\*+|~~|(?<![^\W_])_+|_+(?![^\W_]))"
)


def _read_line(flow: RunningText, source: str, text: str, start: int, end: int) -> None:
    prefix = _PREFIX.match(text, start, end)
    at = prefix.end() if prefix else start
    ticks: defaultdict[int, list[int]] = defaultdict(list)
    for run in _TICKS.finditer(text, start, end):
        ticks[len(run[0])].append(run.start())
    while at < end:
        token = _TOKEN.search(text, at, end)
        flow.copy(text, at, token.start() if token else end)
        if token is None:
            return
        at = token.end()
        if token["ticks"]:
            same = ticks[at - token.start()]
            closing = bisect_right(same, token.start())
            if closing < len(same):
                at += same[closing] - token.start()  # a code span quotes nothing
            else:
                flow.copy(text, token.start(), at)
        else:
            _read_token(flow, source, token)


def _read_token(flow: RunningText, source: str, token: re.Match[str]) -> None:
    start, end = token.span()
    for kind in ("escape", "math", "group", "bare", "super", "sub", "dash", "dots"):
        if token[kind] is not None:
            break
    else:
        return
    if kind == "escape":
        # An escaped mark opens and closes nothing: the full-width one is the same when folded.
        flow.add("\uff02" if token[kind][1] == '"' else token[kind][1], start, end)
    elif kind == "math":
        read_math(flow, source, *token.span("formula"))
    elif kind == "group":
        _read_group(flow, source, start, end)
    elif kind == "bare":
        note = token.span("note") if token["note"] else token.span("comma")
        locator = parse_locator(source, note[0] + 1, note[1] - bool(token["note"])) if note[0] >= 0 else None
        flow.cite(Citation((token["braced"] or token["plain"],), locator, start, end, textual=True))
    elif kind in ("super", "sub"):
        inner = token.span("up" if kind == "super" else "down")
        begins = len(flow.chars)
        flow.copy(source, *inner)
        if kind == "super":
            flow.chars[begins:] = as_superscripts("".join(flow.chars[begins:]))
    else:
        flow.add({"dash": "–" if end - start == 2 else "—", "dots": "…"}[kind], start, end)


def _read_group(flow: RunningText, source: str, start: int, end: int) -> None:
    """Read `[see @key, pp. 6-7; @other]`: keys cited together share the pages of the first that has any."""
    keys: list[str] = []
    locator = None
    at = start + 1
    for part in source[start + 1 : end - 1].split(";"):
        cited = _CITED.search(source, at, at + len(part))
        if cited is not None:
            keys.append(cited["braced"] or cited["plain"])
            note = re.compile(r"[\s,{]*").match(source, cited.end(), at + len(part))
            begins = note.end() if note else cited.end()
            locator = locator or parse_locator(source, begins, at + len(part))
        at += len(part) + 1
    if keys:
        flow.cite(Citation(tuple(keys), locator, start, end))
