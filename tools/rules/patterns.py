"""Rule: no regular expression of the packages tries the same characters in two ways.

That takes polynomial time or more. A pattern is read as `re` parses it. What is refused: a repeat without
bound that can give characters back to one right after it, or to the next round of one around it, which can
take them too. `++`, `*+` and `(?>...)` give nothing back. A group is not repeated possessively, which Python
before 3.11.5 reads wrong (CPython's issue 106052), and `(?>(?:ab)*)` right.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterator
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import lookup
import objectstore
import pagequote
import pipeline
import retrieval
from lookup.text.regex import _Regex

_CHARACTERS = [chr(code) for code in range(0x180)] + list("“”…‐–—•×αβ\u0301\u2003\ufffd一あ🇩")
"""What stands for all characters: two repeats overlap if both take one of these."""

_BOUNDED = 300
"""Repeats: so many, or fewer, count as a bound."""

_KNOWN = {
    # What begins a line closes the fence; each line is tried once.
    "retrieval.snippets.code._FENCE",
    "retrieval.raw_text.paragraphs._FENCED",
    # For lines of at most 200 characters.
    "retrieval.snippets.code._CODE_LINE",
    # For a note of at most 1,000 characters.
    "lookup.papers.locators._BARE",
    "lookup.papers.locators._OTHER_PLACES",
    # For a line of an export: what stands before its last spaces is no space, so each run is tried once.
    "pagequote.check.records._READWISE",
    # For text in which runs of spaces are one space: of a bracket, a printed line, or a paragraph.
    "lookup.compare.citation_marks._BRACKET",
    "lookup.compare.citation_marks._AUTHORS",
    "pipeline.layout.boilerplate._BEGINS",
    "pipeline.metadata.abstract._END",
    "pipeline.metadata.identifiers._VOLUME",
    "pipeline.metadata.identifiers._PUBLISHED",
}
"""Patterns that are refused, and take linear time where they are used."""

_Places = dict[frozenset[str], str]
"""Repeats, by what they take, and how they read."""


def _modules() -> Iterator[Any]:
    for package in (lookup, objectstore, retrieval, pipeline, pagequote):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            try:
                yield importlib.import_module(module.name)
            except ModuleNotFoundError as error:
                if error.name != "ray":  # which only the second step of CI has
                    raise


def _patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Return the patterns that modules hold, and those that are written where they are used."""
    held = set()
    for module in _modules():
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern | _Regex):
                held.add(value.pattern)
                yield f"{module.__name__}.{name}", re.compile(value.pattern, value.flags)
        for node in ast.walk(ast.parse(inspect.getsource(module) or "0")):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re")), args=[ast.Constant(value=str(text)), *_]
                ) if text not in held:
                    yield f"{module.__name__}, line {node.lineno}", re.compile(text)


def ambiguous(pattern: re.Pattern[Any]) -> list[str]:
    """Return what of the pattern takes more than linear time."""
    parsed = _parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    found: list[str] = []
    _read(parsed, found, parsed.state)
    return found


def _read(items: Any, found: list[str], state: Any) -> tuple[frozenset[str], bool, _Places, _Places]:
    """Return the first characters of a sequence, whether it may be empty, and its repeats at either end."""
    first: frozenset[str] = frozenset()
    empty = True
    heads: _Places = {}
    tails: _Places = {}
    for item in items:
        its_first, its_empty, its_heads, its_tails = _read_one(item, found, state)
        found += [
            f"{one} then {other}" for a, one in tails.items() for b, other in its_heads.items() if a & b
        ]
        if empty:
            first |= its_first
            heads = heads | its_heads
        tails = {**tails, **its_tails} if its_empty else its_tails
        empty = empty and its_empty
    return first, empty, heads, tails


def _read_one(item: Any, found: list[str], state: Any) -> tuple[frozenset[str], bool, _Places, _Places]:
    kind, value = item
    if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
        least, most, body = value
        first, empty, heads, tails = _read(body, found, state)
        if most > _BOUNDED:
            shown = f"{sorted(first)[:3]}..."
            found += [f"{one} within a repeat of {shown}" for taken, one in tails.items() if taken & first]
            heads = {**heads, first: shown}
            tails = {**tails, first: shown}
        return first, empty or least == 0, heads, {} if kind is _constants.POSSESSIVE_REPEAT else tails
    if kind is _constants.ATOMIC_GROUP:
        first, empty, heads, _ = _read(value, found, state)
        return first, empty, heads, {}
    if kind is _constants.SUBPATTERN:
        return _read(value[3], found, state)
    if kind is _constants.BRANCH:
        ways = [_read(way, found, state) for way in value[1]]
        return (
            frozenset().union(*(way[0] for way in ways)),
            any(way[1] for way in ways),
            {taken: shown for way in ways for taken, shown in way[2].items()},
            {taken: shown for way in ways for taken, shown in way[3].items()},
        )
    if kind in (_constants.ASSERT, _constants.ASSERT_NOT):
        _read(value[1], found, state)
        return frozenset(), True, {}, {}
    if kind in (_constants.AT, _constants.GROUPREF, _constants.GROUPREF_EXISTS):
        return frozenset(), True, {}, {}
    return _taken(kind, str(value), item, state), False, {}, {}


_SEEN: dict[tuple[Any, str, int], frozenset[str]] = {}


def _taken(kind: Any, shown: str, item: Any, state: Any) -> frozenset[str]:
    """Return the characters that one item takes."""
    place = (kind, shown, state.flags)
    if place not in _SEEN:
        one = _compiler.compile(_parser.SubPattern(state, [item]), state.flags & ~re.DEBUG)
        _SEEN[place] = frozenset(char for char in _CHARACTERS if one.fullmatch(char))
    return _SEEN[place]


_POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,]+\})\+")


def main() -> None:
    """Exit with what is refused."""
    wrong = []
    for name, one in _patterns():
        text = one.pattern if isinstance(one.pattern, str) else one.pattern.decode("latin-1")
        if name not in _KNOWN and (found := ambiguous(one)):
            wrong.append(f"{name} may take long: {found[0]}")
        if _POSSESSIVE_GROUP.search(text):
            wrong.append(f"{name} repeats a group possessively")
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main()
