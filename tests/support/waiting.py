"""Waiting for what another process or thread does: no test sleeps by itself."""

import subprocess
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 60.0
"""Seconds that anything may take on a busy machine."""


def wait_until(
    true: Callable[[], Any], *, seconds: float = PATIENCE, process: "subprocess.Popen[str] | None" = None
) -> Any:
    """Call `true` until its result is true, and return that. Fail after `seconds`, or once `process` has ended."""
    until = time.monotonic() + seconds
    while not (result := true()):
        assert process is None or process.poll() is None, process.communicate()
        assert time.monotonic() < until, f"still not true after {seconds} seconds"
        time.sleep(0.02)
    return result
