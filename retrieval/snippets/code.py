"""Find the stretches of a text that are source code."""

import re
from itertools import pairwise
from typing import NamedTuple

from retrieval.snippets.brackets import BRACKET

_FENCE = re.compile(
    r"^(?P<fence>```++|~~~++)[^\n`]*+\n(?P<code>.*?)(?:^(?P=fence)[ \t]*+$|\Z)",
    re.MULTILINE | re.DOTALL,
)
BLANK_LINES = re.compile(r"\n(?:[ \t\r]*\n)+")
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
    for first, last in _paragraphs(text, start, end):
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


def _paragraphs(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return spans that end where blank lines do, and cover the stretch."""
    borders = [start, *(match.end() for match in BLANK_LINES.finditer(text, start, end)), end]
    return [(a, z) for a, z in pairwise(borders) if a < z]
