"""Files that a user, a library, a text or a release names: opened without waiting, only if they are files."""

import errno
import json
import os
import stat
from io import BufferedReader
from pathlib import Path
from typing import Any

from lookup.errors import QueryError
from lookup.storage.object_path import ObjectPath

MOST_JSON = 64 << 20
"""Bytes of a file of JSON: a lock file of 10,000 quotations has 10 million."""

_READING = os.O_RDONLY
_READING |= sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT"))
"""How a file is opened: without waiting, for this process alone, byte by byte; each system has its flags."""

_PIECE = 1 << 20
_NO_FILE = "it is no file that has bytes: a folder, a device or a queue"
_NO_NAME = "its name has a character that no file's has"


def open_file(path: Path, most: int | None = None, within: Path | None = None) -> BufferedReader:
    """Open a regular file of at most `most` bytes, without waiting for anything, links followed.

    None is followed from the folder `within` down, whatever happens meanwhile. Raise OSError, whose
    `strerror` says why, for what is none (a folder, a device, a queue that nobody writes to), cannot be
    opened, or is too large.
    """
    try:
        descriptor = os.open(path, _READING) if within is None else _below(within, path.relative_to(within))
    except ValueError as error:
        raise OSError(errno.EINVAL, _NO_NAME, str(path)) from error
    about = os.fstat(descriptor)
    if stat.S_ISREG(about.st_mode) and (most is None or about.st_size <= most):
        return open(path, "rb", opener=lambda *_: descriptor)  # so that it has its name
    os.close(descriptor)
    if stat.S_ISREG(about.st_mode):
        why = f"it has {about.st_size:,} bytes; the limit is {most:,}"
        raise OSError(errno.EFBIG, why, str(path))
    raise OSError(errno.ENODEV, _NO_FILE, str(path))


def _below(folder: Path, path: Path) -> int:
    """Return the descriptor of a file below a folder, each part of its path opened by itself."""
    if os.open not in os.supports_dir_fd:  # Windows
        return os.open(folder / path, _READING)
    descriptor = os.open(folder, os.O_RDONLY)
    for part in path.parts:
        try:
            below = os.open(part, _READING | os.O_NOFOLLOW, dir_fd=descriptor)
        finally:
            os.close(descriptor)
        descriptor = below
    return descriptor


def read_file(path: Path, most: int | None = None) -> bytes:
    """Return what a regular file, or an object, holds.

    Raise OSError as `open_file`, also for a file that grows meanwhile.
    """
    if isinstance(path, ObjectPath):
        return path.read_bytes()
    with open_file(path, most) as file:
        size = os.fstat(file.fileno()).st_size
        data = file.read(size + 1)  # so much memory is taken, however little there is
        while len(data) > size and (most is None or len(data) <= most) and (more := file.read(_PIECE)):
            data += more  # it grew
    if most is not None and len(data) > most:
        raise OSError(errno.EFBIG, f"it has over {most:,} bytes, the limit", str(path))
    return data


def content(path: Path, most: int) -> bytes:
    """Return what a regular file of at most `most` bytes holds. Raise QueryError."""
    try:
        return read_file(path, most)
    except OSError as error:
        raise QueryError(f"{str(path)!r} cannot be read: {error.strerror}.") from error


def read_json(text: str | bytes) -> Any:
    """Return what JSON says. Raise ValueError for what is none, also for what is nested without end."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("its lists are nested too deeply") from None


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
