"""Quotations of a Typst manuscript, with the exact place of every character.

Typst's own compiler gives no places to programs beside it; of its markup, what quotes, cites and hides text
is read here.
"""

import re
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from html import unescape
from typing import ClassVar

from lookup.papers.locators import parse_locator
from pagequote.check.latex_units import MACROS, names
from pagequote.check.manuscript import Manuscript
from pagequote.check.quotation import UNREAD, Citation
from pagequote.check.quotation_marks import long_enough
from pagequote.check.quoting import quoting
from pagequote.check.running_text import QUOTES, RunningText, Scanner
from pipeline.files.expansion import Expansion

_NAMES = names("typst")


def read(source: str, *_: object) -> Manuscript:
    """Return the quotations of a Typst source, and the files that it includes."""
    flow = RunningText()
    variables = {one["name"]: one["string"] or one["content"] or "" for one in _LET.finditer(source)}
    _TypstReader(source, flow, variables).read(0, len(source))
    return quoting(flow)


_GREEK = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon
    phi chi psi omega
""".split()
_KEY = r"[\w][\w:.\-]*[\w]|\w"
_TOKEN = re.compile(
    r"(?P<line>(?<!:)//[^\n]*)"
    r"|(?P<term>(?<![^\n])/ [^:\n]++:(?P<explains>[^\n]*+))"
    r"|(?P<comment>/\*)"
    r"|(?P<ticks>`++)"
    r"|(?P<escape>\\(?:u\{(?P<code>[0-9a-fA-F]{1,6}+)\}|\S))"
    rf"|(?P<cite>(?<![\w@])@(?P<key>{_KEY}))"
    r"|(?P<call>#(?P<name>[A-Za-z_][\w.\-]*))"
    r"|(?P<braces>#\{)|(?P<bracket>#\[)"
    r"|(?P<math>\$[^$]*\$)"
    r"|(?P<label><[\w:.\-]+>)"
    r"|(?P<mark>-{2,3}|\.\.\.|~)"
    r"|(?P<strong>\*+|(?<!\w)_|_(?!\w))",
    re.DOTALL,
)
_LABEL = re.compile(r"<(?P<name>[^<>\s]++)>|\blabel\(\s*+\"(?P<told>[^\"]++)\"")
_ATTRIBUTED = re.compile(
    r"attribution\s*+:\s*+(?:<(?P<label>[^<>]++)>|(?P<content>\[)|cite(?P<cite>\()|label\(\"(?P<told>[^\"]++)\"\))"
)
_SUPPLEMENT = re.compile(r"supplement\s*+:\s*+(?:\[(?P<note>[^\[\]]*+)\]|\"(?P<text>[^\"]*+)\")")
_IN_ARGUMENTS = re.compile(
    r"(?P<named>[\w-]++\s*+:(?!:)\s*+)?"
    r"(?:(?P<call>\b(?:quote|cite)\b)(?=[(\[])|\"(?P<string>(?>(?:\\.|[^\"\\])*))\"|(?P<content>\[)|(?P<ticks>`++))"
)
_QUOTES = re.compile(r"(?:block|pull)?-?quote|epigraph", re.IGNORECASE)
_BLOCK = re.compile(r"block\s*+:\s*+true")
_PATH = re.compile(r"\s*+\"(?P<path>[^\"]++)\"")
_AGAIN = re.compile(rf"\s*+@(?P<key>{_KEY})\[")
"""The key that a quotation is attributed to, again, with its pages."""

_MATH = re.compile(
    r"(?P<move>[\^_])(?:\((?P<group>[^()]*+)\)|(?P<one>[-−]?\w))|\"(?P<text>[^\"]*+)\"|[\^_]"
    r"|(?P<sign><=>|->|=>|<=|>=|!=|\+-|-\+|\*)|(?P<number>\d[\d.,]*+)"
    r"|(?P<name>[A-Za-z]{2,}(?>(?:\.[A-Za-z]+)*))|(?P<call>#)|(?P<other>.)",
    re.DOTALL,
)
_SIGNS = MACROS["typst"] | {
    letter: unescape(f"&{letter};") for name in _GREEK for letter in (name, name.capitalize())
}
_PALE = re.compile(
    r"\bfill\s*+:\s*+(?:white|luma|rgb|color|cmyk|none|oklab|oklch)|\bsize\s*+:\s*+[0-3](?:\.\d+)?pt"
)
_LET = re.compile(  # variables that are plain text: `#let a = "aspirin"`, `#let a = [aspirin]`
    r"^[ \t]*+#let[ \t]++(?P<name>[A-Za-z_][\w\-]*+)[ \t]*+=[ \t]*+"
    r"(?:\[(?P<content>[^\[\]#]*+)\]|\"(?P<string>[^\"\\]*+)\")",
    re.MULTILINE,
)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_IN_MARKUP = re.compile(r"\\.|(?P<ticks>`++)|(?P<mark>[()\[\]{}])", re.DOTALL)
_IN_CODE = re.compile(
    r"\\.|(?P<ticks>`++)|\"(?>(?:\\.|[^\"\\])*)\"|(?P<mark>[()\[\]{}])", re.DOTALL
)  # strings too
_STRING = re.compile(r"\s*+\"(?P<text>[^\"\\]*+)\"\s*+")
_ELSE = re.compile(r"\s*+else\b[^\[\]{}\n]*+(?=[\[{])")
_ENDS_OR_OPENS = re.compile(r"[\n;(\[{]")
_VARIABLE = re.compile(r"#?let[ \t]++[\w-]++[ \t]*+=")


class _TypstReader(Scanner):
    """Adds markup to a running text."""

    TOKENS = _TOKEN
    MARKS: ClassVar = {"--": "–", "---": "—", "...": "…", "~": " "}
    STARTS = re.compile(r"""[/`\\@#$<.~*_\-]""")

    def __init__(
        self, source: str, flow: RunningText, variables: Mapping[str, str], room: Expansion | None = None
    ) -> None:
        super().__init__(source, flow)
        self.variables = variables
        self._room = room or Expansion(len(source))
        self._closings: dict[int, int] = {}

    def _on_comment(self, token: re.Match[str]) -> int:
        """Pass over a comment, which may hold others."""
        depth = 0
        for mark in _COMMENT_MARK.finditer(self.source, token.start(), self.end):
            depth += 1 if mark[0] == "/*" else -1
            if not depth:
                return mark.end()
        return self.end

    def _on_term(self, token: re.Match[str]) -> None:
        """Read a term and what explains it, which may be quoted."""
        start, end = token.span("explains")
        self.read(token.start() + 2, start)
        self.hold(start, end, "a definition")

    def _on_escape(self, token: re.Match[str]) -> None:
        """Add a character that is no markup, or that its number tells."""
        number = int(token["code"] or "0", 16)
        char = chr(number) if number <= sys.maxunicode else "\ufffd"
        self.flow.add(char if token["code"] else token[0][1], *token.span())

    def _on_cite(self, token: re.Match[str]) -> int:
        note, stop = self._between("[", token.end())
        each = ((token["key"], parse_locator(self.source, *note)),)
        self.flow.cite(Citation(each, token.start(), stop))
        return stop

    def _on_braces(self, token: re.Match[str]) -> int:
        inside, stop = self._between("{", token.end() - 1)
        self._arguments("", *inside)
        return stop

    def _on_bracket(self, token: re.Match[str]) -> int:
        """Read content by itself, which may quote."""
        inside, stop = self._between("[", token.end() - 1)
        self.hold(*inside, "#[...]")
        return stop

    def _on_math(self, token: re.Match[str]) -> None:
        """Add a formula; in it a number after "^" is raised, one after "_" lowered."""
        for match in _MATH.finditer(self.source, token.start() + 1, token.end() - 1):
            name = match["sign"] or match["name"]
            if match["move"]:
                self.flow.copy(self.source, *match.span("one" if match["one"] else "group"), match["move"])
            elif match["text"] is not None:
                self.flow.copy(self.source, *match.span("text"))
            elif name in _SIGNS:
                self.flow.add(_SIGNS[name], *match.span())
            elif match["call"] or (name and name not in _NAMES["settings"]):
                self.flow.unread(*match.span())
            elif not name and match[0] not in "^_":
                self.flow.copy(self.source, *match.span())

    def _on_ticks(self, token: re.Match[str]) -> int | None:
        """Add raw text, whose marks quote nothing, but for blocks of code. Backticks may be printed, too."""
        start, stop = token.span()
        closed = self._raw_end(start, stop)
        if closed is None:
            self.flow.copy(self.source, start, stop)
        elif stop - start == 1:
            self.flow.add_each(self.source[stop : closed - 1].translate(QUOTES), stop)
        elif stop - start > 2:
            self.flow.unread(start, closed)
        return closed

    def _on_call(self, token: re.Match[str]) -> int:
        """Read a function, `#name(arguments)[content]`; both parts may be missing."""
        return self._call(token["name"], *token.span())

    def _call(self, name: str, start: int, stop: int) -> int:
        """Read a function of this name. Return where it ends."""
        if name == "include":
            path = _PATH.match(self.source, stop, self.end)
            self.flow.files += [path["path"]] if path else []
            return path.end() if path else stop
        if name in _NAMES["code"]:
            # What is shown on a condition, or again and again, is not known; nor is what a rule shows.
            after, stop = stop, self._statement_end(stop)
            if name in ("if", "for", "while"):
                self.flow.unread(start, stop)
            if name != "let" or _VARIABLE.match(self.source, start):
                self._arguments(name, after, min(stop, self.end))
            return stop
        arguments, stop = self._between("(", stop)
        if name == "quote":
            return self._quote(start, arguments, stop)
        if name == "cite":
            label = _LABEL.search(self.source, *arguments)
            note = _SUPPLEMENT.search(self.source, *arguments)
            locator = parse_locator(self.source, *note.span(note.lastgroup or 0)) if note else None
            if label:
                self.flow.cite(Citation(((label["name"] or label["told"], locator),), start, stop))
            return stop
        stop = self._content(name, start, arguments, stop)
        return stop + self.source.startswith(";", stop)

    def _content(self, name: str, start: int, arguments: tuple[int, int], stop: int) -> int:
        """Add what a function, a variable or a symbol prints. Return where it ends."""
        flow, bare = self.flow, arguments[0] == arguments[1] and not self.source.startswith("[", stop)
        text, sign = self.variables.get(name), name.removeprefix("sym.")
        if text is None and (sign != name or name == "smartquote"):
            text = _SIGNS.get(sign)
        elif text is not None and bare and not self._room.takes(len(text)):
            text = UNREAD
        if bare and text is not None:
            flow.add(text, start, stop)
            return stop
        plain = any(name in _NAMES[kind] for kind in ("forms_of_text", "no_content", "held_apart"))
        if not plain or _PALE.search(self.source, *arguments):
            flow.unread(start, stop)
        if name == "linebreak":
            flow.add(" ", start, stop)
        begins = flow.length
        with flow.noting(start, stop) if name == "footnote" else nullcontext():
            if plain and (string := _STRING.fullmatch(self.source, *arguments)):
                flow.copy(self.source, *string.span("text"))
            elif name not in _NAMES["no_content"]:
                self._arguments(name, *arguments)
            while self.source.startswith("[", stop, self.end):
                inside, stop = self._between("[", stop)
                self.read(*inside)
        self._held(name, begins, arguments)
        return stop

    def _held(self, name: str, begins: int, arguments: tuple[int, int]) -> None:
        """Hide, move or quote what a function printed; a label among its arguments cites."""
        if name == "hide":
            self.flow.forget(begins)
        elif name in ("super", "sub"):
            self.flow.move("^" if name == "super" else "_", begins)
        if name in _NAMES["own_words"] or name in _NAMES["no_content"]:
            return
        label = _LABEL.search(self.source, *arguments) if name not in _NAMES["no_text"] else None
        if label and not any(place >= begins for place in reversed(self.flow.citations)):
            self.flow.cite(Citation(((label["name"] or label["told"], None),), *label.span()))
        known = _QUOTES.fullmatch(name.rpartition(".")[2]) is not None
        self.flow.contain(begins, f"#{name}", known=known, beside=name in _NAMES["forms_of_text"])

    def _arguments(self, name: str, start: int, end: int) -> None:
        """Add the texts that stand in code: contents, quotations and citations; strings may be quoted."""
        before, self.end = self.end, end
        at = start
        while (token := _IN_ARGUMENTS.search(self.source, at, end)) is not None:
            at = token.end()
            if token["call"]:
                at = self._call(token["call"], token.start("call"), at)
            elif token["ticks"]:
                at = self._raw_end(token.start("ticks"), at) or at
            elif token["content"]:
                inside, at = self._between("[", token.start("content"))
                self.read(*inside)
                self.flow.add(" ", at - 1, at)
            elif name not in _NAMES["no_text"] and not token["named"] and long_enough(token["string"]):
                begins = self.flow.length
                self.flow.copy(self.source, *token.span("string"))
                self.flow.contain(begins, f"#{name}", known=_QUOTES.fullmatch(name) is not None)
        self.end = before

    def _quote(self, start: int, arguments: tuple[int, int], stop: int) -> int:
        """Add a quotation: its content stands behind its arguments, or among them. Return where it ends."""
        body, closed = self._between("[", stop)
        end = closed
        if closed == stop:
            every = (one for one in _IN_ARGUMENTS.finditer(self.source, *arguments) if not one["named"])
            given = next((one for one in every if one["content"] or one["string"]), None)
            if given is None:
                variable = self.source[slice(*arguments)].strip()
                with self.flow.quoting("#quote", start, stop, block=True):
                    self.flow.add(self.variables.get(variable, UNREAD), start, stop)
                return stop
            body, closed = given.span("string"), given.end()
            if given["content"]:
                body, closed = self._between("[", given.start("content"))
        block = _BLOCK.search(self.source, *arguments) is not None
        with self.flow.quoting("#quote", start, closed, block=block):
            self.read(*body)
        if attributed := _ATTRIBUTED.search(self.source, *arguments):
            self._attribution(attributed, closed)
        return end

    def _attribution(self, given: re.Match[str], after: int) -> None:
        """Add whom a quotation is attributed to, which stands before it and is printed behind it."""
        at = given.end()
        if key := given["label"] or given["told"]:
            note = _AGAIN.match(self.source, after, self.end)
            again = note and note["key"] == key
            if not again:
                self.flow.cite(Citation(((key, None),), *given.span("label" if given["label"] else "told")))
        elif given["cite"]:
            self._call("cite", given.start("cite"), given.start("cite"))
        else:
            self.flow.add(" (", at, at)
            self.read(at, self._closing(at - 1))
            self.flow.add(")", at, at)

    def _statement_end(self, at: int) -> int:
        """Return where a statement of code ends: at the end of its line, unless a bracket is open.

        One whose blocks stand within a line ("#if x [this] else [that]") ends with the last of them.
        """
        while (mark := _ENDS_OR_OPENS.search(self.source, at, self.end)) and mark[0] in "([{":
            _, at = self._between(mark[0], mark.start())
            otherwise = _ELSE.match(self.source, at, self.end)
            if mark[0] != "(" and otherwise is None:
                return at
            at = otherwise.end() if mark[0] != "(" and otherwise else at
        return mark.start() if mark else self.end

    def _between(self, opening: str, start: int) -> tuple[tuple[int, int], int]:
        """Return what stands in the brackets at `start`, and where they end; nothing where there are none."""
        if not self.source.startswith(opening, start, self.end):
            return (start, start), start
        close = self._closing(start)
        return (start + 1, close), min(close + 1, self.end)

    def _closing(self, start: int) -> int:
        """Return the bracket that closes the one at `start`, or `self.end`. Those in strings do not count.

        What a pass finds out about the brackets within is kept, so that nested ones are not read again.
        """
        if start in self._closings:
            return min(self._closings[start], self.end)
        opening = self.source[start]
        tokens = _IN_CODE if opening == "(" else _IN_MARKUP
        closing = {"(": ")", "[": "]", "{": "}"}[opening]
        opened: list[int] = []
        at = start
        while (token := tokens.search(self.source, at, self.end)) is not None:
            at = token.end()
            if token["ticks"]:
                at = self._raw_end(token.start(), at) or at
            elif token["mark"] == opening:
                opened.append(token.start())
            elif token["mark"] == closing:
                self._closings[opened.pop()] = token.start()
                if not opened:
                    return token.start()
        self._closings |= dict.fromkeys(opened, self.end)
        return self.end

    def _raw_end(self, start: int, stop: int) -> int | None:
        """Return where the raw text ends that the backticks `source[start:stop]` open; two are empty."""
        count = stop - start
        closing = self.source.find("`" * count, stop, self.end) if count != 2 else start
        return closing + count if closing >= 0 else None
