"""What the readers of markup have in common: a source is read from token to token, the rest is text."""

import re
from collections.abc import Mapping
from typing import ClassVar

from pagequote.check.running_text import RunningText


class Scanner:
    """Adds a source to a running text. A token is read by the method that has the name of its group.

    Such a method, `_on_NAME`, returns where the source goes on; None for the end of the token. The text
    around it goes on to `end`. A token for which there is no method prints nothing.
    """

    TOKENS: ClassVar[re.Pattern[str]]
    STARTS: ClassVar[re.Pattern[str]]
    """The characters with which tokens begin: looking for these first halves the time of a reading."""

    MARKS: ClassVar[Mapping[str, str]]
    """What marks print."""

    def __init__(self, source: str, flow: RunningText) -> None:
        self.source = source
        self.flow = flow
        self.end = len(source)
        self._slanted: list[int] = []

    def read(self, at: int, end: int) -> None:
        """Add the markup `source[at:end]`."""
        before, self.end = self.end, end
        while at < end:
            token = self._next(at, end)
            self.plain(at, token.start() if token else end)
            at = self.token(token) if token else end
        self.end = before

    def _next(self, at: int, end: int) -> re.Match[str] | None:
        while first := self.STARTS.search(self.source, at, end):
            if token := self.TOKENS.match(self.source, first.start(), end):
                return token
            at = first.end()
        return None

    def plain(self, start: int, end: int) -> None:
        """Add text without markup."""
        self.flow.copy(self.source, start, end)

    def token(self, token: re.Match[str]) -> int:
        """Add what a token prints. Return where the source goes on."""
        method = getattr(self, f"_on_{token.lastgroup}", None)
        after = method(token) if method else None
        return token.end() if after is None else max(after, token.end())

    def hold(self, start: int, end: int, form: str, *, known: bool = False, beside: bool = False) -> None:
        """Add the markup `source[start:end]`, which may be quoted in this form."""
        begins = self.flow.length
        self.read(start, end)
        self.flow.contain(begins, form, known=known, beside=beside)

    def _on_mark(self, token: re.Match[str]) -> None:
        """Add what a mark prints."""
        self.flow.add(self.MARKS[token[0]], *token.span())

    def _on_strong(self, token: re.Match[str]) -> None:
        """Begin or end words in italics or in bold, which may be quoted where a citation follows."""
        if self._slanted and not self.source[token.start() - 1].isspace():
            self.flow.contain(self._slanted.pop(), "italics or bold", known=False, beside=True)
        else:
            self._slanted.append(self.flow.length)
