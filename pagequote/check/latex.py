r"""Quotations of a LaTeX manuscript, with the exact place of every character.

Groups, formulas and environments are matched once; then the source is read from token to token. pylatexenc's
tables say which arguments macros take, and what they print. What is verbatim quotes nothing.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from unicodedata import normalize

from pylatexenc import latexwalker
from pylatexenc.latex2text import LatexNodes2Text

from lookup.papers.locators import parse_locator
from pagequote.check.latex_macros import (
    ENVIRONMENTS,
    MULTIPLE_CITATIONS,
    Definition,
    Vocabulary,
    argument_spec,
    defined_beside,
    role,
    textual,
    without_definitions,
)
from pagequote.check.latex_macros import MACROS as MACROS_OF_LATEX
from pagequote.check.latex_units import MACROS, UNIT_MACROS, names, quantity
from pagequote.check.manuscript import Manuscript
from pagequote.check.quotation import UNREAD, Citation, Cited, Edit, Spans, apply
from pagequote.check.quoting import quoting
from pagequote.check.running_text import RunningText, Scanner, spaces
from pipeline.files.expansion import Expansion

_NAMES = names("latex")


def read(source: str, path: Path, vocabulary: Vocabulary) -> Manuscript:
    """Return what a LaTeX source quotes, its own macros and those of the files beside it resolved."""
    defined = {**defined_beside(path, source), **vocabulary.defined}
    return replace(read_latex(source, replace(vocabulary, defined=defined)), defined=defined)


def read_latex(source: str, vocabulary: Vocabulary) -> Manuscript:
    """Return the quotations of a LaTeX source, and the files that it includes."""
    flow = RunningText()
    _LatexReader(source, vocabulary.of_source(source), flow).read(0, len(source))
    return quoting(flow)


@lru_cache(1000)  # a text repeats most of its formulas
def read_within(source: str, *, math: bool = False) -> RunningText:
    """Return what LaTeX within another markup prints, quotes and cites; a formula is without dollars."""
    flow = RunningText()
    _LatexReader(source, Vocabulary().of_source(source), flow, math=math).read(0, len(source))
    return flow


_OPENS = re.compile(
    r"\\[^vbi]|%[^\n]*+"
    rf"|\\begin\s*+\{{(?P<name>{'|'.join(map(re.escape, sorted(_NAMES['verbatim'])))})\}}"
    r"|\\verb\*?(?P<delimiter>[^\w\s*])"
    r"|(?P<false>\\iffalse\b)",
)
_MULTIPLE_NOTES = re.compile(r"(?:\s*+\([^()]*+\)){0,2}")


def _without_verbatim(source: str) -> str:
    """Return the source with spaces in place of verbatim text."""
    hidden: list[Edit] = []
    unclosed: set[str] = set()
    at = 0
    while opening := _OPENS.search(source, at):
        at = opening.end()
        name, delimiter = opening["name"], opening["delimiter"]
        ends = rf"\\end\s*+\{{{re.escape(name)}\}}" if name else re.escape(delimiter or "")
        ends = r"\\fi\b" if opening["false"] else ends
        closing = re.compile(ends).search(source, at) if ends and ends not in unclosed else None
        if closing is None:
            unclosed.add(ends)
            continue
        start, at = opening.start(), closing.end()
        hidden.append(Edit(start, at, (UNREAD if delimiter else " ") + spaces(source[start + 1 : at])))
    return apply(source, hidden)


_ACCENTS = frozenset("'`^\"~=.uvHtcdbrk")
_WHITE = re.compile(r"\s*+(?:white|(?:1\s*+,\s*+1\s*+,\s*+1)|FFFFFF|white![^\s]*+|1)\s*+", re.IGNORECASE)
"""A colour in which text is not seen on paper."""

_DEEPEST = 8
"""Macros of the manuscript within one another that are resolved; no real ones are nested as deep."""

_SYMBOLS = MACROS["latex"]
"""What macros print that pylatexenc does not know, or prints otherwise."""

_MARKS: dict[str, str] = MACROS["latex_marks"]
_IN_FORMULAS = frozenset(list(_MARKS)[:6])
_DECLARES = re.compile(r"\{\s*+\\(?P<name>[A-Za-z]++)")

_GREEK = re.compile(r"(?:text|up|var)(?P<letter>[a-zA-Z]+)")
_DOTTED = {"ı": "i", "ȷ": "j"}
_NO_SPACE_BEFORE = frozenset("{}.,;:!?)]'/-~\\")
r"""What \xspace puts no space before."""

_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*+(?:\n[ \t]*+(?!\s))?)"
    r"|\\begin\s*+\{(?P<environment>[^{}\n]*+)\}|(?P<ended>\\end\s*+\{[^{}\n]*+\})"
    r"|(?P<formula>\$\$?|\\[(\[])|(?P<closed>\\[)\]]|\})|(?P<group>\{)"
    r"|\\(?P<macro>[A-Za-z]++|(?s:.)|$)|(?P<moved>[\^_])"
    rf"|(?P<mark>{'|'.join(sorted(map(re.escape, _MARKS), key=len, reverse=True))})"
)
_BRACKET = re.compile(
    r"%[^\n]*+|\\begin\s*+\{(?P<begins>[^{}\n]*+)\}|\\end\s*+\{(?P<ends>[^{}\n]*+)\}"
    r"|(?P<mark>[{}\[\]]|\$\$?|\\[()\[\]])|\\.|(?P<break>\n[ \t]*+\n)",
    re.DOTALL,
)
_OPENING = {"}": "{", "]": "[", "\\)": "\\(", "\\]": "\\["}
_BEFORE_ARGUMENT = re.compile(r"(?>(?:[ \t\r]++|%[^\n]*+\n|\n(?![ \t]*+\n))*)")
_ONE = re.compile(r"\\(?:[A-Za-z]++[ \t]*+|.)|[^\\{}\[\]\s]", re.DOTALL)
_ARGUMENTS = re.compile(r"(?>(?:\[[^\[\]\n]*+\]|\{[^{}\\\n]*+\}|\([^()\n]*+\))*)")
_AFTER_NAME = re.compile(r"[ \t]*+(?:\n[ \t]*+(?![ \t]*\n))?")


def _brackets(source: str) -> dict[int, tuple[int, int]]:
    """Return for all that opens in a source where it is closed.

    A brace or environment that nothing closes ends with what it stands in, else with its paragraph.
    """
    found: dict[int, tuple[int, int]] = {}
    opened: dict[str, list[int]] = defaultdict(list)
    order: list[tuple[str, int]] = []
    breaks: list[int] = []
    for token in _BRACKET.finditer(source):
        mark, at = token["mark"] or "", token.span()
        kind = _OPENING.get(mark, mark) or f"\\{token['begins'] or token['ends']}"
        if token["break"]:
            while order and order[-1][0] in _FORMULA:
                opened[order.pop()[0]].pop()
            breaks.append(at[0])
        elif mark in _OPENING or token["ends"] is not None or (mark[:1] == "$" and opened[mark]):
            first = opened[kind][-1] if opened[kind] else at[0]
            while order and order[-1][1] >= first:
                last, start = order.pop()
                opened[last].pop()
                if start == first or last not in _FORMULA:
                    found[start] = at if start == first else (at[0], at[0])
        elif mark or token["begins"] is not None:
            opened[kind].append(at[0])
            order.append((kind, at[0]))
    breaks.append(len(source))
    ends = ((start, breaks[bisect_right(breaks, start)]) for _, start in order)
    return found | {start: (end, end) for start, end in ends}


_FORMULA = frozenset({"$", "$$", "[", "\\(", "\\["})


@lru_cache(1)
def _known_arguments() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the arguments of macros, and of environments, as pylatexenc writes them."""
    database: Any = latexwalker.get_default_latex_context_db()
    macros = {one.macroname: one.args_parser.argspec for one in database.iter_macro_specs()}
    bodies = {one.environmentname: one.args_parser.argspec for one in database.iter_environment_specs()}
    return {**macros, **MACROS["latex_arguments"], **UNIT_MACROS}, bodies


