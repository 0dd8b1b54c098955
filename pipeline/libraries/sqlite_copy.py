"""Copies an SQLite database that another program has open, without touching the original."""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from lookup.errors import SourceError

_BESIDE = ("-wal", "-journal")
"""The files of SQLite beside a database during a change; a copy without them would be inconsistent."""

_ATTEMPTS, _PAUSE = 20, 0.25  # Attempts, and seconds between them, to copy a database that changes meanwhile.

_LONGEST = 1 << 26  # Bytes of a value.


@contextmanager
def copied(database: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a consistent copy of the database; raise SourceError without one.

    Its owner may hold it locked, as Zotero does: the files are only read. A copy counts when they are the
    same before and after it; SQLite rolls back a half-written change in the copy, as after a crash.
    """
    with tempfile.TemporaryDirectory(prefix="pagequote-") as folder:
        try:
            copy = _copy(database, Path(folder))
        except OSError as error:
            raise SourceError(
                f"The database {str(database)!r} cannot be read ({error.strerror}). Check its permissions."
            ) from error
        with closing(sqlite3.connect(copy)) as connection:
            connection.text_factory = lambda text: text.decode("utf-8", "replace")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
            connection.set_authorizer(_tables_alone)
            yield connection


def _tables_alone(*said: int | str | None) -> int:
    """Deny what is read through a view: put in a table's place by somebody, it may have rows without end."""
    return sqlite3.SQLITE_DENY if said[-1] else sqlite3.SQLITE_OK


def _copy(database: Path, folder: Path) -> Path:
    files = [database, *(database.with_name(database.name + end) for end in _BESIDE)]
    for _ in range(_ATTEMPTS):
        before = [_stamp(file) for file in files]
        for file, stamp in zip(files, before, strict=True):
            copy = folder / file.name
            copy.unlink(missing_ok=True)
            if stamp is not None:
                try:
                    shutil.copyfile(file, copy)
                except FileNotFoundError:
                    break  # the change ended meanwhile
        if before == [_stamp(file) for file in files]:
            return folder / database.name
        time.sleep(_PAUSE)
    raise SourceError(
        f"The database {str(database)!r} changes all the time, so it cannot be copied. "
        "Try again when its program is idle."
    )


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        now = file.stat()
    except FileNotFoundError:
        return None
    return now.st_mtime_ns, now.st_size, now.st_ino
