r"""The macros that a manuscript defines itself, so that what they print is read: \newcommand{\nev}{never}."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_DEFINES = re.compile(
    r"\\(?P<newcommand>(?:re|provide)?newcommand|DeclareRobustCommand|DeclareMathOperator)\*?\s*+"
    r"(?:\{\s*+\\(?P<braced>[A-Za-z@]+)\s*+\}|\\(?P<bare>[A-Za-z@]+))\s*+"
    r"(?:\[(?P<count>[0-9])\]\s*+(?:\[(?P<default>[^\[\]{}]*+)\]\s*+)?)?(?=\{)"
    r"|\\(?:New|Renew|Provide|Declare)DocumentCommand\s*+\{?\s*+\\(?P<document>[A-Za-z@]+)\s*+\}?\s*+"
    r"\{(?P<taken>[\sm]*+)\}\s*+(?=\{)"
    r"|\\(?:def|gdef|edef|xdef)\s*+\\(?P<def>[A-Za-z@]+)(?P<parameters>(?>(?:#[1-9])*))\s*+(?=\{)"
    r"|\\let\s*+\\(?P<let>[A-Za-z@]+)\s*+=?\s*+\\(?P<same>[A-Za-z@]+)"
)
_PLACE = re.compile(r"#([1-9])")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_LONGEST = 2000  # Characters of what a macro stands for; longer ones print no few words of a quotation.


class Definition(NamedTuple):
    """What a macro stands for, how many arguments it takes, and what its first one is if it is not given."""

    body: str
    arguments: int = 0
    default: str | None = None

    @property
    def spec(self) -> str:
        """The arguments as pylatexenc writes them."""
        return "{" * self.arguments if self.default is None else "[" + "{" * (self.arguments - 1)

    def filled(self, arguments: list[str]) -> list[tuple[str, int | None]]:
        """Return the body in pieces, its own and arguments in place, these with their numbers from 0 on."""
        pieces: list[tuple[str, int | None]] = []
        done = 0
        for place in _PLACE.finditer(self.body):
            number = int(place[1]) - 1
            given = [(arguments[number], number)] if number < len(arguments) else []
            pieces += [(self.body[done : place.start()], None), *given]
            done = place.end()
        return [*pieces, (self.body[done:], None)]

    def length(self, arguments: list[str]) -> int:
        """Return how many characters `filled` has, or some more, without making them."""
        places = (int(one[1]) for one in _PLACE.finditer(self.body))
        return len(self.body) + sum(len(arguments[place - 1]) for place in places if place <= len(arguments))


def definitions(source: str) -> dict[str, Definition]:
    """Return the macros that a LaTeX source defines, by name. The last definition of a name counts."""
    return dict(_definitions(re.sub(r"(?<!\\)%[^\n]*", "", source)))


def without_definitions(source: str) -> str:
    """Return a LaTeX source with spaces in place of its definitions: nothing in them is printed there."""
    kept, done = [], 0
    for found in _DEFINES.finditer(source):
        end = found.end() - 1 if found["let"] else _closing(source, found.end())
        if end is not None and found.start() >= done:
            kept += [source[done : found.start()], re.sub(r"\S", " ", source[found.start() : end + 1])]
            done = end + 1
    return "".join([*kept, source[done:]])


def _definitions(source: str) -> Iterator[tuple[str, Definition]]:
    for found in _DEFINES.finditer(source):
        if found["let"]:
            yield found["let"], Definition(f"\\{found['same']} ")
            continue
        name = found["braced"] or found["bare"] or found["document"] or found["def"]
        end = _closing(source, found.end())
        if end is None:
            continue
        body = source[found.end() + 1 : end]
        if found["document"]:
            count = found["taken"].count("m")
        else:
            count = int(found["count"] or 0) or (found["parameters"] or "").count("#")
        if found["newcommand"] == "DeclareMathOperator":
            body = rf"\mathrm{{{body}}}"
        yield name, Definition(body, count, found["default"])


def _closing(source: str, start: int) -> int | None:
    """Return where the brace that is open at `start` closes, None if it does not within _LONGEST."""
    depth = 0
    for mark in _BRACE.finditer(source, start, start + _LONGEST):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth:
            return mark.start()
    return None
