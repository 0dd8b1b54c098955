"""Loaded by each Python process that has this folder on its path: what the variable MISBEHAVE names goes
wrong in it.

`clock` lets the clock on the wall jump, by up to ten years in either direction, each time that somebody
looks; `step:N` kills the process that builds at its Nth change of a file, folder or object, and `steps`
counts these and prints how many they were. `full:N` lets the disk be full from the Nth change on for what
opens a file to write it or makes a folder. `fail:N` has the Nth change, or fsync, fail once, in one of the
ways in which disks and networks do.
"""

import atexit
import datetime as dt
import errno
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from itertools import count
from typing import Any

_FAULT = os.environ.get("MISBEHAVE", "")
_IN_WORKER = any("killable_process" in word for word in sys.orig_argv)
_YEARS = 10 * 365.25 * 86400
_CODES = [getattr(errno, name) for name in ("EIO", "EXDEV", "ENOSPC", "EDQUOT", "ESTALE", "EBUSY", "EPERM")]
_CHANGES = {"os.rename", "os.mkdir", "os.link", "os.symlink", "os.remove", "os.rmdir", "shutil.rmtree"}


def _let_the_clock_jump() -> None:
    real_time, real_datetime = time.time, dt.datetime

    class Jumping(real_datetime):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            moment: dt.datetime = real_datetime.now(tz)
            return moment + dt.timedelta(seconds=random.uniform(-_YEARS, _YEARS))

    time.time = lambda: real_time() + random.uniform(-_YEARS, _YEARS)
    dt.datetime = Jumping  # type: ignore[misc]


def _disturb(kind: str, number: int, last: int) -> None:
    if kind == "full" and number >= last:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if kind == "fail" and number == last:
        code = random.Random(last).choice(_CODES)
        raise OSError(code, os.strerror(code))
    if kind == "step" and number == last:
        os.kill(os.getpid(), signal.SIGKILL)


def _count_steps(kind: str, last: int) -> None:
    steps = count(1)

    def step(*, takes_room: bool = True) -> None:
        number = next(steps)
        if takes_room or kind != "full":
            _disturb(kind, number, last)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        # Bytecode that is written on the way is no step of the build.
        if event in _CHANGES or (
            writes and not str(args[0]).endswith(("pyc", "null")) and ".pyc." not in str(args[0])
        ):
            step(takes_room=bool(writes) or event == "os.mkdir")

    def stepping(call: Callable[..., Any]) -> Callable[..., Any]:
        def stepped(*given: Any, **named: Any) -> Any:
            step()
            return call(*given, **named)

        return stepped

    if os.environ.get("AWS_ENDPOINT_URL"):
        import obstore

        obstore.put, obstore.delete = stepping(obstore.put), stepping(obstore.delete)
    if kind == "fail":
        os.fsync = stepping(os.fsync)  # it has no audit event
    sys.addaudithook(hook)
    if not last:
        atexit.register(lambda: print("steps:", next(steps) - 1, file=sys.stderr))


if _FAULT == "clock":
    _let_the_clock_jump()
elif _FAULT.startswith(("step", "full", "fail")) and not _IN_WORKER:
    _count_steps(_FAULT[:4], int(_FAULT.partition(":")[2] or 0))
