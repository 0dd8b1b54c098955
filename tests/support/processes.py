"""The processes of this machine."""

import os
import signal
from pathlib import Path


def with_word(word):
    """The processes whose command has `word` in it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found


def own_number(_):
    """Return the number of the process that does this task."""
    return os.getpid()


def end_by_a_kill(_):
    """End the process that does this task, as the kernel does where memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
