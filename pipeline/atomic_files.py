"""Files that are either whole or not there, and the one lock that keeps two builds apart."""

import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from lookup.errors import LockedError

TEMPORARY = ".tmp-"
"""What the names of unfinished files and folders begin with."""

LOCK = "build.lock"
"""In a folder that builds write, the file that its builder holds locked, and which says who that is."""

_LOOK_EVERY = 0.2
"""Seconds between two looks at a lock that somebody holds."""


def write_atomically(path: Path, data: bytes, beside: Path | None = None) -> None:
    """Write `data` to `path` so that, whatever happens, the old or the new content is there, and it is on the disk on return.

    What a kill leaves unfinished lies in the folder `beside` (that of `path`, if not given), where `remove_unfinished` finds it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    own = uuid4().hex  # a process number would not tell the machines of a cluster apart
    unfinished = (beside or path.parent) / f"{TEMPORARY}{own}-{path.name}"
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def write_json(path: Path, content: Any, indent: int | None = None) -> None:
    """Write `content` as JSON with `write_atomically`."""
    write_atomically(path, (json.dumps(content, indent=indent) + "\n").encode())


def read_json(path: Path) -> Any:
    """Return the JSON in `path`; None where the file is missing or damaged."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def sync_folder(folder: Path) -> None:
    """Bring the names in `folder` to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Bring all files below `folder`, and their names, to the disk."""
    for place, _, names in os.walk(folder):
        for name in names:
            sync_folder(Path(place) / name)  # fsync takes a file's descriptor as well
        sync_folder(Path(place))


def remove_unfinished(folder: Path) -> None:
    """Remove what killed builds left in `folder`; only for the holder of the lock."""
    for path in folder.glob(f"{TEMPORARY}*") if folder.is_dir() else ():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


@dataclass(frozen=True)
class Holder:
    """The process that writes a folder: its number, its machine, and since when (UTC)."""

    pid: int
    host: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"

    @property
    def alive(self) -> bool:
        """Whether it runs, as far as can be told: of another machine's nothing can."""
        return self.host != socket.gethostname() or _runs(self.pid)


@contextmanager
def locked(folder: Path, wait: float = 0.0) -> Iterator[None]:
    """Hold `folder` against other builds; raises LockedError where one is still under way after `wait` seconds.

    The kernel lets go of the lock when its holder dies, however it dies: the next build takes it over.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    until = time.monotonic() + wait
    try:
        while not _taken(descriptor):
            if time.monotonic() >= until:
                holder = _holder(os.pread(descriptor, 500, 0)) or "another process"
                raise LockedError(
                    f"{str(folder)!r} is being written by {holder}. "
                    "Wait until that build ends (--wait SECONDS), or stop it."
                )
            time.sleep(min(_LOOK_EVERY, max(0.0, until - time.monotonic())))
        since = datetime.now(UTC).isoformat(timespec="seconds")
        os.ftruncate(descriptor, 0)
        os.pwrite(
            descriptor, json.dumps(asdict(Holder(os.getpid(), socket.gethostname(), since))).encode(), 0
        )
        try:
            yield
        finally:
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def lock_holder(folder: Path) -> Holder | None:
    """Who writes `folder`, as its lock says, without touching the lock; None where nobody does."""
    try:
        holder = _holder((folder / LOCK).read_bytes())
    except OSError:
        return None
    return holder if holder and holder.alive else None


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(said: bytes) -> Holder | None:
    try:
        return Holder(**json.loads(said))
    except (ValueError, TypeError):
        return None


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
