"""Files that are either whole or not there, and the one lock that keeps two builds apart."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lookup.errors import LockedError

TEMPORARY = ".tmp-"
"""What the names of unfinished files and folders begin with."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` so that, whatever happens, the old or the new content is there, and it is on the disk on return."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.parent / f"{TEMPORARY}{os.getpid()}-{path.name}"
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


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold `folder` against other builds; raises LockedError where one is under way.

    The kernel lets go of the lock when its holder dies, however it dies.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "build.lock"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 100).decode().strip() or "another process"
            raise LockedError(
                f"{str(folder)!r} is being written by {holder}. Wait until that build ends, or stop it."
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)
