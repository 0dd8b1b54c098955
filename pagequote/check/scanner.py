"""What the readers of markup have in common: a source is read from token to token, the rest is text."""

import re
from typing import ClassVar

from pagequote.check.running_text import RunningText


class Scanner:
    """Adds a source to a running text. A token is read by the method that has the name of its group.

    Such a method, `on_NAME`, is given the token and where the text around it ends, and returns where the
    source goes on; None for the end of the token. A token for which there is no method prints nothing.
    """

    TOKENS: ClassVar[re.Pattern[str]]

    def __init__(self, source: str, flow: RunningText) -> None:
        self.source = source
        self.flow = flow

    def read_all(self) -> None:
        """Add the whole source."""
        self.read(0, len(self.source))

    def read(self, at: int, end: int) -> None:
        """Add the markup `source[at:end]`."""
        while at < end:
            token = self.TOKENS.search(self.source, at, end)
            self.flow.copy(self.source, at, token.start() if token else end)
            if token is None:
                return
            at = self.token(token, end)

    def token(self, token: re.Match[str], end: int) -> int:
        """Add what a token prints. Return where the source goes on."""
        method = getattr(self, f"on_{token.lastgroup}", None)
        after = method(token, end) if method else None
        return token.end() if after is None else max(after, token.end())
