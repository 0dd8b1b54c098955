"""The bound on text that stands for more text: @string of a library, macros, variables, templates.

A few hundred characters can stand for all the memory of a machine: each definition for the last one, twice.
"""

_FREE, _TIMES = 16_384, 4
"""Characters that any text may stand for, and how often its own length beside. Not measured: a text of macros
alone stands for twice or three times what is written."""


class Expansion:
    """How many more characters one text may stand for."""

    def __init__(self, written: int) -> None:
        """Begin with a text of so many characters."""
        self.most = self._left = _FREE + _TIMES * written

    def takes(self, characters: int) -> bool:
        """Return whether there is room for characters that a definition stands for, and count them."""
        if characters > self._left:
            return False
        self._left -= characters
        return True

    @property
    def full(self) -> str:
        """What is told where there is no room, in half a sentence."""
        return f"what it stands for is too long: what is defined may stand for {self.most:,} characters here"
