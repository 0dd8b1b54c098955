"""Takes away from this process, and those that it starts, what Windows has not; Python begins with this file.

Modules are refused to our packages alone: the standard library of Linux is made of them.
"""

import builtins
import fcntl
import multiprocessing.util
import os
import pathlib
import selectors
import signal
import subprocess
import sys
import tempfile
from types import ModuleType
from typing import Any

LOADED = (multiprocessing.util, pathlib, selectors, subprocess, tempfile)
"""Modules of Python that look once for what goes."""

GONE = {
    os: "fork forkpty nice pread pwrite posix_spawn posix_spawnp copy_file_range O_NONBLOCK",
    signal: "setitimer getitimer ITIMER_PROF ITIMER_REAL SIGALRM SIGPROF SIGXCPU",
}
OURS = ("lookup", "objectstore", "pagequote", "pipeline", "retrieval")
_import: Any = builtins.__import__


def _refusing(name: str, names: Any = None, *rest: Any, **named: Any) -> Any:
    """Import as before, but for two modules that only POSIX has."""
    importing = str((names or {}).get("__name__", "")).partition(".")[0]
    if importing in OURS and name in {"fcntl", "resource"}:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return _import(name, names, *rest, **named)


def _locking(descriptor: int, mode: int, _: int) -> None:
    """Lock as Windows does: who comes second is refused."""
    try:
        fcntl.flock(descriptor, mode)
    except BlockingIOError as error:
        raise PermissionError(*error.args) from error


def _no_link(*_: Any, **__: Any) -> None:
    raise OSError(1314, "A required privilege is not held by the client")


msvcrt: Any = ModuleType("msvcrt")
msvcrt.locking, msvcrt.LK_NBLCK = _locking, fcntl.LOCK_EX | fcntl.LOCK_NB
sys.modules["msvcrt"] = msvcrt
vars(builtins)["__import__"] = _refusing
vars(os)["symlink"] = _no_link
for _module, _names in GONE.items():
    for _name in _names.split():
        if hasattr(_module, _name):
            delattr(_module, _name)
