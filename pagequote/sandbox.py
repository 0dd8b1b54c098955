"""Work on what strangers hand in, in a process of its own: its memory is bounded, its time ends it."""

import io
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from lookup.errors import QueryError
from lookup.storage.operating_system import limit_memory, limit_processor

T = TypeVar("T")

_START = "import sys; sys.path[:] = sys.argv[1:]; from pagequote.sandbox import answer; answer()"

_PLAIN = {"array", "datetime", "decimal", "pathlib", "uuid"}
"""Modules whose classes an answer may hold, besides what Python has built in, and those of manuscripts."""


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

    Raise QueryError also for what `label` names, if that takes more than `seconds`, with the start of its
    process (0.3 s), or `memory` in bytes (0: it bounds itself); `advice` says what to do.
    """
    paths = [str(Path(path).absolute()) for path in sys.path]
    with subprocess.Popen(  # noqa: S603  # this Python, and a program of ours
        [sys.executable, "-c", _START, *paths],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env={"LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")},
    ) as process:
        try:
            said, _ = process.communicate(
                pickle.dumps((label, advice, memory, seconds, work, given)), timeout=seconds
            )
        except subprocess.TimeoutExpired:
            raise QueryError(f"{label} took more than {seconds:g} s. {advice}") from None
        finally:
            process.kill()  # also where the user ends the command
    try:
        refused, done = _Answer(io.BytesIO(said)).load()
    except (EOFError, pickle.UnpicklingError):
        raise QueryError(f"{label} ended its process: it takes too much memory. {advice}") from None
    if refused:
        raise QueryError(refused)
    return cast("T", done)


class _Answer(pickle.Unpickler):
    """Reads plain values, and nothing that runs."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of those modules."""
        found = None
        if module.partition(".")[0] in _PLAIN or module.startswith("pagequote.check."):
            found = super().find_class(module, name)
        if isinstance(found, type) or (module, name) == ("array", "_array_reconstructor"):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of an answer")


def answer() -> None:
    """Do the work on standard input, and print what came of it: the process of the sandbox."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    label, advice, memory, seconds, work, given = pickle.load(sys.stdin.buffer)  # noqa: S301  # of `run_in_sandbox`
    out = os.dup(1)
    os.dup2(2, 1)  # DuckDB may print how far it is
    try:
        if memory:
            bound(memory, seconds)
        said = "", work(*given)
    except MemoryError:
        said = f"{label} takes too much memory. {advice}", None
    except QueryError as error:
        said = str(error), None
    except Exception as error:  # noqa: BLE001  # whoever waits is told
        said = f"{label} failed: {type(error).__name__}. Please report it.", None
    with os.fdopen(out, "wb") as pipe:
        pipe.write(pickle.dumps(said))
    os._exit(0)  # with whatever memory is left


def bound(memory: int, seconds: float) -> None:
    """Have the kernel bound what this process gets in bytes, next to what it holds, and in time."""
    limit_memory(memory)
    # Should nobody be left to kill it.
    limit_processor(int(4 * seconds) + 1)
