r"""Quotations of a LaTeX manuscript, with the exact place of every character.

pylatexenc reads macros, arguments and environments; what they print is put together here, since its own
conversion to text keeps no places. Comments, and what is verbatim, quote nothing.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from functools import lru_cache
from typing import Any, ClassVar
from unicodedata import normalize

from pylatexenc import latexwalker
from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.macrospec import EnvironmentSpec, MacroSpec

from lookup.papers.locators import parse_locator
from lookup.text.expansion import Expansion
from pagequote.check.latex_definitions import Definition, without_definitions
from pagequote.check.latex_macros import MACROS as MACROS_OF_LATEX
from pagequote.check.latex_macros import (
    MULTIPLE_CITATIONS,
    Vocabulary,
    argument_spec,
    counts_physical,
    role,
    textual,
)
from pagequote.check.latex_units import MACROS, UNIT_MACROS, names, quantity
from pagequote.check.quotation import UNREAD, Citation, Counting, MappedText, Quotation, Spans
from pagequote.check.quoting import ManuscriptText, quoting
from pagequote.check.running_text import RunningText


def read_latex(source: str, vocabulary: Vocabulary, *, single: bool = False) -> ManuscriptText:
    """Return the quotations of a LaTeX source, and the files that it includes."""
    flow = RunningText()
    _LatexReader(source, vocabulary.of_source(source), flow).read_all()
    return quoting(flow, straight=True, single=single)


def read_math(flow: RunningText, source: str, start: int, end: int) -> None:
    """Add the printed characters of the formula `source[start:end]`, given without its dollars."""
    printed = _printed(source[start:end])
    for char, (first, last) in zip(printed.text, printed.spans, strict=True):
        flow.add(char, start + first, start + last)


@lru_cache(1000)  # a text repeats most of its formulas, and each takes pylatexenc some 0.1 ms
def _printed(formula: str) -> MappedText:
    flow = RunningText()
    _LatexReader(formula, Vocabulary(), flow).read_all(math=True)
    return flow.words()


_VERBATIM = (
    "verbatim verbatim* Verbatim Verbatim* BVerbatim lstlisting minted comment alltt "
    "filecontents filecontents*"
)
_OPENS = re.compile(
    r"\\[^vbi]|%[^\n]*+"
    rf"|\\begin\s*+\{{(?P<name>{'|'.join(map(re.escape, _VERBATIM.split()))})\}}"
    r"|\\verb\*?(?P<delimiter>[^\w\s*])"
    r"|(?P<false>\\iffalse\b)",
)
_CLOSES = re.compile(r"\\end\s*+\{(?P<name>[A-Za-z]++\*?)\}|\\fi\b")
_NOTE = r"(?>(?:[^\[\]{}]|\{[^{}]*+\})*)"
_MULTIPLE_NOTES = re.compile(r"(?:\s*+\([^()]*+\)){1,2}")
_ONE_OF_MULTIPLE = re.compile(
    rf"\s*+(?:\[{_NOTE}\]\s*+(?=\[))?(?:\[(?P<page>{_NOTE})\]\s*+)?\{{(?P<keys>[^{{}}]*+)\}}"
)
_NOT_TEXT = re.compile(r"\S")


def _without_verbatim(source: str) -> str:
    """Return the source with spaces in place of verbatim text."""
    ends: defaultdict[str | None, list[int]] = defaultdict(list)  # of each environment, and of \\fi
    for closing in _CLOSES.finditer(source):
        ends[closing["name"]].append(closing.end())
    last = {char: at for at, char in enumerate(source)}
    kept, done, at = [], 0, 0
    while opening := _OPENS.search(source, at):
        at = opening.end()
        delimiter = opening["delimiter"]
        if delimiter and last[delimiter] >= at:
            at = source.index(delimiter, at) + 1
            kept += [source[done : opening.start()], UNREAD]  # printed, and no markup
            done = opening.start() + 1
        elif opening["name"] or opening["false"]:
            same = ends[opening["name"]]
            after = bisect_right(same, at)
            at = same[after] if after < len(same) else at
        if at > opening.end():
            kept += [
                source[done : opening.start()],
                _NOT_TEXT.sub(" ", source[max(done, opening.start()) : at]),
            ]
            done = at
    return "".join([*kept, source[done:]])


_UNPRINTED = names("latex", "unprinted")
"""Macros whose arguments are not printed where they stand."""

_NOTES = frozenset({"footnote", "footnotetext", "endnote", "thanks", "sidenote"})
_ACCENTS = frozenset("'`^\"~=.uvHtcdbrk")
_LAST_ARGUMENT = names("latex", "last_argument")
_STRUCK = frozenset({"sout", "xout", "st", "cancel", "bcancel", "xcancel", "deleted", "replaced", "strike"})
"""Macros that strike their text through: a reader sees it, and that it does not count."""

_MADE_ELSEWHERE = names("latex", "made_elsewhere")
"""Macros that print what is not written there, or not in a row: numbers, pictures, terms."""

_FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "nicefrac", "sfrac", "cfrac"})
_WHITE = re.compile(r"\s*+(?:white|(?:1\s*+,\s*+1\s*+,\s*+1)|FFFFFF|white![^\s]*+|1)\s*+", re.IGNORECASE)
"""A colour in which text is not seen on paper."""

_DEEPEST = 8
"""Macros of the manuscript within one another that are resolved; no real ones are nested as deep."""

_SYMBOLS = MACROS["latex"]
"""What macros print that pylatexenc does not know, or prints otherwise."""

_SPECIALS = {"~": " ", "``": "“", "''": "”", "--": "–", "---": "—", "&": " "}


_SHORTHANDS = {
    "<<": "«",
    ">>": "»",
    ",,": "„",
    "´´": "”",
    '"`': "„",
    "\"'": "“",
    '"<': "«",
    '">': "»",
}
"""Marks as fonts and babel's shorthands write them."""

