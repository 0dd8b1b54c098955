"""Parts of a manuscript that are read each for itself, so that a change has only its own part read again.

A cut is made before a heading, or a paragraph that begins with a letter, after a blank line, where nothing is
open: no bracket, environment, formula, comment or code. No quotation reaches over such a place, nor is one
joined there with a citation, and reading the parts finds what reading the whole does. Where it is not plain
that nothing is open, no cut is made.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

LATEX, MARKDOWN, TYPST = "latex", "markdown", "typst"

_CUT = r"(?P<cut>\n[ \t\r]*+\n)(?=[^\W\d_]|\\(?:chapter|(?:sub){0,2}section)\b|[#=]{1,6} )"

_BRACKETS = {
    # A comment takes the end of its line, and a macro may take what follows as its argument.
    LATEX: re.compile(
        rf"{_CUT}|(?P<takes>%[^\n]*+|\\(?!begin\b|end\b|verb\b|iffalse\b|fi\b)[A-Za-z@]++"
        r"(?>(?:\*|\[[^\[\]\n]*+\])*))"
        r"|\\verb\*?(?:\|[^|\n]*+\||\+[^+\n]*+\+|![^!\n]*+!|\"[^\"\n]*+\")|\\(?:begin|end)\{document\}"
        r"|(?P<opens>\\begin\b|\\iffalse\b|\\\[|\\\(|\{)|(?P<closes>\\end\b|\\fi\b|\\\]|\\\)|\})"
        r"|(?P<toggles>\$)|\\."
    ),
    TYPST: re.compile(
        rf"{_CUT}|\\.|(?<!:)//[^\n]*+|(?P<raw>`++)|(?P<toggles>\$)"
        r"|(?P<opens>/\*|[(\[{])|(?P<closes>\*/|[)\]}])"
    ),
}
_OPENING = {
    "\\end": "\\begin",
    "\\fi": "\\iffalse",
    "\\]": "\\[",
    "\\)": "\\(",
    "*/": "/*",
    ")": "(",
    "]": "[",
    "}": "{",
}

_CALL = 200
"""Characters: a "(" of Typst without a "#" so near before it is no function's, but one of the text."""

_MARKDOWN = re.compile(
    rf"{_CUT}|(?P<front>\A\ufeff?---[ \t]*+\r?\n)|^(?P<ends>---|\.\.\.)[ \t]*\r?$"
    r"|^ {0,3}(?P<fence>`{3,}+|~{3,}+)(?P<info>[^\n]*+)"
    r"|(?P<comment><!--)|(?P<commented>-->)"
    r"|^ {0,3}(?P<html><(?:script|pre|style|textarea|[!?](?!--))|<[a-z-]*quote|<q\b|:::|\{%|```\{)",
    re.MULTILINE | re.IGNORECASE,
)


def parts(source: str, markup: str, before: Sequence[str] = ()) -> Iterator[str]:
    """Yield the text of each part, in order; together they are the whole source.

    Where the source begins and ends as one with the parts `before`, only what is between is looked at:
    nothing is open at a cut, so that what stands before it says nothing of the later ones.
    """
    start = 0
    for text, after in pairwise(before[:-1]):
        # The last part that is the same is looked at again: a cut depends on what it is before.
        if not source.startswith(text + after, start):
            break
        yield text
        start += len(text)
    first, tail, end = start, dict[int, int](), len(source)
    for at, text in reversed([*enumerate(before)]):
        end -= len(text)
        if end <= first or not source.startswith(text, end):
            break
        tail[end] = at
    rest = source[first:]
    for cut in _markdown(rest) if markup == MARKDOWN else _by_brackets(rest, _BRACKETS[markup]):
        yield source[start : first + cut]
        start = first + cut
        if start in tail:
            yield from before[tail[start] :]
            return
    yield source[start:]


def _by_brackets(source: str, tokens: re.Pattern[str]) -> Iterator[int]:
    opened: Counter[str] = Counter()
    raw = ""
    taken = -1
    begun = 0
    for token in tokens.finditer(source):
        kind, text = token.lastgroup, token[0]
        if kind == "raw" and len(text) != 2 and raw in ("", text):
            raw = "" if raw else text
        elif raw:
            continue
        elif kind == "opens":
            called = source[max(begun, token.start() - _CALL) : token.start()]
            opened[text] += bool(text != "(" or opened[text] or "#" in called)
        elif kind == "closes":
            opened[_OPENING[text]] -= opened[_OPENING[text]] > 0
        elif kind == "toggles":
            opened[text] ^= 1
        elif kind == "takes":
            taken = token.end()
        elif kind == "cut" and taken != token.start() and not any(opened.values()):
            begun = token.end()
            yield begun


def _markdown(source: str) -> Iterator[int]:
    fence = ""
    front = commented = False
    for token in _MARKDOWN.finditer(source):
        kind = token.lastgroup
        if kind == "cut" and not (fence or front or commented):
            yield token.end()
        elif kind == "front":
            front = True
        elif kind == "ends":
            front = False
        elif kind in ("comment", "commented"):
            commented = kind == "comment"  # in code, too
        elif kind == "html" and not fence:
            return  # it may hold blank lines, and ends in several ways
        elif kind == "info" and not commented:
            fence = _fence(fence, token["fence"], token["info"])


def _fence(opened: str, fence: str, info: str) -> str:
    """Return the fence that is open after this one, '' for none."""
    closes = fence.startswith(opened) and not info.strip()
    return fence if not opened else "" if closes else opened
