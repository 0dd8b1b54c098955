"""Work that may take long, in processes of its own that are killed when their time is over."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

from lookup.corpus import Corpus
from lookup.errors import BusyError, QueryError
from pipeline.processes.killable_process import (
    ClosedError,
    EndedError,
    KillableProcesses,
    Kind,
    NotStartedError,
    SlowError,
    StarvedError,
)
from pipeline.processes.operating_system import be_kind

T = TypeVar("T")

PROCESSES = max(2, min(8, os.cpu_count() or 2))
"""Processes, and so drafts and batches of quotations that are judged at once; the others wait."""

SMALL = 2_000
"""Characters of quotations, or of a draft, that are judged where they are asked for. The worst, words
that no paper prints, take 0.26 s of processor, as they do for a single quote; a process starts in 1 s."""

_CORPORA = 2
"""Corpora that a process keeps open: that of the library, and the PDF that is asked about."""

_SECONDS = 20.0
"""Seconds for one piece of work. What was made to take long takes 0.2 to 2 s, alone or among 50 readers."""

_PATIENCE = 6
"""How often they may go by while others have the processor. At a load of 30 a draft of 2.6 s took over 20."""

_VALUES = ("array", "datetime", "lookup", "pagequote", "pathlib")
"""Modules whose classes the answers hold."""


class TooLongError(QueryError):
    """The work was stopped: it took too long, or ended its process."""


_Reduced = tuple[Callable[..., Corpus], tuple[Any, ...]]
"""What opens a corpus again in another process: see `object.__reduce__`."""

Runner = Callable[[Callable[[Corpus], Any], Corpus], Any]
"""Does a piece of work on a corpus, and returns what it returns."""


def run_inline(work: Callable[[Corpus], T], corpus: Corpus) -> T:
    """Do the work in this process."""
    return work(corpus)


class Killable:
    """Does the work in one of its processes; what it is given and returns must be picklable.

    Python's lock is free meanwhile. Work that takes more than `seconds` is killed with its process, and
    raises TooLongError; where the processor has other things to do it has more, and then raises BusyError.
    `close` ends the processes.
    """

    def __init__(self, processes: int = PROCESSES, seconds: float = _SECONDS) -> None:
        # Quotes come before drafts.
        self._pool = KillableProcesses(processes, Kind(be_kind, values=_VALUES, patience=_PATIENCE))
        self._seconds = seconds
        self._processes = processes
        self._warming: list[threading.Thread] = []

    def __call__(self, work: Callable[[Corpus], T], corpus: Corpus) -> T:
        """Return `work(corpus)`, of the same corpus as the process has it open."""
        return self._do(work, corpus.__reduce__())

    def _do(self, work: Callable[[Corpus], T], how: _Reduced) -> T:
        try:
            done: T = self._pool.do(_run, work, how, seconds=self._seconds)
        except (NotStartedError, StarvedError):
            raise BusyError(
                f"This could not be done in {self._seconds * _PATIENCE:.0f} seconds: the machine is busy. "
                "Ask again in a moment."
            ) from None
        except SlowError:
            raise TooLongError(
                f"This was stopped after {self._seconds:.0f} seconds. Ask for less at once."
            ) from None
        except (EndedError, ClosedError):
            raise TooLongError("This ended the process that did it. Ask for less at once.") from None
        return done

    def warm(self, corpus: Corpus) -> None:
        """Start the processes, so that nobody waits until they have imported all that they need."""
        how = corpus.__reduce__()  # a thread that lives longest would hold a corpus open

        def warm_one() -> None:
            with suppress(TooLongError, BusyError):  # the server ends
                self._do(_nothing, how)

        for _ in range(self._processes):
            self._warming.append(threading.Thread(target=warm_one, daemon=True))
            self._warming[-1].start()

    def close(self) -> None:
        """Kill all processes, and start no more."""
        self._pool.close()
        for thread in self._warming:
            thread.join()


def _nothing(corpus: Corpus) -> None:
    corpus.verify("nothing of the kind")


def _run(work: Callable[[Corpus], T], how: _Reduced) -> T:
    corpus = _opened(how)
    corpus.refresh()
    return work(corpus)


@lru_cache(_CORPORA)
def _opened(how: _Reduced) -> Corpus:
    opens, where = how
    return opens(*where)
