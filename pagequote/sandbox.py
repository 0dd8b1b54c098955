"""Work on what strangers hand in, in a process of its own: its memory is bounded, its time ends it."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

from lookup.errors import QueryError
from pipeline.processes.killable_process import EndedError, KillableProcess, Kind, NotStartedError, SlowError
from pipeline.processes.operating_system import limit_memory, limit_processor

T = TypeVar("T")

_VALUES = ("array", "datetime", "decimal", "pathlib", "uuid", "lookup", "pagequote.check")
"""Modules whose classes an answer may hold, besides what Python has built in."""


def run_in_sandbox(
    work: Callable[..., T],
    *given: object,
    label: str,
    seconds: float,
    memory: int = 0,
    folder: Path | None = None,
    advice: str = "Ask for less.",
) -> T:
    """Return `work(*given)`, done in `folder`. Raise the QueryError that it raises.

    Raise QueryError also for what `label` names, if that takes more than `seconds`, or `memory` in bytes
    (0: it bounds itself); `advice` says what to do. The start of its process takes 0.3 s.
    """
    libraries = {"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
    process = KillableProcess(Kind(values=_VALUES, silent=True, folder=folder, environment=libraries))
    try:
        return cast("T", process.do(_bounded, memory, seconds, work, given, seconds=seconds))
    except QueryError:
        raise
    except SlowError:
        raise QueryError(f"{label} took more than {seconds:g} s. {advice}") from None
    except NotStartedError:
        raise QueryError(f"{label} could not be begun: the machine is busy. Ask again in a moment.") from None
    except EndedError:
        raise QueryError(f"{label} ended its process: it takes too much memory. {advice}") from None
    except MemoryError:
        raise QueryError(f"{label} takes too much memory. {advice}") from None
    except Exception as error:  # noqa: BLE001  # whatever a library raises over it
        raise QueryError(f"{label} failed: {type(error).__name__}. Please report it.") from None
    finally:
        process.close()


def _bounded(memory: int, seconds: float, work: Callable[..., T], given: tuple[object, ...]) -> T:
    if memory:
        bound(memory, seconds)
    return work(*given)


def bound(memory: int, seconds: float) -> None:
    """Have the kernel bound what this process gets in bytes, next to what it holds, and in time."""
    limit_memory(memory)
    # Should nobody be left to kill it.
    limit_processor(int(4 * seconds) + 1)
