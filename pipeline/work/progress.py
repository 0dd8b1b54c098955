"""The progress of long work: a bar on a terminal, a line every 30 seconds in a log."""

import sys
import time
from typing import Self

from lookup.text.printable import on_one_line

_LINE_EVERY = 30.0  # Seconds between two lines in a log.


class Progress:
    """Counts `total` pieces of work, on standard error."""

    def __init__(self, label: str, total: int, unit: str) -> None:
        from tqdm import tqdm  # noqa: PLC0415  # a night with nothing new does without

        self._label, self._total, self._unit = label, total, unit
        self._done = self._tokens = 0
        self._terminal = sys.stderr.isatty()
        self._began = self._printed = time.monotonic()
        self._bar = tqdm(total=total, desc=label, unit=unit, disable=not self._terminal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._bar.close()
        if not self._terminal and self._done and kind is None:
            self._say()

    def step(self, pieces: int = 1, tokens: int = 0) -> None:
        """Count so many more pieces as done, and their tokens."""
        self._done += pieces
        self._tokens += tokens
        if self._tokens and self._terminal:
            self._bar.set_postfix_str(self._rate(time.monotonic() - self._began), refresh=False)
        self._bar.update(pieces)
        if not self._terminal and time.monotonic() - self._printed >= _LINE_EVERY:
            self._say()

    def note(self, line: str) -> None:
        """Print a line above the bar."""
        self._bar.write(on_one_line(line), file=sys.stderr)

    def _say(self) -> None:
        self._printed = time.monotonic()
        spent = self._printed - self._began
        rate = f", {self._rate(spent)}" if self._tokens else ""
        waiting = self._total - self._done
        left = f", some {spent * waiting / self._done:.0f} s left" if waiting and self._done else ""
        sys.stderr.write(
            f"{self._label}: {self._done} of {self._total} {self._unit} after {spent:.0f} s{rate}{left}\n"
        )
        sys.stderr.flush()

    def _rate(self, spent: float) -> str:
        spent = max(spent, 1e-3)
        return f"{self._done / spent:.0f} {self._unit} and {self._tokens / spent:.0f} tokens a second"
