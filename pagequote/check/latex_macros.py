r"""The macros and environments of LaTeX that quote and cite, and those that a manuscript defines itself.

Each is written as its arguments in order, an optional one in brackets:

- `key` and `quote`: the macro names its source itself (an environment's body is its quote);
- `quote` alone: what is quoted, from a source cited beside it; `source` is an argument that may cite it;
- `key` alone: a citation;
- `pre` and `page`: the notes of a citation. One optional argument is the page, as in `\cite[6]{key}`;
- `file`: a file to go on with; `*`: a star; `-`: anything else.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from lookup.errors import QueryError
from lookup.storage import untrusted_files
from pagequote.check.latex_units import MACROS as TABLES
from pagequote.check.latex_units import names
from pagequote.check.quotation import Edit, apply
from pagequote.check.running_text import spaces

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
        for at, piece in enumerate(_PLACE.split(self.body)):  # each second one is the number of an argument
            if at % 2 == 0:
                pieces.append((piece, None))
            elif int(piece) <= len(arguments):
                pieces.append((arguments[int(piece) - 1], int(piece) - 1))
        return pieces


def definitions(source: str) -> dict[str, Definition]:
    """Return the macros that a LaTeX source defines, by name. The last definition of a name counts."""
    defined = {}
    for found, body, _ in _defining(re.sub(r"(?<!\\)%[^\n]*", "", source)):
        name = next(filter(None, found.group("braced", "bare", "document", "def", "let")))
        count = int(found["count"] or 0) or (found["parameters"] or "").count("#")
        count = found["taken"].count("m") if found["document"] else count
        operator = found["newcommand"] == "DeclareMathOperator"
        defined[name] = Definition(rf"\mathrm{{{body}}}" if operator else body, count, found["default"])
    return defined


def _defining(source: str) -> Iterator[tuple[re.Match[str], str, int]]:
    """Yield what defines a macro, with what that stands for, and where it ends."""
    for found in _DEFINES.finditer(source):
        if found["let"]:
            yield found, f"\\{found['same']} ", found.end()
        elif (end := _closing(source, found.end())) is not None:
            yield found, source[found.end() + 1 : end], end + 1


_OWN_FILES = re.compile(
    r"^(?:%\s*+!\s*+TEX\s++root\s*+=\s*+(?P<root>[^\r\n]++)"
    r"|[^%\n]*?\\(?:input|include|usepackage|RequirePackage)\s*+(?:\[[^\[\]]*+\])?\{(?P<names>[^{}]++)\})",
    re.MULTILINE | re.IGNORECASE,
)
_MOST_FILES = 50  # Files beside a manuscript whose macros are read.
_LARGEST_FILE = 2**20  # Bytes of a file whose macros are read.


def defined_beside(path: Path, source: str) -> dict[str, Definition]:
    """Return the macros that a LaTeX source defines, or a file that it names: its root, its own packages."""
    found = definitions(source)
    waiting, seen = [source], {path}
    while waiting:
        for named in _OWN_FILES.finditer(waiting.pop()):
            for name in (named["root"] or named["names"]).split(","):
                for suffix in ("", ".tex", ".sty"):
                    beside = path.parent / f"{name.strip()}{suffix}"
                    if beside in seen or len(seen) > _MOST_FILES or beside.suffix not in (".tex", ".sty"):
                        continue
                    with suppress(QueryError):
                        text = untrusted_files.content(beside, _LARGEST_FILE).decode("utf-8", "replace")
                        seen.add(beside)
                        found = {**definitions(text), **found}
                        waiting.append(text)
    return found


def without_definitions(source: str) -> str:
    """Return a LaTeX source with spaces in place of its definitions: nothing in them is printed there."""
    hidden: list[Edit] = []
    for found, _, end in _defining(source):
        if not hidden or found.start() >= hidden[-1].end:
            hidden.append(Edit(found.start(), end, spaces(source[found.start() : end])))
    return apply(source, hidden)


def _closing(source: str, start: int) -> int | None:
    """Return where the brace that is open at `start` closes, None if it does not within _LONGEST."""
    depth = 0
    for mark in _BRACE.finditer(source, start, start + _LONGEST):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth:
            return mark.start()
    return None


_CITES = "* [pre] [page] key"
MULTIPLE_CITATIONS = names("latex")["multiple_citations"]
r"""Of biblatex, with notes and a key again and again: `\parencites(pre)(post)[6]{key}[see][12]{other}`."""

MACROS: Mapping[str, str] = TABLES["roles"]["macros"] | dict.fromkeys(names("latex")["citations"], _CITES)
ENVIRONMENTS: Mapping[str, str] = TABLES["roles"]["environments"]

_ROLES = frozenset({"key", "quote", "source", "pre", "page", "file", "-"})


@dataclass(frozen=True)
class Vocabulary:
    """The macros and environments that quote and cite, those of LaTeX and the writer's own.

    `defined` are the macros that the manuscript defines itself, and `fields` those of structured records:
    which of them are `quote`, `key` and `page`.
    """

    macros: Mapping[str, str] = field(default_factory=lambda: MACROS)
    environments: Mapping[str, str] = field(default_factory=lambda: ENVIRONMENTS)
    defined: Mapping[str, Definition] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)

    def with_own(self, macros: Mapping[str, str], environments: Mapping[str, str]) -> "Vocabulary":
        """Return this vocabulary with the writer's own macros. Raise QueryError if a role is unknown."""
        for name, arguments in [*macros.items(), *environments.items()]:
            if unknown := sorted({role(one) for one in arguments.split()} - _ROLES - {"*"}):
                known = ", ".join(sorted(_ROLES))
                raise QueryError(f"Unknown arguments of {name!r}: {', '.join(unknown)}. Available: {known}.")
        return replace(
            self, macros={**self.macros, **macros}, environments={**self.environments, **environments}
        )

    def of_source(self, source: str) -> "Vocabulary":
        r"""Return this vocabulary with what a source adds: other names (\let\qq\enquote), more that cite.

        A macro cites that nobody defines and whose name has "cite": those of apacite, sidenotes and others.
        """
        same = {name: _SAME.fullmatch(one.body) for name, one in self.defined.items()}
        macros = {name: self.macros[to[1]] for name, to in same.items() if to and to[1] in self.macros}
        citing = set(_CITING.findall(source)) - set(self.macros) - set(self.defined) - MULTIPLE_CITATIONS
        return replace(self, macros={**dict.fromkeys(citing - _NOT_CITING, _CITES), **macros, **self.macros})


_SAME = re.compile(r"\\([A-Za-z@]+)\s*")
_CITING = re.compile(r"\\([A-Za-z]*[cC]ite[A-Za-z]*)")
_NOT_CITING = frozenset(
    "nocite citestyle setcitestyle citereset bibcite DeclareCiteCommand DeclareMultiCiteCommand".split()
)


def role(argument: str) -> str:
    """Return the role of an argument, optional or not."""
    return argument.strip("[]")


def argument_spec(arguments: str) -> str:
    """Return the arguments as pylatexenc writes them."""
    return "".join("*" if one == "*" else "[" if one.startswith("[") else "{" for one in arguments.split())


def textual(name: str) -> bool:
    """Return whether a macro's citation is a part of the sentence."""
    return name.lower() in ("textcite", "textcites", "citet", "citealt", "citeauthor", "citea")
