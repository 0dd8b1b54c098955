"""The one door to folders that are written: nothing else deletes, renames, truncates or locks what is in one.

A corpus or work folder may come from anybody, in a clone or an archive, with links in it. Each function here
takes the folder `within` which it may write, and opens what is below by descriptor, following no link. What
is none of a real folder and a regular file with one name is not written, and BuildError says so.
"""

import errno
import json
import os
import shutil
import socket
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from lookup.errors import BuildError, LockedError
from pipeline.processes.operating_system import process_runs, sync_names, take_lock

TEMPORARY = ".tmp-"  # The prefix of unfinished files and folders.

LOCK = "build.lock"
"""The file in a folder that builds write: the running build holds it locked, and it names the process."""

_LOOK_EVERY = 0.2  # Seconds between two attempts to take a lock.

_BY_DESCRIPTOR = {os.open, os.mkdir, os.rename, os.unlink} <= os.supports_dir_fd  # not on Windows
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_OPEN_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _NO_LINK
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # for whoever writes to a queue
_OPEN_FILE = os.O_RDWR | getattr(os, "O_BINARY", 0) | _NO_WAIT | _NO_LINK


@dataclass(frozen=True)
class _Open:
    """A folder that is open: by its descriptor, or where the system has none, by its path alone."""

    folder: Path
    descriptor: int | None

    def named(self, name: str) -> str:
        """Return the name of what is in it, for a call that gets the descriptor too."""
        return name if self.descriptor is not None else str(self.folder / name)

    def enter(self, name: str) -> "_Open":
        """Open a folder in this one; raise BuildError for what is not one."""
        path = self.folder / name
        if self.descriptor is None:
            if path.is_symlink() or not path.is_dir():
                path.lstat()  # raises FileNotFoundError
                raise _not_real(path)
            return _Open(path, None)
        try:
            return _Open(path, os.open(name, _OPEN_FOLDER, dir_fd=self.descriptor))
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
                raise _not_real(path) from None
            raise

    def close(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)


def _not_real(path: Path) -> BuildError:
    what = f"a link to {str(path.readlink())!r}" if path.is_symlink() else "no folder"
    return BuildError(
        f"{str(path)!r} is {what}, and builds write only into folders that are really there. Remove it; to "
        "write elsewhere, name the other place itself (--corpus, --work)."
    )


@contextmanager
def _opened(folder: Path, within: Path, *, make: bool = False) -> Iterator[_Open]:
    """Open `folder`, which is `within` or below, from there down; with `make`, what is missing is made."""
    parts = folder.absolute().relative_to(within.absolute()).parts
    if ".." in parts:
        raise BuildError(f"{str(folder)!r} is not in {str(within)!r}, and is not written.")
    if make:
        within.mkdir(parents=True, exist_ok=True)
    here = _Open(within, os.open(within, _OPEN_FOLDER & ~_NO_LINK) if _BY_DESCRIPTOR else None)
    try:
        for part in parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(here.named(part), dir_fd=here.descriptor)
            below = here.enter(part)
            here.close()
            here = below
        yield here
    finally:
        here.close()


def make_folder(folder: Path, within: Path) -> None:
    """Make the folder, and those above it up to `within`, where they are missing."""
    with _opened(folder, within, make=True):
        pass


