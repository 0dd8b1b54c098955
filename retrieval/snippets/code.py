"""Find the stretches of a text that are source code."""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from retrieval.raw_text.paragraphs import blank_line_ends
from retrieval.snippets.brackets import BRACKET, PARTNERS

_FENCE = re.compile(
    r"^(?P<fence>```++|~~~++)[^\n`]*+\n(?P<code>.*?)(?:^(?P=fence)[ \t]*+$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_LONGEST_LINE = 200  # Characters; a longer line counts as prose.

_CODE_LINE = re.compile(
    r".*[;{}]\s*\Z"
    r"|\s*(?:def|class|func|fn|function|struct|enum|impl|trait|interface|type|namespace|template|package|import|from|use|using|return"
    r"|pub|public|private|protected|static|const|let|var|export|async|if|elif|else|for|while|try|except|with|switch|case|match)\b"
    r".*[:{(\[,;)]\s*\Z"
    r"|\s*(?:import [\w.]+|from [\w.]+ import .+|package [\w.]+|use [\w:]+.*|return\b.*"
    r"|#include\b.*|#define\b.*|#\[.*\]|@[\w.]+(?:\(.*\))?)\s*\Z"
    r"|\s*[\w.\[\]\"'*&, ]+ (?:[-+*/|&%]|:)?= ?\S.*"
    r"|\s*[\w.:>-]+\(.*\)\s*\Z"
    r"|\s*[)\]}]+[,;]?\s*\Z"
)
_NEITHER = re.compile(r"\s*\Z|\s+\S|\s*(?://|#|/\*|\*|\"\"\"|''')")
"""Blank and indented lines and comments, which stand in code and in prose."""

LANGUAGES = ("python", "javascript", "typescript", "go", "java", "c", "cpp", "rust")
"""Languages that a caller may say the content is of."""


class Region(NamedTuple):
    """A stretch of a text that is code, or prose.

    `code` is the span of the code in a fenced block, None if all is code.
    """

    start: int
    end: int
    is_code: bool
    code: tuple[int, int] | None = None


def regions_of(text: str, language: str | None = None) -> list[Region]:
    """Return the stretches of code and prose, which cover `text`; with a `language` all of it is code."""
    if language is not None:
        return [Region(0, len(text), is_code=True)]
    regions = []
    at = 0
    for match in _FENCE.finditer(text) if "```" in text or "~~~" in text else ():
        regions += _unfenced(text, at, match.start())
        # A bracket in the line of the fence may pair with one of the code, which then cannot stand by itself.
        inner = None if BRACKET.search(text, match.start(), match.start("code")) else match.span("code")
        regions.append(Region(*match.span(), is_code=True, code=inner))
        at = match.end()
    return regions + _unfenced(text, at, len(text))


def _unfenced(text: str, start: int, end: int) -> list[Region]:
    """Return the stretch as one region of code or prose, or as paragraphs of code and the prose between."""
    if start == end:
        return []
    code, prose = _lines(text[start:end])
    if code < 2:
        return [Region(start, end, is_code=False)]
    if code > prose:
        return [Region(start, end, is_code=True)]
    regions: list[Region] = []
    for first, last in parts(start, blank_line_ends(text, start, end), end):
        code, prose = _lines(text[first:last])
        is_code = code >= 2 and code > prose
        if regions and regions[-1].is_code == is_code:
            regions[-1] = Region(regions[-1].start, last, is_code)
        else:
            regions.append(Region(first, last, is_code))
    return regions


def _lines(text: str) -> tuple[int, int]:
    """Return the number of lines of code, and of prose."""
    code = prose = 0
    for line in text.splitlines():
        if len(line) > _LONGEST_LINE:
            prose += 1
        elif _CODE_LINE.match(line):
            code += 1
        elif not _NEITHER.match(line):
            prose += 1
    return code, prose


def parts(start: int, borders: Iterable[int], end: int) -> list[tuple[int, int]]:
    """Return the stretch as spans that end at the borders, those that are not empty."""
    return [(a, z) for a, z in pairwise([start, *borders, end]) if a < z]


_LEADS = re.compile(
    r"\s*(?:@\w|#\[|#(?!include|define|if|endif|else|pragma)|//|/\*|\*|--|template\s*<.*>\s*\Z)"
)
_BESIDE_NAME = re.compile(r"<[^<>]*>|^\s*func \([^()]*\)")
"""Arguments of types, and what a method of Go belongs to."""

_HEAD_ENDS = re.compile(r"[(:={]")
_WORD = re.compile(r"\w+")
_DEFINES = frozenset(
    """
    def class func fn function struct enum impl trait interface type pub public private protected static const
    let var export async abstract final template namespace
    """.split()
)
"""First words of definitions. A definition that begins with a type has a brace."""

_STATES = frozenset({"if", "for", "while", "switch", "catch", "return", "new", "else", "do", "try", "match"})
"""First words of what has braces, and defines nothing."""


class Block(NamedTuple):
    """The span of a block of code.

    `whole` if what it opens it closes. `of` is the start of the definition of which it is a part, since that
    is too long; -1 where it is a part of none.
    """

    start: int
    end: int
    whole: bool
    of: int


def leads(line: str) -> bool:
    """Whether a line of code belongs to what follows it: a decorator, an attribute, a comment."""
    return _LEADS.match(line) is not None


def defined_name(block: str) -> str:
    """Return the name of the function, class or type that a block of code defines; '' if it defines none."""
    head = next((line for line in block.splitlines() if line.strip() and not leads(line)), "")
    words = _WORD.findall(_HEAD_ENDS.split(_BESIDE_NAME.sub("", head), maxsplit=1)[0])
    defines = words and (words[0] in _DEFINES or (words[0] not in _STATES and "{" in block))
    return words[-1] if defines else ""


_CLOSES = re.compile(
    r"\s*(?:[)\]}]|end\b|else\b|elif\b|except\b|finally\b|catch\b|(?:public|private|protected)\s*:)"
)
"""A line that ends or goes on with the block above, though it is no deeper."""


class _Line(NamedTuple):
    start: int
    end: int
    depth: int
    """Columns of its indentation."""
    goes_on: bool
    """Whether it belongs to what stands above: brackets are open, or it closes."""
    leads: bool


def blocks_by_indent(text: str, start: int, end: int, limit: int) -> list[Block]:
    """Return the spans of whole blocks, with the decorators and comments above them.

    They ascend and cover all but white space. A span is longer than `limit` only where it cannot be divided.
    """
    spans: list[Block] = []
    waiting = [(block, -1) for block in reversed(_split(_lines_of(text, start, end)))]
    while waiting:
        block, of = waiting.pop()
        lines = text[block[0].start : block[-1].end]
        closes = all(lines.count(end) == lines.count(begin) for end, begin in PARTNERS.items())
        span = Block(block[0].start, block[-1].end, whole=of == -1 and closes, of=of)
        if span.end - span.start <= limit or len(block) == 1:
            spans.append(span)
            continue
        head = next((number for number, line in enumerate(block) if not line.leads), 0)
        if head:  # without what leads up to it, it may fit
            waiting += [(block[head:], of), (block[:head], of)]
            continue
        head = 1
        while head < len(block) and block[head].goes_on and block[head].depth <= block[0].depth:
            head += 1
        spans.append(Block(block[0].start, block[head - 1].end, whole=False, of=block[0].start))
        waiting += [(inner, block[0].start) for inner in reversed(_split(block[head:]))]
    return spans


def _split(lines: list[_Line]) -> list[list[_Line]]:
    """Return the lines by blocks: each begins with the least deep lines, and with what leads up to them."""
    blocks: list[list[_Line]] = []
    depth = min((line.depth for line in lines), default=0)
    leading = False
    inside = bool(lines) and lines[0].goes_on  # brackets are open around all of them
    for line in lines:
        begins = line.depth <= depth and (inside or not line.goes_on) and not leading
        if begins or not blocks:
            blocks.append([])
        blocks[-1].append(line)
        leading = line.leads and line.depth <= depth
    return blocks


def _lines_of(text: str, start: int, end: int) -> list[_Line]:
    """Return the lines that are not blank."""
    lines: list[_Line] = []
    at, still_open = start, 0
    for line in text[start:end].splitlines(keepends=True):
        bare = line.strip()
        if bare:
            depth = len(line[: len(line) - len(line.lstrip())].expandtabs(4))
            begin = at + line.index(bare)
            goes_on = bool(lines) and (still_open > 0 or bare == "{" or bool(_CLOSES.match(line)))
            leading = not still_open and leads(line)
            lines.append(_Line(begin, begin + len(bare), depth, goes_on, leading))
            opened = bare.count("(") + bare.count("[")
            still_open = max(0, still_open + opened - bare.count(")") - bare.count("]"))
        else:
            still_open = 0  # a bracket within a string must not join the rest of the file
        at += len(line)
    return lines
