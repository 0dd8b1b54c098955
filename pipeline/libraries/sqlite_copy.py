"""A copy of an SQLite database that another program has open, without touching what is copied."""

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from lookup.errors import SourceError

_BESIDE = ("-wal", "-journal")
"""What SQLite keeps beside a database while a change is under way; without it the copy would be a torn one."""

_ATTEMPTS, _PAUSE = 20, 0.25
"""How often, and how many seconds apart, a copy is tried of a database that changes while it is copied."""


@contextmanager
def copied(database: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of the database as it was at one moment.

    Its owner may hold it locked, as Zotero does all the time: nothing but reading is asked of its files. A copy counts when they are
    the same after it as before; what was half written then is taken back in the copy, as after a crash. Raises SourceError.
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
            yield connection


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
        f"The database {str(database)!r} changes all the time, so that no copy of it is whole. Try again when its program is at rest."
    )


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        now = file.stat()
    except FileNotFoundError:
        return None
    return now.st_mtime_ns, now.st_size, now.st_ino
