"""Characters of a document as an editor counts them: the line, and units of its encoding within the line."""

import re
from bisect import bisect_right

from lsprotocol import types
from pygls.workspace import PositionCodec

_LINE_END = re.compile(r"\r\n|\r|\n")


class Positions:
    """The positions of a text; `codec` has the unit that server and editor agreed on."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self._text = text
        self._codec = codec
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def position(self, offset: int) -> types.Position:
        """Return where the character at `offset` stands."""
        line = bisect_right(self._starts, offset) - 1
        before = self._text[self._starts[line] : offset]
        return types.Position(line, self._codec.client_num_units(before))

    def range(self, start: int, end: int) -> types.Range:
        """Return where the characters from `start` to `end` stand."""
        return types.Range(self.position(start), self.position(end))

    def offset(self, position: types.Position) -> int:
        """Return the character at a position, the last of its line or text for one beyond it."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        after = (*self._starts, len(self._text) + 1)[position.line + 1]
        line = _LINE_END.sub("", self._text[start:after])
        units = 0
        for at, char in enumerate(line):
            if units >= position.character:
                return start + at
            units += self._codec.client_num_units(char)
        return start + len(line)