def write_new(path: Path, content: str | bytes) -> None:
    """Write a file that is not there yet; raise FileExistsError for one that is."""
    with path.open("xb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


def write_atomically(path: Path, data: bytes, within: Path) -> None:
    """Write `data` to `path`, on the disk on return; whatever happens, `path` has its old or its new content.

    A kill leaves an unfinished file in the folder `within`, for `remove_unfinished`.
    """
    with replaced(path, within) as file:
        file.write(data)


@contextmanager
def replaced(path: Path, within: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` when it is written; see `write_atomically`."""
    own = f"{TEMPORARY}{uuid4().hex}-{path.name}"  # a process number would not tell machines apart
    with _opened(path.parent, within, make=True) as target, _opened(within, within) as beside:
        unfinished = beside.named(own)
        flags = _OPEN_FILE | os.O_CREAT | os.O_EXCL
        try:
            with os.fdopen(os.open(unfinished, flags, 0o666, dir_fd=beside.descriptor), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(
                unfinished,
                target.named(path.name),
                src_dir_fd=beside.descriptor,
                dst_dir_fd=target.descriptor,
            )
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(unfinished, dir_fd=beside.descriptor)
            raise
        if target.descriptor is not None:
            os.fsync(target.descriptor)


def write_json(path: Path, content: Any, within: Path, indent: int | None = None) -> None:
    """Write `content` as JSON with `write_atomically`."""
    write_atomically(path, (json.dumps(content, indent=indent) + "\n").encode(), within)


def read_json(path: Path) -> Any:
    """Return the JSON in `path`; None where the file is missing or damaged."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


@contextmanager
def changed_in_place(path: Path, *, make: bool = False) -> Iterator[BinaryIO]:
    """Open a regular file that has this name alone, to read and write it; with `make` also a new one."""
    with _opened(path.parent, path.parent) as folder, _own_file(folder, path.name, make=make) as file:
        yield file


def _own_file(folder: _Open, name: str, *, make: bool) -> BinaryIO:
    flags = _OPEN_FILE | (os.O_CREAT if make else 0)
    path = folder.folder / name
    if folder.descriptor is None and path.is_symlink():
        raise _not_own(path)
    try:
        descriptor = os.open(folder.named(name), flags, 0o644, dir_fd=folder.descriptor)
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EMLINK, errno.EISDIR, errno.ENXIO, errno.ESPIPE):
            raise
        raise _not_own(path) from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink != 1:
        os.close(descriptor)
        raise _not_own(path)
    return os.fdopen(descriptor, "r+b")


def _not_own(path: Path) -> BuildError:
    return BuildError(
        f"{str(path)!r} is no file of its own (a link, or no file at all), and builds do not write it. "
        "Remove it, and run the command again."
    )


def rename(path: Path, target: Path, within: Path) -> None:
    """Give a file or folder another name; both are in folders `within`."""
    with _opened(path.parent, within) as old, _opened(target.parent, within) as new:
        os.rename(
            old.named(path.name),
            new.named(target.name),
            src_dir_fd=old.descriptor,
            dst_dir_fd=new.descriptor,
        )


def point_to(link: Path, target: Path) -> None:
    """Make `link` a relative link to `target`, by one rename; where there are no links, a file with its path.

    Readers see the old link or the new one.
    """
    unfinished = link.with_name(f"{TEMPORARY}{link.name}")
    remove(unfinished, link.parent)
    try:
        unfinished.symlink_to(target)
    except (OSError, AttributeError, NotImplementedError):  # Windows, or a disk without links
        write_new(unfinished, f"{target.as_posix()}\n")
        sync_names(unfinished)
    unfinished.replace(link)
    sync_names(link.parent)


def set_mode(path: Path, mode: int) -> None:
    """Set the permissions of a file or folder that is no link."""
    if not _BY_DESCRIPTOR:
        path.chmod(mode)
        return
    descriptor = os.open(path, os.O_RDONLY | _NO_WAIT | _NO_LINK)
    try:
        os.fchmod(descriptor, mode)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Write all files below `folder`, and their names, to the disk; but for files with other names, too.

    These are linked to, and were written to the disk with the folder that they are from.
    """
    with os.scandir(folder) as entries:  # a release has thousands of files
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                sync_tree(Path(entry.path))
            elif entry.stat(follow_symlinks=False).st_nlink == 1:
                sync_names(Path(entry.path))  # fsync takes a file's descriptor as well
    sync_names(folder)


def remove_unfinished(folder: Path, within: Path) -> None:
    """Remove unfinished files of killed builds from `folder`; the caller holds the lock."""
    if not os.path.lexists(folder):
        return
    with _opened(folder, within) as opened:
        with os.scandir(folder if opened.descriptor is None else opened.descriptor) as entries:
            unfinished = [entry.name for entry in entries if entry.name.startswith(TEMPORARY)]
        for name in unfinished:
            _remove(opened, name)


def remove(path: Path, within: Path) -> None:
    """Remove a file, a link, or a folder with all that is in it, if it is there; its folder is `within`.

    Where machines share a disk, a folder may list late what is in it, or keeps files that are open: it stays.
    """
    with suppress(FileNotFoundError), _opened(path.parent, within) as opened:
        _remove(opened, path.name)


def _remove(folder: _Open, name: str) -> None:
    found = os.lstat(folder.named(name), dir_fd=folder.descriptor)
    if not stat.S_ISDIR(found.st_mode):
        with suppress(FileNotFoundError):  # another task may have found it, too
            os.unlink(folder.named(name), dir_fd=folder.descriptor)
        return
    try:
        shutil.rmtree(folder.named(name), dir_fd=folder.descriptor)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTEMPTY, errno.EBUSY):
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

    It is made where it is missing. The kernel releases the lock when its holder dies, however it dies.
    """
    _check_root(folder)
    if folder.exists() and not folder.is_dir():
        raise _not_real(folder)
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + wait
    with changed_in_place(folder / LOCK, make=True) as file:
        while not take_lock(file.fileno()):
            if time.monotonic() >= until:
                holder = _holder(file.read(500)) or "another process"
                raise LockedError(
                    f"{str(folder)!r} is being written by {holder}. "
                    "Wait until that build ends (--wait SECONDS), or stop it."
                )
            time.sleep(min(_LOOK_EVERY, max(0.0, until - time.monotonic())))
        since = datetime.now(UTC).isoformat(timespec="seconds")
        file.truncate(0)
        holding = Holder(os.getpid(), socket.gethostname(), since)
        file.seek(0)
        file.write(json.dumps(asdict(holding)).encode())
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def _check_root(folder: Path) -> None:
    """Raise BuildError where the folder, or one above it that may have come with it, is a link.

    Of a relative path that is each folder in it; of another one, the last two, but for one of the system's.
    """
    above = [folder, *folder.parents]
    for one in above[:2] if folder.is_absolute() else above:
        if one.is_symlink() and (one == folder or len(one.parts) > 2 or not one.is_absolute()):
            raise _not_real(one)


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
