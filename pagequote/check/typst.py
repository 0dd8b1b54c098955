"""Quotations of a Typst manuscript, with the exact place of every character.

Typst's own compiler gives no places to programs beside it; of its markup, what quotes, cites and hides text
is read here.
"""

import re
import sys

from pagequote.check.locators import parse_locator
from pagequote.check.quotation import Citation, Quotation
from pagequote.check.running_text import Quoted, RunningText, quotations
from pagequote.check.superscript_text import as_superscripts


def read_typst(source: str) -> tuple[list[Quotation], list[str]]:
    """Return the quotations of a Typst source, and the files that it includes."""
    flow = RunningText()
    _TypstReader(source, flow).read(0, len(source))
    return quotations(flow, straight=True), flow.files


_KEY = r"[\w][\w:.\-]*[\w]|\w"
_TOKEN = re.compile(
    r"(?P<line>(?<!:)//[^\n]*)"
    r"|(?P<comment>/\*)"
    r"|(?P<ticks>`++)"
    r"|(?P<escape>\\(?:u\{(?P<code>[0-9a-fA-F]{1,6}+)\}|\S))"
    rf"|(?P<cite>(?<![\w@])@(?P<key>{_KEY}))"
    r"|(?P<call>#(?P<name>[A-Za-z_][\w.\-]*))"
    r"|(?P<math>\$[^$]*\$)"
    r"|(?P<label><[\w:.\-]+>)"
    r"|(?P<dash>-{2,3})|(?P<dots>\.\.\.)|(?P<space>~)"
    r"|(?P<strong>\*+|(?<!\w)_|_(?!\w))",
    re.DOTALL,
)
_LABEL = re.compile(r"<([^<>]++)>")
_ATTRIBUTED = re.compile(r"attribution\s*+:\s*+(?:<(?P<label>[^<>]++)>|(?P<content>\[))")
_SUPPLEMENT = re.compile(r"supplement\s*+:\s*+\[(?P<note>[^\[\]]*+)\]")
_BLOCK = re.compile(r"block\s*+:\s*+true")
_PATH = re.compile(r"\s*+\"(?P<path>[^\"]++)\"")
_SPACE = re.compile(r"\s*+")
_MATH = re.compile(r"\^(?:\((?P<group>[^()]*+)\)|(?P<one>[-−]?\w))|\"|_|(?P<other>[^^\"_])")
_COMMENT_MARK = re.compile(r"/\*|\*/")
_IN_MARKUP = re.compile(r"\\.|(?P<ticks>`++)|(?P<mark>[()\[\]{}])", re.DOTALL)
_IN_CODE = re.compile(
    r"\\.|(?P<ticks>`++)|\"(?:\\.|[^\"\\])*+\"|(?P<mark>[()\[\]{}])", re.DOTALL
)  # strings too
_CODE = frozenset({"let", "set", "show", "import", "if", "for", "while"})


