"""Blocks of source code, and the names that they define."""

import re
from typing import NamedTuple

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
    """.split()  # noqa: SIM905  # a list of words is read as words
)
"""First words of definitions. A definition that begins with a type has a brace."""

_STATES = frozenset({"if", "for", "while", "switch", "catch", "return", "new", "else", "do", "try", "match"})
"""First words of what has braces, and defines nothing."""


class Block(NamedTuple):
    """The span of a block of code.

    `whole` if what it opens it closes, whatever its strings and comments hold. `of` is the start of the
    definition of which it is a part, since that is too long; -1 where it is a part of none.
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
