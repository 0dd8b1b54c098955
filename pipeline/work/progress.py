"""The progress of long work: a bar on a terminal, a line every 30 seconds in a log."""

import sys
import time
from typing import Self

from lookup.text.printable import on_one_line

_LINE_EVERY = 30.0  # Seconds between two lines in a log.

_MINUTE = 60.0  # Seconds after which the time that is left is estimated, also where less is done than this:

_ENOUGH = 0.05  # The share that must be done before.


def note(line: str) -> None:
    """Print a line on standard error, between the bars of two stages."""
    sys.stderr.write(f"{on_one_line(line)}\n")
    sys.stderr.flush()


class Progress:
    """Counts `total` pieces of work, on standard error."""

    def __init__(self, label: str, total: int, unit: str) -> None:
        from tqdm import tqdm  # noqa: PLC0415  # a night with nothing new does without

        self._label, self._total, self._unit = label, total, unit
        self._done = self._said = self._tokens = 0
        self._terminal = sys.stderr.isatty()
        self._began = self._printed = time.monotonic()
        self._bar = tqdm(total=total, desc=label, unit=unit, disable=not self._terminal)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._bar.close()
        if not self._terminal and self._done > self._said and kind is None:
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
        self._printed, self._said = time.monotonic(), self._done
        spent = self._printed - self._began
        rate = f", {self._rate(spent)}" if self._tokens else ""
        waiting = self._total - self._done
        left = ""
        if waiting and self._done and (spent >= _MINUTE or self._done >= _ENOUGH * self._total):
            seconds = spent * waiting / self._done
            left = (
                f", about {seconds / 60:.0f} min left" if seconds > 100 else f", about {seconds:.0f} s left"
            )
        note(f"{self._label}: {self._done} of {self._total} {self._unit} after {spent:.0f} s{rate}{left}")

    def _rate(self, spent: float) -> str:
        spent = max(spent, 1e-3)
        return f"{self._done / spent:.0f} {self._unit} and {self._tokens / spent:.0f} tokens a second"
