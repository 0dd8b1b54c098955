"""Work that may take long, in processes of its own that are killed when their time is over."""

import multiprocessing
import os
import signal
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import pebble
from pebble.pool.process import WORKERS_NAME

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.storage.operating_system import be_kind

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


class TooLongError(QueryError):
    """The work was stopped: it took too long, or ended its process."""


Runner = Callable[[Callable[[Corpus], Any], Corpus], Any]
"""Does a piece of work on a corpus, and returns what it returns."""


def run_inline(work: Callable[[Corpus], T], corpus: Corpus) -> T:
    """Do the work in this process."""
    return work(corpus)


class Killable:
    """Does the work in one of its processes; what it is given and returns must be picklable.

    Python's lock is free meanwhile. Work that takes more than `seconds` is killed with its process, and
    raises TooLongError. `close` ends the processes.
    """

    def __init__(self, processes: int = PROCESSES, seconds: float = _SECONDS) -> None:
        context = multiprocessing.get_context("spawn")
        self._pool = pebble.ProcessPool(processes, initializer=_begin, context=context)
        self._seconds = seconds
        self._processes = processes

    def __call__(self, work: Callable[[Corpus], T], corpus: Corpus) -> T:
        """Return `work(corpus)`, of the same corpus as the process has it open. Raise TooLongError."""
        try:
            asked = self._pool.schedule(_run, (work, corpus.__reduce__()), timeout=self._seconds)
            done: T = asked.result()
        except TimeoutError:
            raise TooLongError(
                f"This was stopped after {self._seconds:.0f} seconds. Ask for less at once."
            ) from None
        except pebble.ProcessExpired:
            raise TooLongError("This ended the process that did it. Ask for less at once.") from None
        return done

    def warm(self, corpus: Corpus) -> None:
        """Start the processes, so that nobody waits until they have imported all that they need."""
        for _ in range(self._processes):
            self._pool.schedule(_run, (_nothing, corpus.__reduce__()))

    def close(self) -> None:
        """Kill all processes, and start no more."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        for process in multiprocessing.active_children():
            if process.name == WORKERS_NAME:  # one that is just starting would print that its pipe is closed
                process.kill()
        self._pool.join()


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever serves ends this process
    be_kind()  # quotes come before drafts


def _nothing(corpus: Corpus) -> None:
    corpus.verify("nothing of the kind")


def _run(work: Callable[[Corpus], T], how: tuple[Callable[..., Corpus], tuple[Any, ...]]) -> T:
    corpus = _opened(how)
    corpus.refresh()
    return work(corpus)


@lru_cache(_CORPORA)
def _opened(how: tuple[Callable[..., Corpus], tuple[Any, ...]]) -> Corpus:
    opens, where = how
    return opens(*where)
