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
from pagequote.check.latex_units import names

_DEEP = {
    "mciteboxp": "key page quote",
    "mcitebox": "key quote",
    "citeqp": "key page quote",
    "citeq": "key quote",
    "citeqm": "key quote",
}
"""The macros of pagequote.sty. They count pages from the first of the PDF, for links to it."""

_CSQUOTES = {"enquote": "* quote", "foreignquote": "* - quote", "hyphenquote": "* - quote"}
for _name in "text block foreigntext hyphentext foreignblock hyphenblock hybridblock".split():
    _language = "" if _name in ("text", "block") else "- "
    _CSQUOTES[f"{_name}quote"] = f"* {_language}[source] [-] quote"
    _CSQUOTES[f"{_name}cquote"] = f"* {_language}[pre] [page] key [-] quote"

_QUOTING = {
    "say": "quote",
    "frquote": "quote",
    "epigraph": "quote source",
    "qitem": "quote source",
    "dictum": "[source] quote",
}
"""Of dirtytalk, babel, epigraph and KOMA-Script."""

_CITES = "* [pre] [page] key"
_CITATIONS = dict.fromkeys(names("latex", "citations"), _CITES) | dict.fromkeys(
    "volcite Volcite pvolcite fvolcite avolcite tvolcite".split(), "[pre] - [page] key"
)

MULTIPLE_CITATIONS = names("latex", "multiple_citations")
r"""Of biblatex, with notes and a key again and again: `\parencites(pre)(post)[6]{key}[see][12]{other}`."""

_FILES = {"input": "file", "include": "file", "subfile": "file"}

MACROS: Mapping[str, str] = _DEEP | _CSQUOTES | _QUOTING | _CITATIONS | _FILES

ENVIRONMENTS: Mapping[str, str] = {
    "quote": "",
    "quotation": "",
    "verse": "[-]",
    "quoting": "[-]",
    **{f"{one}displayquote": f"{'- ' if one else ''}[source] [-]" for one in ("", "foreign", "hyphen")},
    **{
        f"{one}displaycquote": f"{'- ' if one else ''}[pre] [page] key [-]"
        for one in ("", "foreign", "hyphen")
    },
}

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
    return name in _DEEP