_DOUBLED = re.compile("<<|>>|,,|´´")
_GERMAN = re.compile("<<|>>|,,|´´|\"[`'<>]")
_DECLARES = re.compile(r"\{\s*+\\(quote|quotation|verse)\b")
"""Environments that are also declared, for a group."""

_QUOTING_ENVIRONMENTS = frozenset({"epigraph", "displayquotation", "blockquote", "pullquote"})
_OWN_ENVIRONMENTS = names("latex", "own_environments")
"""Environments of the writer's own words."""

_OWN_WORDS = frozenset(
    {"title", "author", "hl", "ul", "uline", "alert", "caption", "subtitle", "keywords", "item"}
)
"""Macros around the writer's own words."""

_GREEK = re.compile(r"(?:text|up|var)(?P<letter>[a-zA-Z]+)")
_SPECS = {**MACROS["latex_arguments"], **UNIT_MACROS}
"""Arguments of macros that pylatexenc does not know, or knows with others."""


@lru_cache(8)
def _context(macros: tuple[tuple[str, str], ...], environments: tuple[tuple[str, str], ...]) -> Any:
    database = latexwalker.get_default_latex_context_db()
    own = [MacroSpec(name, spec) for name, spec in {**_SPECS, **dict(macros)}.items()]
    bodies = [EnvironmentSpec(name, argument_spec(arguments)) for name, arguments in environments]
    database.add_context_category("pagequote", macros=own, environments=bodies, prepend=True)
    # pylatexenc compares each character with all specials ("``", "~"): two thirds of the time of a reading.
    firsts = {spec.specials_chars[0] for spec in database.iter_specials_specs()}
    compare = database.test_for_specials
    database.test_for_specials = lambda source, pos, **options: (
        compare(source, pos, **options) if source[pos] in firsts else None
    )
    return database


def _context_of(vocabulary: Vocabulary) -> Any:
    own = {
        **{name: one.spec for name, one in vocabulary.defined.items()},
        **{name: argument_spec(arguments) for name, arguments in vocabulary.macros.items()},
    }
    return _context(tuple(own.items()), tuple(vocabulary.environments.items()))


@lru_cache(1)
def _to_text() -> LatexNodes2Text:
    return LatexNodes2Text(math_mode="text", keep_comments=False)


@lru_cache(len(_ACCENTS))
def _accent(name: str) -> str:
    r"""Return the combining mark that a macro puts on a letter; "" for \t, which ties two."""
    return normalize("NFD", _to_text().latex_to_text(rf"\{name}{{a}}"))[1:]


def _accented(name: str, text: str) -> str:
    """Return the text with the accent on its first letter, where TeX puts it."""
    letter = _DOTTED.get(text[:1], text[:1])
    return normalize("NFC", letter + _accent(name)) + text[1:] if text else ""


_DOTTED = {"ı": "i", "ȷ": "j"}
_NO_SPACE_BEFORE = frozenset("{}.,;:!?)]'/-~\\")
r"""What \xspace puts no space before."""