@lru_cache(1)
def _to_text() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text", keep_comments=False)


@lru_cache(len(_ACCENTS))
def _accent(name: str) -> str:
    r"""Return the combining mark that a macro puts on a letter; "" for \t, which ties two."""
    if name == "not":
        return "\u0338"
    return normalize("NFD", _to_text().latex_to_text(rf"\{name}{{a}}"))[1:]


@lru_cache(1000)
def _symbol(name: str) -> str | None:
    """Return what a macro prints by itself, None where that is not known."""
    known = _to_text().latex_context.get_macro_spec(name)
    printed = known.simplify_repl if known else None
    if isinstance(printed, str):
        return printed.strip() if "%" not in printed else None
    greek = _GREEK.fullmatch(name)
    return _symbol(greek["letter"]) if greek else None


class _Argument(NamedTuple):
    """What a macro is given: from `start` to `end`, without brackets; `kind` is what opens it."""

    start: int
    end: int
    kind: str


class _Macro(NamedTuple):
    """A macro or environment of the source, from `start` to `end`, with the arguments that are given."""

    name: str
    start: int
    end: int
    given: Sequence[_Argument | None]

    @property
    def arguments(self) -> list[_Argument]:
        return [one for one in self.given if one]


class _LatexReader(Scanner):
    """Adds one source to a running text."""

    TOKENS = _TOKEN
    STARTS = re.compile(r"""[%\\${}^_~`'\-&<>,´"]""")

    def __init__(
        self,
        source: str,
        vocabulary: Vocabulary,
        flow: RunningText,
        within: tuple[str, ...] = (),
        room: Expansion | None = None,
        *,
        math: bool = False,
    ) -> None:
        super().__init__(without_definitions(_without_verbatim(source)), flow)
        self.vocabulary = vocabulary
        self.math = math
        self._within, self._room = within, room or Expansion(len(source))
        self._german = '"`' in source
        self._closing = _brackets(self.source)

    def _read(self, *arguments: _Argument) -> None:
        for one in arguments:
            self.read(one.start, one.end)

    def _closed_at(self, start: int) -> tuple[int, int] | None:
        """Return where what opens at `start` is closed in the text around it."""
        found = self._closing.get(start)
        return found if found and found[1] <= self.end else None

    def _on_group(self, token: re.Match[str]) -> int | None:
        start = token.start()
        closed = self._closed_at(start)
        if closed is None:
            return None
        declares, begins = _DECLARES.match(self.source, start), self.flow.length
        self.read(start + 1, closed[0])
        name = declares["name"] if declares and not self.math else ""
        looks = name in _NAMES["forms_of_text"] or name in _NAMES["declarations"]
        if name in ENVIRONMENTS:
            self.flow.contain(begins, name)
        elif looks or name in _NAMES["sets_in"] or (name and not self._spec(name) and self._is_unknown(name)):
            self.flow.contain(begins, f"{{\\{name} ...}}", known=False, beside=looks)
        return closed[1]

    def _on_formula(self, token: re.Match[str]) -> int | None:
        closed = self._closed_at(token.start())
        if closed is None:
            return None
        self._formula(token.end(), closed[0])
        return closed[1]

    def _formula(self, start: int, end: int) -> None:
        before, self.math = self.math, True
        self.read(start, end)
        self.math = before

    def _on_moved(self, token: re.Match[str]) -> int | None:
        if not self.math:
            self.flow.copy(self.source, *token.span())
            return None
        begins, at = self.flow.length, token.end()
        after = self.TOKENS.match(self.source, at, self.end)
        if after and after.lastgroup in ("group", "macro"):
            at = self.token(after)
        elif at < self.end:
            self.flow.copy(self.source, at, at + 1)
            at += 1
        self.flow.move(token[0], begins)
        return at

    def _on_mark(self, token: re.Match[str]) -> None:
        if (self.math and token[0] not in _IN_FORMULAS) or (token[0][0] == '"' and not self._german):
            self.flow.copy(self.source, *token.span())
        else:
            self.flow.add(_MARKS[token[0]], *token.span())

    def _on_environment(self, token: re.Match[str]) -> int | None:
        name = token["environment"]
        closed = self._closed_at(token.start())
        if closed is None:
            return None
        told = self.vocabulary.environments.get(name)
        spec = _known_arguments()[1].get(name, "") if told is None else argument_spec(told)
        given, stop = self._taken(spec, token.end())
        if not spec and told is None and (arguments := _ARGUMENTS.match(self.source, stop)):
            stop = arguments.end()
        if told is not None:
            macro = _Macro(name, token.start(), closed[1], given)
            self._told(macro, told, _Argument(stop, closed[0], "body"))
            return closed[1]
        plain = name.rstrip("*")
        if plain in _NAMES["formulas"]:
            self._formula(stop, closed[0])
        elif plain in _NAMES["own_environments"]:
            self.read(stop, closed[0])
        else:
            self.hold(stop, closed[0], f"\\begin{{{name}}}")
        return closed[1]

    def _taken(self, spec: str, at: int) -> tuple[list[_Argument | None], int]:
        """Return the arguments that begin at `at`, None for one that is left out, and where they end."""
        given: list[_Argument | None] = []
        for kind in spec:
            space = _BEFORE_ARGUMENT.match(self.source, at, self.end)
            start = space.end() if space else at
            closed = self._closed_at(start) if self.source[start : start + 1] == kind else None
            one = _ONE.match(self.source, start, self.end) if kind == "{" else None
            if closed:
                given.append(_Argument(start + 1, closed[0], kind))
                at = closed[1]
            elif kind == "*":
                starred = self.source.startswith("*", at)
                given.append(_Argument(at, at + 1, kind) if starred else None)
                at += starred
            elif kind == "[":
                given.append(None)
            elif one:
                given.append(_Argument(*one.span(), kind))
                at = one.end()
            else:
                break
        return given, at

    def _on_macro(self, token: re.Match[str]) -> int | None:
        """Add what a macro prints, or read what it quotes and cites."""
        name, start, begins = token["macro"], token.start(), self.flow.length
        if name in MULTIPLE_CITATIONS:
            return self._citations(name, start, token.end())
        if name in ENVIRONMENTS and (ends := self.source.find(f"\\end{name}", token.end(), self.end)) >= 0:
            self.hold(token.end(), ends, name, known=True)
            return ends + len(f"\\end{name}")
        told, defined = self.vocabulary.macros.get(name), self.vocabulary.defined.get(name)
        given, stop = self._taken(self._spec(name), token.end())
        after = _AFTER_NAME.match(self.source, stop, self.end)
        if not any(given) and name.isalpha() and after:
            stop = after.end()
        macro = _Macro(name, start, stop, given)
        if told is not None:
            self._told(macro, told)
        elif defined is not None:
            self._defined(macro, defined)
        elif name in self._READS:
            self._READS[name](self, macro)
        elif name in _SYMBOLS or not macro.arguments:
            self._printed(_SYMBOLS[name] if name in _SYMBOLS else _symbol(name), macro)
        else:
            self._read(*macro.arguments[-1:] if name in _NAMES["last_argument"] else macro.arguments)
        if self.math or not self._is_unknown(name, macro.arguments):
            return stop
        if macro.arguments:
            self.flow.contain(begins, f"\\{name}", known=False, beside=name in _NAMES["forms_of_text"])
        return self._behind(name, stop) if not macro.arguments or "cite" in name.lower() else stop

    def _spec(self, name: str) -> str:
        """Return the arguments of a macro, as pylatexenc writes them; '' for what is not known."""
        told, defined = self.vocabulary.macros.get(name), self.vocabulary.defined.get(name)
        if told is not None:
            return argument_spec(told)
        return defined.spec if defined else _known_arguments()[0].get(name, "")

    def _behind(self, name: str, stop: int) -> int:
        """Add the groups right behind a macro that is not known, which may be quoted. Return their end."""
        if self.source.startswith("[", stop):
            _, stop = self._taken("[", stop)
        while (behind := self.TOKENS.match(self.source, stop, self.end)) and behind.lastgroup == "group":
            begins = self.flow.length
            stop = self.token(behind)
            self.flow.contain(begins, f"\\{name}", known=False)
        return stop

    def _is_unknown(self, name: str, given: Sequence[_Argument] = ()) -> bool:
        """Return whether a macro, given these, is not known, so that what it holds may be quoted."""
        if name not in MACROS_OF_LATEX and "cite" in name.lower():
            return True
        told = self.vocabulary
        known = name in told.macros or name in told.defined or name in _SYMBOLS or name in _NAMES["own_words"]
        known = known or (name in self._READS and name not in _NAMES["forms_of_text"])
        return not known and (bool(given) or _symbol(name) is None)

    def _nothing(self, macro: _Macro) -> None:
        """Add nothing: the macro prints nothing where it stands."""

    def _unread(self, macro: _Macro) -> None:
        self.flow.unread(macro.start, macro.end)

    def _note(self, macro: _Macro) -> None:
        with self.flow.noting(macro.start, macro.end):
            self._read(*macro.arguments[-1:])

    def _edited(self, macro: _Macro) -> None:
        r"""Add an editor's brackets of csquotes: \textelp{}, \textins{added}, \textdel{removed}."""
        name, start, end = macro.name, macro.start, macro.end
        star = any(one.kind == "*" for one in macro.arguments)
        before = "[… " if name == "textelp" and not star else "["
        self.flow.add(before, start, start + 1)
        inside = self.flow.length
        self._read(*macro.arguments[-1:] if name != "textdel" else ())
        if self.flow.length == inside:
            self.flow.forget(inside - before.count(" "))  # nothing was put in
        self.flow.add(" …]" if name == "textelp" and star else "]", end - 1, end)

    def _accent(self, macro: _Macro) -> None:
        """Add the text with the accent on its first letter, where TeX puts it."""
        text = self._separately(*macro.arguments).words().text
        accented = normalize("NFC", _DOTTED.get(text[:1], text[:1]) + _accent(macro.name)) + text[1:]
        self._printed(accented if text else "", macro)

    def _space(self, macro: _Macro) -> None:
        r"""Add the space of \xspace, which there is none of before a mark."""
        after = self.source[macro.end : macro.end + 1]
        self._printed("" if after in _NO_SPACE_BEFORE else " ", macro)

    def _quantity(self, macro: _Macro) -> None:
        braced = [self._inside(one) for one in macro.arguments if one.kind == "{"]
        self._printed(quantity(macro.name, braced) if braced else None, macro)

    def _fraction(self, macro: _Macro) -> None:
        self._read(*macro.arguments[:1])
        self._printed("/", macro)
        self._read(*macro.arguments[1:])

    def _coloured(self, macro: _Macro) -> None:
        braced = [one for one in macro.arguments if one.kind == "{"]
        if not braced or _WHITE.fullmatch(self._inside(braced[0])):
            self._unread(macro)
        else:
            self._read(*braced[1:])

    def _moved(self, macro: _Macro) -> None:
        begins = self.flow.length
        self._read(*macro.arguments)
        self.flow.move("^" if macro.name == "textsuperscript" else "_", begins)

    def _printed(self, text: str | None, macro: _Macro) -> None:
        """Add what a macro prints, or that it is not known."""
        if text is None:
            self._unread(macro)
        else:
            self.flow.add(text, macro.start, macro.end)

    def _defined(self, macro: _Macro, definition: Definition) -> None:
        """Add what a macro prints that the manuscript defines itself."""
        given = macro.given
        pieces = definition.filled([self._inside(one) if one else definition.default or "" for one in given])
        deep = macro.name in self._within or len(self._within) >= _DEEPEST
        length = sum(len(piece) for piece, _ in pieces)
        if deep or len(given) < definition.arguments or not self._room.takes(length):
            self._unread(macro)
            return
        inner, places, source = RunningText(), Spans(), ""
        for piece, number in pieces:
            source += piece
            argument = None if number is None else given[number]
            if argument is None:
                places.add(macro.start, macro.end, len(piece))
            else:
                places.add_each(argument.start, len(piece))
        within = (*self._within, macro.name)
        spaced = source.rstrip().endswith("\\xspace")
        source = source.rstrip().removesuffix("\\xspace") if spaced else source
        reader = _LatexReader(source, self.vocabulary, inner, within, self._room, math=self.math)
        reader.read(0, len(source))
        self.flow.extend(inner, places)
        if spaced:
            self._space(macro)

    def _told(self, macro: _Macro, arguments: str, body: _Argument | None = None) -> None:
        """Read a macro or an environment of the vocabulary."""
        name, start, end = macro.name, macro.start, macro.end
        given = {
            role(one): value for one, value in zip(arguments.split(), macro.given, strict=False) if value
        }
        if "file" in given:
            self.flow.files.append(self._inside(given["file"]))
            return
        quoted = body or given.get("quote")
        source = self._separately(given["source"]) if "source" in given else None
        citation = self._citation(name, given, start, end)
        if quoted is None:
            if citation is not None:
                self.flow.cite(citation)
            return
        with self.flow.quoting(name, start, end, block=body is not None or name in ("epigraph", "dictum")):
            self._read(quoted)
        if source is not None:
            self.flow.add(" (", end, end)
            self.flow.extend(source)
            self.flow.add(")", end, end)
        elif citation is not None:
            self.flow.cite(citation)

    def _citation(
        self, name: str, given: Mapping[str, _Argument | None], start: int, end: int
    ) -> Citation | None:
        """Return what arguments cite; None without a key."""
        listed = given.get("key")
        keys = tuple(filter(None, map(str.strip, self._inside(listed).split(",")))) if listed else ()
        note = given.get("page") or given.get("pre")
        locator = parse_locator(self.source, note.start, note.end) if note is not None else None
        return Citation(tuple((key, locator) for key in keys), start, end, textual(name)) if keys else None

    def _citations(self, name: str, start: int, end: int) -> int:
        """Read a macro with several citations, each with its own notes. Return where the last one ends."""
        each: list[Cited] = []
        notes = _MULTIPLE_NOTES.match(self.source, end, self.end)
        given, stop = self._taken("[[{", notes.end() if notes else end)
        while given[2:] and self.source[stop - 1] == "}":
            one = self._citation(name, dict(zip(("pre", "page", "key"), given, strict=True)), start, stop)
            each += one.each if one else ()
            end = stop
            given, stop = self._taken("[[{", end)
        if each:
            self.flow.cite(Citation(tuple(each), start, end, textual(name)))
        return end

    def _separately(self, *arguments: _Argument) -> RunningText:
        reader = copy(self)
        reader.flow, reader.math = RunningText(), False
        reader._read(*arguments)  # noqa: SLF001
        return reader.flow

    def _inside(self, argument: _Argument) -> str:
        return self.source[argument.start : argument.end]

    _READS: ClassVar[Mapping[str, Callable[["_LatexReader", _Macro], None]]] = {
        **dict.fromkeys((*_NAMES["unprinted"], *_NAMES["declarations"], *_NAMES["sets_in"]), _nothing),
        **dict.fromkeys(_NAMES["notes"], _note),
        **dict.fromkeys((*_NAMES["struck"], *_NAMES["made_elsewhere"]), _unread),
        **dict.fromkeys(UNIT_MACROS, _quantity),
        **dict.fromkeys(_NAMES["fractions"], _fraction),
        **dict.fromkeys((*_ACCENTS, "not"), _accent),
        **dict.fromkeys(("textelp", "textins", "textdel"), _edited),
        "xspace": _space,
        "textcolor": _coloured,
        "color": _coloured,
        "textsuperscript": _moved,
        "textsubscript": _moved,
    }
    """What is done with a macro, by its name; the others print a symbol, or their arguments."""
