"""Files that a text, an agent or a stranger names: read without waiting, and only if they are files."""

import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

from lookup.errors import QueryError


def opened(path: Path, most: int) -> BinaryIO:
    """Open a regular file of at most `most` bytes, without waiting for anything, links followed.

    Raise QueryError for what is none (a folder, a device, a queue that nobody writes to), or too large.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "its name has a character that no file's has"
        raise QueryError(f"{str(path)!r} cannot be read: {why}.") from error
    about = os.fstat(descriptor)
    if stat.S_ISREG(about.st_mode) and about.st_size <= most:
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    if stat.S_ISREG(about.st_mode):
        raise QueryError(f"{str(path)!r} has {about.st_size:,} bytes; the limit is {most:,}.")
    raise QueryError(f"{str(path)!r} is no file that has bytes: a folder, a device or a queue. Name a file.")


def content(path: Path, most: int) -> bytes:
    """Return what a regular file holds. Raise QueryError as `opened`, also for one that grows meanwhile."""
    with opened(path, most) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise QueryError(f"{str(path)!r} has over {most:,} bytes, the limit.")
    return data


def read_json(text: str | bytes) -> Any:
    """Return what JSON says. Raise ValueError for what is none, also for what is nested without end."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("its lists are nested too deeply") from None


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


MOST_JSON = 64 << 20  # Bytes of a file of JSON: a lock file of 10,000 quotations has 10 million.