def _symbol(name: str) -> str | None:
    """Return what a macro prints by itself, None where that is not known."""
    known = _to_text().latex_context.get_macro_spec(name)
    printed = known.simplify_repl if known else None
    if isinstance(printed, str):
        return printed.strip() if "%" not in printed else None
    greek = _GREEK.fullmatch(name)
    return _symbol(greek["letter"]) if greek else None


@lru_cache(32)
def _plain_text(brackets: str) -> re.Pattern[str]:
    """Return the pattern of text that is nothing but text where these brackets are read as such."""
    specials = (
        one.specials_chars for one in latexwalker.get_default_latex_context_db().iter_specials_specs()
    )
    marks = ("\\", "%", "$", "{", "}", *brackets, *specials)
    firsts = re.escape("".join({mark[0] for mark in marks}))
    longer = "|".join(re.escape(mark) for mark in marks)
    return re.compile(rf"(?>(?:[^{firsts}]++|(?!{longer})[{firsts}])+)")


class _Walker(latexwalker.LatexWalker):  # type: ignore[misc]  # pylatexenc has no annotations
    """Reads plain text at once, and each bracket once.

    pylatexenc reads a character at a time, and copies for each what it has read of the paragraph. It reads
    what follows a bracket that is never closed again and again: a dozen of them within each other took a
    second, and each one more twice as long.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._read: dict[Any, tuple[Any, int, int] | latexwalker.LatexWalkerParseError] = {}

    def get_token(self, pos: int, *args: Any, **options: Any) -> Any:
        """Return the token at `pos`: all plain text from there on, except where it may be an argument."""
        # What looks for an argument names no state, or no environments.
        anything = options.get("parsing_state") is not None and options.get("environments", True)
        if anything and not self.s[pos : pos + 1].isspace():
            brackets = "".join(map("".join, options.get("include_brace_chars") or ()))
            if plain := _plain_text(brackets).match(self.s, pos):
                text = plain[0].rstrip()
                return latexwalker.LatexToken("char", text, pos, len(text), pre_space="")
        return super().get_token(pos, *args, **options)

    def get_latex_braced_group(self, pos: int, brace_type: str = "{", parsing_state: Any = None) -> Any:
        """Return the group at `pos`, with its place and length. Raise LatexWalkerParseError."""
        state = parsing_state and (parsing_state.in_math_mode, parsing_state.math_mode_delimiter)
        if (asked := (pos, brace_type, state)) not in self._read:
            try:
                self._read[asked] = super().get_latex_braced_group(pos, brace_type, parsing_state)
            except latexwalker.LatexWalkerParseError as error:
                self._read[asked] = error
        found = self._read[asked]
        if isinstance(found, latexwalker.LatexWalkerParseError):
            raise found
        return found


class _LatexReader:
    """Adds the nodes of one source to a running text."""

    def __init__(
        self,
        source: str,
        vocabulary: Vocabulary,
        flow: RunningText,
        within: tuple[str, ...] = (),
        room: Expansion | None = None,
    ) -> None:
        self.source = without_definitions(_without_verbatim(source))
        self.vocabulary = vocabulary
        self.flow = flow
        self._within, self._room = within, room or Expansion(len(source))
        self._math = False
        self._marks = _GERMAN if '"`' in source else _DOUBLED
        self.walker = _Walker(self.source, latex_context=_context_of(vocabulary), tolerant_parsing=True)

    def read_all(self, *, math: bool = False) -> None:
        nodes, _, _ = self.walker.get_latex_nodes()
        self.read(nodes, math=math)

    def read(self, nodes: Iterable[Any], *, math: bool = False) -> None:
        moved_next = ""
        done = 0
        last: Any = None
        for node in nodes:
            if node is None or isinstance(node, latexwalker.LatexCommentNode) or node.pos < done:
                continue
            if isinstance(node, latexwalker.LatexMacroNode) and node.macroname in MULTIPLE_CITATIONS:
                done = self._citations(node)
                continue
            begins = self.flow.length
            ends = node.chars.rstrip()[-1:] if math and isinstance(node, latexwalker.LatexCharsNode) else ""
            ends_moved = ends if ends in ("^", "_") else ""
            if isinstance(node, latexwalker.LatexCharsNode):
                self._characters(node, math=math)
            elif isinstance(node, latexwalker.LatexGroupNode | latexwalker.LatexMathNode):
                self._group(node, math=math or isinstance(node, latexwalker.LatexMathNode))
            elif isinstance(node, latexwalker.LatexSpecialsNode):
                self._add(_SPECIALS.get(node.specials_chars, node.specials_chars), node)
            elif isinstance(node, latexwalker.LatexEnvironmentNode):
                self._environment(node)
            elif isinstance(node, latexwalker.LatexMacroNode):
                self._macro(node, math=math)
            last = self._beside(node, last, begins)
            if moved_next:
                end = begins + 1 if isinstance(node, latexwalker.LatexCharsNode) else None
                self.flow.move(moved_next, begins, end)
            moved_next = ends_moved

    def _group(self, node: Any, *, math: bool) -> None:
        declares, begins = _DECLARES.match(self.source, node.pos), self.flow.length
        self.read(node.nodelist, math=math)
        if declares:
            self.flow.contain(begins, declares[1])

    def _beside(self, node: Any, macro: Any, begins: int) -> Any:
        """Contain a group right behind a macro that is not known. Return what the next may be behind."""
        if isinstance(node, latexwalker.LatexMacroNode):
            cites = node.macroname not in MACROS_OF_LATEX and "cite" in node.macroname.lower()
            return node if cites or self._unknown(node) else None
        if (
            macro is None
            or node.pos != macro.pos + macro.len
            or not isinstance(node, latexwalker.LatexGroupNode)
        ):
            return None
        self.flow.contain(begins, f"\\{macro.macroname}", known=False)
        return None

    def _unknown(self, node: Any) -> str:
        """Return the name of a macro that is not known, so that what follows it in braces may be quoted."""
        name, told = str(node.macroname), self.vocabulary
        known = name in told.macros or name in told.defined or name in self._READS or name in _SYMBOLS
        argued = node.nodeargd is not None and any(node.nodeargd.argnlist or ())
        return "" if known or argued or name in _OWN_WORDS or _symbol(name) is not None else name

    def _add(self, text: str, node: Any) -> None:
        self.flow.add(text, node.pos, node.pos + node.len)

    def _characters(self, node: Any, *, math: bool) -> None:
        if not math:
            at = node.pos
            for mark in self._marks.finditer(self.source, node.pos, node.pos + node.len):
                self.flow.copy(self.source, at, mark.start())
                self.flow.add(_SHORTHANDS[mark[0]], *mark.span())
                at = mark.end()
            self.flow.copy(self.source, at, node.pos + node.len)
            return
        moved = ""
        for at in range(node.pos, node.pos + node.len):
            char = self.source[at]
            if char in "^_":
                moved = char
            else:
                begins = self.flow.length
                self.flow.copy(self.source, at, at + 1)
                if moved:
                    self.flow.move(moved, begins, begins + 1)
                moved = ""

    def _macro(self, node: Any, *, math: bool) -> None:
        name = node.macroname
        arguments = [one for one in (node.nodeargd.argnlist or []) if one] if node.nodeargd else []
        if name in self.vocabulary.macros:
            self._told(node, self.vocabulary.macros[name])
        elif name in self.vocabulary.defined:
            self._defined(node, self.vocabulary.defined[name], arguments, math=math)
        elif name in self._READS:
            self._math = math
            self._READS[name](self, node, arguments)
        elif name in _SYMBOLS or not arguments:
            self._printed(_SYMBOLS[name] if name in _SYMBOLS else _symbol(name), node)
        else:
            self.read(arguments[-1:] if name in _LAST_ARGUMENT else arguments, math=math)

    def _nothing(self, node: Any, arguments: Sequence[Any]) -> None:
        """Add nothing: the macro prints nothing where it stands."""

    def _unread(self, node: Any, arguments: Sequence[Any]) -> None:  # noqa: ARG002
        self.flow.unread(node.pos, node.pos + node.len)

    def _note(self, node: Any, arguments: Sequence[Any]) -> None:
        with self.flow.noting(node.pos, node.pos + node.len):
            self.read(arguments[-1:])

    def _edited(self, node: Any, arguments: Sequence[Any]) -> None:
        r"""Add an editor's brackets of csquotes: \textelp{}, \textins{added}, \textdel{removed}."""
        name, start, end = node.macroname, node.pos, node.pos + node.len
        star = any(isinstance(one, latexwalker.LatexCharsNode) and one.chars == "*" for one in arguments)
        before = "[… " if name == "textelp" and not star else "["
        self.flow.add(before.rstrip(), start, start + 1)
        begins = self.flow.length
        self.flow.add(before[2:], start, start + 1)
        inside = self.flow.length
        self.read(arguments[-1:] if name != "textdel" else ())
        if self.flow.length == inside:
            self.flow.forget(begins)  # nothing was put in
        self.flow.add(" …]" if name == "textelp" and star else "]", end - 1, end)

    def _accent(self, node: Any, arguments: Sequence[Any]) -> None:
        self._add(_accented(node.macroname, self._read_separately(arguments).words().text), node)

    def _space(self, node: Any, arguments: Sequence[Any]) -> None:  # noqa: ARG002
        r"""Add the space of \xspace, which there is none of before a mark."""
        self._add("" if self._after(node) in _NO_SPACE_BEFORE else " ", node)

    def _quantity(self, node: Any, arguments: Sequence[Any]) -> None:
        braced = [self._inside(one) for one in arguments if not self._optional(one)]
        self._printed(quantity(node.macroname, braced) if braced else None, node)

    def _fraction(self, node: Any, arguments: Sequence[Any]) -> None:
        math = self._math
        self.read(arguments[:1], math=math)
        self._add("/", node)
        self.read(arguments[1:], math=math)

    def _negated(self, node: Any, arguments: Sequence[Any]) -> None:
        self._add(normalize("NFC", f"{self._read_separately(arguments).words().text}\u0338"), node)

    def _coloured(self, node: Any, arguments: Sequence[Any]) -> None:
        colour, *text = [one for one in arguments if not self._optional(one)] or [None]
        if colour is None or _WHITE.fullmatch(self._inside(colour)):
            self._unread(node, arguments)
        else:
            self.read(text, math=self._math)

    def _moved(self, node: Any, arguments: Sequence[Any]) -> None:
        begins = self.flow.length
        self.read(arguments, math=self._math)
        self.flow.move("^" if node.macroname == "textsuperscript" else "_", begins)

    def _doubled(self, node: Any, arguments: Sequence[Any]) -> None:  # noqa: ARG002
        r"""Add the mark of \lq or \rq, two of which are a double one."""
        single, double = ("‘", "“") if node.macroname == "lq" else ("’", "”")
        if self.flow.length and self.flow.text(self.flow.length - 1) == single:
            self.flow.forget(self.flow.length - 1)
            single = double
        self._add(single, node)

    def _degree(self, node: Any, arguments: Sequence[Any]) -> None:  # noqa: ARG002
        self._add("°" if self._math else "∘", node)

    def _after(self, node: Any) -> str:
        return self.source[node.pos + node.len : node.pos + node.len + 1]

    def _printed(self, text: str | None, node: Any) -> None:
        """Add what a macro prints, or that it is not known."""
        if text is None:
            self.flow.unread(node.pos, node.pos + node.len)
        else:
            self._add(text, node)

    def _optional(self, node: Any) -> bool:
        return self.source.startswith("[", node.pos)

    def _defined(self, node: Any, definition: Definition, arguments: list[Any], *, math: bool) -> None:
        """Add what a macro prints that the manuscript defines itself."""
        name = node.macroname
        given = [self._inside(one) for one in arguments]
        if definition.default is not None and not any(map(self._optional, arguments[:1])):
            given.insert(0, definition.default)
        unknown = name in self._within or len(self._within) >= _DEEPEST or len(given) < definition.arguments
        if unknown or not self._room.takes(definition.length(given)):
            self.flow.unread(node.pos, node.pos + node.len)
            return
        inner, places, source = RunningText(), Spans(), ""
        starts = [-1] * (len(given) - len(arguments)) + [self._span(one)[0] for one in arguments]
        for piece, number in definition.filled(given):
            source += piece
            if number is None or starts[number] < 0:
                places.add(node.pos, node.pos + node.len, len(piece))
            else:
                places.add_each(starts[number], len(piece))
        _LatexReader(source, self.vocabulary, inner, (*self._within, name), self._room).read_all(math=math)
        if inner.citations or inner.quoted or inner.quotations or '"' in inner.text() or "“" in inner.text():
            self.flow.splice(inner, places)
            return
        text = inner.words().text
        spaced = definition.body.rstrip().endswith("\\xspace")
        begins = definition.body[:1].isspace()
        ends = (spaced and self._after(node) not in _NO_SPACE_BEFORE) or (
            not spaced and definition.body[-1:].isspace()
        )
        self._add(" " * begins + text + " " * ends, node)

    def _environment(self, node: Any) -> None:
        name = node.environmentname
        if name in self.vocabulary.environments:
            self._told(node, self.vocabulary.environments[name], node.nodelist)
        else:
            math = name.rstrip("*") in ("equation", "align", "gather", "displaymath", "math", "multline")
            begins = self.flow.length
            self.read(node.nodelist, math=math)
            if name.rstrip("*") not in _OWN_ENVIRONMENTS and not math:
                self.flow.contain(begins, f"\\begin{{{name}}}", known=name in _QUOTING_ENVIRONMENTS)

    def _told(self, node: Any, arguments: str, body: Sequence[Any] | None = None) -> None:
        """Read a macro or an environment of the vocabulary."""
        given = dict(_given(node, arguments))
        start, end = node.pos, node.pos + node.len
        name = node.macroname if body is None else node.environmentname
        if "file" in given:
            self.flow.files.append(self._inside(given["file"]))
            return
        quoted: Sequence[Any] | None = (
            body if body is not None else [given["quote"]] if "quote" in given else None
        )
        citation = self._citation(name, given, start, end)
        if quoted is None:
            if citation is not None:
                self.flow.cite(citation)
            return
        if citation is not None:
            words = self._read_separately(quoted).words()
            if words.text:
                counting: Counting = "physical" if counts_physical(name) else "printed"
                self.flow.quote(Quotation(words, citation.keys, citation.locator, start, end, name, counting))
            return
        with self.flow.quoting(name, start, end, block=body is not None or name in ("epigraph", "dictum")):
            self.read(quoted)
        if "source" in given:
            self.flow.add(" (", end, end)
            self.read([given["source"]])
            self.flow.add(")", end, end)

    def _citation(self, name: str, given: dict[str, Any], start: int, end: int) -> Citation | None:
        if "source" in given:
            cited = self._read_separately([given["source"]]).citations
            return next(iter(cited.values()), None)
        if "key" not in given:
            return None
        keys = tuple(key.strip() for key in self._inside(given["key"]).split(",") if key.strip())
        note = given.get("page") or given.get("pre")
        locator = parse_locator(self.source, *self._span(note)) if note is not None else None
        return Citation(keys, locator, start, end, textual(name)) if keys else None

    def _citations(self, node: Any) -> int:
        """Read a macro with several citations, each with its own notes. Return where the last one ends."""
        end: int = node.pos + len(node.macroname) + 1
        if notes := _MULTIPLE_NOTES.match(self.source, end):
            end = notes.end()
        each = []
        while one := _ONE_OF_MULTIPLE.match(self.source, end):
            end = one.end()
            locator = parse_locator(self.source, *one.span("page")) if one["page"] else None
            each += [(key.strip(), locator) for key in one["keys"].split(",") if key.strip()]
        if each:
            keys = tuple(key for key, _ in each)
            self.flow.cite(Citation(keys, each[0][1], node.pos, end, textual(node.macroname), tuple(each)))
        return end

    def _read_separately(self, nodes: Sequence[Any]) -> RunningText:
        reader = copy(self)
        reader.flow = RunningText()
        reader.read(nodes)
        return reader.flow

    def _span(self, node: Any) -> tuple[int, int]:
        start, end = node.pos, node.pos + node.len
        return (start + 1, end - 1) if isinstance(node, latexwalker.LatexGroupNode) else (start, end)

    def _inside(self, node: Any) -> str:
        return self.source[slice(*self._span(node))]

    _READS: ClassVar[Mapping[str, Callable[["_LatexReader", Any, Sequence[Any]], None]]] = {
        **dict.fromkeys(_UNPRINTED, _nothing),
        **dict.fromkeys(_NOTES, _note),
        **dict.fromkeys((*_STRUCK, *_MADE_ELSEWHERE), _unread),
        **dict.fromkeys(UNIT_MACROS, _quantity),
        **dict.fromkeys(_FRACTIONS, _fraction),
        **dict.fromkeys(_ACCENTS, _accent),
        **dict.fromkeys(("textelp", "textins", "textdel"), _edited),
        **dict.fromkeys(("lq", "rq"), _doubled),
        "xspace": _space,
        "not": _negated,
        "textcolor": _coloured,
        "color": _coloured,
        "textsuperscript": _moved,
        "textsubscript": _moved,
        "circ": _degree,
    }
    """What is done with a macro, by its name; the others print a symbol, or their arguments."""


def _given(node: Any, arguments: str) -> Iterable[tuple[str, Any]]:
    """Return the given arguments by their roles."""
    nodes = (node.nodeargd.argnlist if node.nodeargd else None) or []
    for argument, value in zip(arguments.split(), nodes, strict=False):
        if value is not None:
            yield role(argument), value