class _TypstReader:
    def __init__(self, source: str, flow: RunningText) -> None:
        self.source = source
        self.flow = flow
        self._closings: dict[int, int] = {}

    def read(self, start: int, end: int) -> None:
        """Add the markup `source[start:end]`."""
        at = start
        while at < end:
            token = _TOKEN.search(self.source, at, end)
            self.flow.copy(self.source, at, token.start() if token else end)
            if token is None:
                return
            at = max(self._token(token, end), token.end())

    def _token(self, token: re.Match[str], end: int) -> int:
        """Add the printed text of a token. Return where the markup goes on."""
        start, stop = token.span()
        if token["comment"]:
            return self._comment_end(start, end)
        if token["ticks"]:
            return self._raw(start, stop, end)
        if token["escape"]:
            code = token["code"]
            number = int(code, 16) if code else 0
            char = chr(number) if number <= sys.maxunicode else "\ufffd"
            self.flow.add(char if code else token["escape"][1], start, stop)
        elif token["cite"]:
            return self._cited(token["key"], start, stop, end)
        elif token["call"]:
            return self._call(token["name"], start, stop, end)
        elif token["math"]:
            self._math(start + 1, stop - 1)
        elif token["dash"]:
            self.flow.add("–" if stop - start == 2 else "—", start, stop)
        elif token["dots"]:
            self.flow.add("…", start, stop)
        elif token["space"]:
            self.flow.add(" ", start, stop)
        return stop

    def _cited(self, key: str, start: int, stop: int, end: int) -> int:
        locator = None
        if self.source[stop : stop + 1] == "[":
            close = self._closing(stop, end)
            locator = parse_locator(self.source, stop + 1, close)
            stop = close + 1
        self.flow.cite(Citation((key,), locator, start, stop))
        return stop

    def _call(self, name: str, start: int, stop: int, end: int) -> int:
        """Read a function, `#name(arguments)[content]`; both parts may be missing. Return where it ends."""
        if name == "include":
            path = _PATH.match(self.source, stop, end)
            self.flow.files += [path["path"]] if path else []
            return path.end() if path else stop
        if name in _CODE:
            return self._statement_end(stop, end)
        arguments = (stop, stop)
        if self.source[stop : stop + 1] == "(":
            close = self._closing(stop, end)
            arguments, stop = (stop + 1, close), close + 1
        if name == "quote":
            return self._quote(start, arguments, stop, end)
        if name == "cite":
            self._cite_call(start, arguments, stop)
            return stop
        before, self.flow.aside = self.flow.aside, self.flow.aside or name == "footnote"
        while self.source[stop : stop + 1] == "[" and stop < end:
            close = self._closing(stop, end)
            begins = len(self.flow.chars)
            self.read(stop + 1, close)
            if name == "super":
                self.flow.chars[begins:] = as_superscripts("".join(self.flow.chars[begins:]))
            stop = close + 1
        self.flow.aside = before
        return stop

    def _cite_call(self, start: int, arguments: tuple[int, int], stop: int) -> None:
        label = _LABEL.search(self.source, *arguments)
        note = _SUPPLEMENT.search(self.source, *arguments)
        if label is not None:
            locator = parse_locator(self.source, *note.span("note")) if note else None
            self.flow.cite(Citation((label[1],), locator, start, stop))

    def _quote(self, start: int, arguments: tuple[int, int], stop: int, end: int) -> int:
        if self.source[stop : stop + 1] != "[":
            return stop
        close = self._closing(stop, end)
        citation = self._attribution(arguments)
        block = _BLOCK.search(self.source, *arguments) is not None
        if citation is not None:
            inner = RunningText()
            _TypstReader(self.source, inner).read(stop + 1, close)
            locator = citation.locator
            words = inner.words()
            spaces = _SPACE.match(self.source, close + 1, end)
            after = spaces.end() if spaces else end
            if locator is None and self.source.startswith(again := f"@{citation.keys[0]}[", after, end):
                note = after + len(again)
                locator = parse_locator(self.source, note, self._closing(note - 1, end))
            if words.text:
                self.flow.quote(Quotation(words, citation.keys, locator, start, close + 1, "#quote"))
            return close + 1
        begins = len(self.flow.chars)
        self.flow.add("\n\n" if block else "“", start, start + 1)
        self.read(stop + 1, close)
        ends = len(self.flow.chars)
        self.flow.add("\n\n" if block else "”", close, close + 1)
        region = (
            Quoted(begins + 2, ends, "#quote", block=True) if block else Quoted(begins, ends + 1, "#quote")
        )
        if region.end > region.start:
            self.flow.quoted.append(region)
        return close + 1

    def _attribution(self, arguments: tuple[int, int]) -> Citation | None:
        given = _ATTRIBUTED.search(self.source, *arguments)
        if given is None:
            return None
        if given["label"]:
            return Citation((given["label"],), None, *given.span("label"))
        inner = RunningText()
        content = given.end("content")
        _TypstReader(self.source, inner).read(content, self._closing(content - 1, arguments[1]))
        return next(iter(inner.citations.values()), None)

    def _math(self, start: int, end: int) -> None:
        """Add the characters of a formula; a number after "^" becomes a superscript."""
        for match in _MATH.finditer(self.source, start, end):
            for group in ("group", "one", "other"):
                if match[group]:
                    begins = len(self.flow.chars)
                    self.flow.copy(self.source, *match.span(group))
                    if group != "other":
                        self.flow.chars[begins:] = as_superscripts("".join(self.flow.chars[begins:]))

    def _comment_end(self, start: int, end: int) -> int:
        depth = 0
        for mark in _COMMENT_MARK.finditer(self.source, start, end):
            depth += 1 if mark[0] == "/*" else -1
            if not depth:
                return mark.end()
        return end

    def _statement_end(self, at: int, end: int) -> int:
        """Return where a statement of code ends: at the end of its line, unless a bracket is open."""
        while at < end and self.source[at] != "\n":
            at = self._closing(at, end) + 1 if self.source[at] in "([{" else at + 1
        return at

    def _closing(self, start: int, end: int) -> int:
        """Return the bracket that closes the one at `start`, or `end`. Brackets in strings do not count.

        What a pass finds out about the brackets within is kept, so that nested ones are not read again.
        """
        if start in self._closings:
            return min(self._closings[start], end)
        opening = self.source[start]
        tokens = _IN_CODE if opening == "(" else _IN_MARKUP
        closing = {"(": ")", "[": "]", "{": "}"}[opening]
        opened: list[int] = []
        at = start
        while (token := tokens.search(self.source, at, end)) is not None:
            at = token.end()
            if token["ticks"]:
                at = self._raw_end(token.start(), at, end) or at
            elif token["mark"] == opening:
                opened.append(token.start())
            elif token["mark"] == closing:
                self._closings[opened.pop()] = token.start()
                if not opened:
                    return token.start()
        self._closings |= dict.fromkeys(opened, end)
        return end

    def _raw(self, start: int, stop: int, end: int) -> int:
        """Leave out raw text; backticks that nothing closes are printed. Return where the markup goes on."""
        closed = self._raw_end(start, stop, end)
        if closed is None:
            self.flow.copy(self.source, start, stop)
        return closed or stop

    def _raw_end(self, start: int, stop: int, end: int) -> int | None:
        """Return where the raw text ends that the backticks `source[start:stop]` open; two are empty."""
        count = stop - start
        closing = self.source.find("`" * count, stop, end) if count != 2 else start
        return closing + count if closing >= 0 else None
