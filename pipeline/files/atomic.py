"""Files that are either whole or missing, and the lock that keeps two builds apart."""

import errno
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
from typing import Any, BinaryIO
from uuid import uuid4

from lookup.errors import LockedError
from pipeline.processes.operating_system import process_runs, sync_names, take_lock

TEMPORARY = ".tmp-"  # The prefix of unfinished files and folders.

LOCK = "build.lock"
"""The file in a folder that builds write: the running build holds it locked, and it names the process."""

_LOOK_EVERY = 0.2  # Seconds between two attempts to take a lock.


def write_atomically(path: Path, data: bytes, beside: Path | None = None) -> None:
    """Write `data` to `path`, on the disk on return; whatever happens, `path` has its old or its new content.

    A kill leaves an unfinished file in the folder `beside` (by default that of `path`), for
    `remove_unfinished`.
    """
    with replaced(path, beside) as file:
        file.write(data)


@contextmanager
def replaced(path: Path, beside: Path | None = None) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when it is written; see `write_atomically`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own = uuid4().hex  # a process number would not tell the machines of a cluster apart
    unfinished = (beside or path.parent) / f"{TEMPORARY}{own}-{path.name}"
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    sync_names(path.parent)


def write_json(path: Path, content: Any, indent: int | None = None) -> None:
    """Write `content` as JSON with `write_atomically`."""
    write_atomically(path, (json.dumps(content, indent=indent) + "\n").encode())


def read_json(path: Path) -> Any:
    """Return the JSON in `path`; None where the file is missing or damaged."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def sync_tree(folder: Path) -> None:
    """Write all files below `folder`, and their names, to the disk; but for files with other names, too.

    These are linked to, and were written to the disk with the folder that they are from.
    """
    with os.scandir(folder) as entries:  # a release has thousands of files
        for entry in entries:
            if entry.is_dir():
                sync_tree(Path(entry.path))
            elif entry.stat().st_nlink == 1:
                sync_names(Path(entry.path))  # fsync takes a file's descriptor as well
    sync_names(folder)


def remove_unfinished(folder: Path) -> None:
    """Remove unfinished files of killed builds from `folder`; the caller holds the lock."""
    for path in folder.glob(f"{TEMPORARY}*") if folder.is_dir() else ():
        remove(path)


def remove(path: Path) -> None:
    """Remove a file, a link, or a folder with all that is in it.

    Where machines share a disk, a folder may list late what is in it, or keeps files that are open: it stays.
    """
    if path.is_symlink() or not path.is_dir():
        path.unlink()
        return
    try:
        shutil.rmtree(path)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EBUSY):
            raise


@dataclass(frozen=True)
class Holder:
    """The process that writes a folder: its number, its machine, and its start (UTC)."""

    pid: int
    host: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"

    @property
    def alive(self) -> bool:
        """Return whether it runs; a process of another machine counts as running."""
        return self.host != socket.gethostname() or process_runs(self.pid)


@contextmanager
def locked(folder: Path, wait: float = 0.0) -> Iterator[None]:
    """Lock `folder` against other builds; raise LockedError where one still runs after `wait` seconds.

    The kernel releases the lock when its holder dies, however it dies.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    until = time.monotonic() + wait
    try:
        while not take_lock(descriptor):
            if time.monotonic() >= until:
                holder = _holder(os.read(descriptor, 500)) or "another process"
                raise LockedError(
                    f"{str(folder)!r} is being written by {holder}. "
                    "Wait until that build ends (--wait SECONDS), or stop it."
                )
            time.sleep(min(_LOOK_EVERY, max(0.0, until - time.monotonic())))
        since = datetime.now(UTC).isoformat(timespec="seconds")
        os.ftruncate(descriptor, 0)
        holding = Holder(os.getpid(), socket.gethostname(), since)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, json.dumps(asdict(holding)).encode())
        try:
            yield
        finally:
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def lock_holder(folder: Path) -> Holder | None:
    """Return the process that writes `folder`, without touching the lock; None without one."""
    try:
        holder = _holder((folder / LOCK).read_bytes())
    except OSError:
        return None
    return holder if holder and holder.alive else None


def _holder(content: bytes) -> Holder | None:
    try:
        return Holder(**json.loads(content))
    except (ValueError, TypeError):
        return None
