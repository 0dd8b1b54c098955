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


def gone(pid):
    """Return whether a process has ended, whether or not anybody has asked how: in a container without an
    init nobody does, and it stays as a zombie.
    """
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state.rpartition(")")[2].split()[0] in {"Z", "X"}


def children_with(word, of="self"):
    """Return the numbers of the children of a process, this one, whose command has `word` in it."""
    own = {pid for path in Path(f"/proc/{of}/task").glob("*/children") for pid in path.read_text().split()}
    return {int(pid) for pid in own.intersection(with_word(word))}


def own_number(_):
    """Return the number of the process that does this task."""
    return os.getpid()


def end_by_a_kill(*_):
    """End the process that does this task, as the kernel does where memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)
