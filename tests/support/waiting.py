"""Waiting for what another process or thread does: no test sleeps, or looks at a clock, by itself.

This module alone may (ruff refuses `time` elsewhere): it waits for events, and gives up so late that the load
of a machine does not decide.
"""

import fcntl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess


PATIENCE = 300.0
"""Seconds that anything may take on a busy machine."""


def wait_until(
    true: Callable[[], Any], *, seconds: float = PATIENCE, process: "subprocess.Popen[str] | None" = None
) -> Any:
    """Call `true` until its result is true, and return that. Fail after `seconds`, or once `process` has
    ended.
    """
    until = time.monotonic() + seconds
    while not (result := true()):
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < until, f"still not true after {seconds} seconds"
        time.sleep(0.02)
    return result


@contextmanager
def barrier(path: Path) -> Iterator[str]:
    """Hold a lock on `path`. Yield the line of a program that waits until it is let go of."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield f"import fcntl; fcntl.flock(open({str(path)!r}), fcntl.LOCK_SH)"
