"""Readers of a corpus that is published again and again:
`python -m tests.support.readers CORPUS THREADS STOP` tells what they saw.

They read until the file STOP is there. Once they have made ENOUGH reads of two releases, they make the file
STOP-enough-PID.

Both papers of each release name its state; whoever finds two different states in one call has seen half a
release.
"""

import json
import os
import re
import sys
import threading
from collections import Counter
from pathlib import Path

import lookup

STATES = ("amber", "beryl", "coral", "diamond", "emerald")
PAPERS = ("left", "right")
ENOUGH = 16


def sentence(state: str) -> str:
    """What both papers print in that state."""
    return f"All is as it was in the state {state} of this corpus."


def _state(corpus: lookup.Corpus, key: str) -> str:
    answer = corpus.quote(key, "All is as it was in the state")
    found = re.search(r"state (\w+) of", answer.matches[0].text)
    assert found
    return found[1]


def _states(corpus: lookup.Corpus) -> set[str]:
    """The states that one call sees."""
    rows = corpus.sql(
        "SELECT DISTINCT regexp_extract(text, 'state (\\w+) of', 1) FROM paragraphs WHERE text LIKE '%state%'"
    )
    return {state for (state,) in rows.fetchall()}


class _Reader(threading.Thread):
    """Opens the corpus anew each time, or once and follows it by `refresh`."""

    def __init__(self, corpus: Path, stop: Path, looked: threading.Event, *, follows: bool) -> None:
        super().__init__()
        self.looked = looked
        self.corpus, self.stop, self.follows = corpus, stop, follows
        self.seen: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self) -> None:
        try:
            if self.follows:
                with lookup.open(self.corpus) as opened:
                    while not self.stop.exists():
                        opened.refresh()
                        self._look(opened)
            else:
                while not self.stop.exists():
                    with lookup.open(self.corpus) as opened:
                        self._look(opened)
                        assert {_state(opened, key) for key in PAPERS} == _states(opened)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is what is counted
            self.wrong.append(f"{type(error).__name__}: {error}")

    def _look(self, opened: lookup.Corpus) -> None:
        states = _states(opened)
        if len(states) != 1:
            self.wrong.append(f"half a release: {states}")
        self.seen[opened.release.name] += 1
        self.looked.set()


def read_along(corpus: Path, threads: int, stop: Path) -> dict[str, object]:
    """What so many readers saw until they were stopped: their reads, the releases, what went wrong."""
    looked = threading.Event()
    readers = [_Reader(corpus, stop, looked, follows=bool(number % 2)) for number in range(threads)]
    for reader in readers:
        reader.start()
    print("reading", flush=True)
    while any(reader.is_alive() for reader in readers):
        looked.wait(1)
        looked.clear()
        seen = sum((reader.seen for reader in readers), Counter[str]())
        if len(seen) > 1 and seen.total() > ENOUGH:
            stop.with_name(f"{stop.name}-enough-{os.getpid()}").touch()
            break
    for reader in readers:
        reader.join()
    seen = sum((reader.seen for reader in readers), Counter[str]())
    return {
        "reads": seen.total(),
        "releases": sorted(seen),
        "wrong": [one for reader in readers for one in reader.wrong],
    }


if __name__ == "__main__":
    print(json.dumps(read_along(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))))
