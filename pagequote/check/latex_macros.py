r"""The macros and environments of LaTeX that quote and cite, and what their arguments are.

Each is written as its arguments in order, an optional one in brackets:

- `key` and `quote`: the macro names its source itself (an environment's body is its quote);
- `quote` alone: what is quoted, from a source cited beside it; `source` is an argument that may cite it;
- `key` alone: a citation;
- `pre` and `page`: the notes of a citation. One optional argument is the page, as in `\cite[6]{key}`;
- `file`: a file to go on with; `*`: a star; `-`: anything else.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lookup.errors import QueryError
from pagequote.check.latex_definitions import Definition
from pagequote.check.latex_units import MACROS as TABLES
from pagequote.check.latex_units import names

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


def counts_physical(name: str) -> bool:
    """Return whether a macro counts pages from the first of the PDF by default."""
    return name in names("latex")["physical"]
