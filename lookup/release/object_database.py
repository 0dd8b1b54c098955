"""A release's DuckDB file in object storage: attached, so that DuckDB fetches only the blocks it needs."""

import io
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import duckdb

from lookup.errors import StorageError
from lookup.release.current import CATALOG, DATABASE, Release
from lookup.release.object_release import stored_file
from lookup.storage.object_path import ObjectPath
from lookup.storage.objects import read_range

try:
    from fsspec import AbstractFileSystem
except ModuleNotFoundError:
    raise StorageError(
        "A corpus in object storage cannot be read: fsspec is not installed. "
        "Install it: `pip install 'pagequote[s3]'`."
    ) from None

_PROTOCOL = "release"
"""A protocol without a DuckDB extension: for `s3://` it would try to download its own."""


def attach_release(release: Release) -> duckdb.DuckDBPyConnection:
    """Return a connection in which the release's database is attached, read-only.

    Its cursors have to `USE` CATALOG. Raise duckdb.Error.
    """
    assert isinstance(release.folder, ObjectPath)
    stored, size = stored_file(release.folder, release.manifest, DATABASE)
    # Without a file of its own DuckDB would spill into a folder in the working directory.
    connection = duckdb.connect(config={"temp_directory": ""})
    try:
        connection.register_filesystem(_OneFile(stored, size))
        connection.execute(f"ATTACH '{_PROTOCOL}://{DATABASE}' AS {CATALOG} (READ_ONLY)")
    except BaseException:
        connection.close()
        raise
    return connection


def end_threads(connection: duckdb.DuckDBPyConnection) -> None:
    """Wait until DuckDB's own threads have ended, before a connection of `attach_release` is closed.

    A thread that lets go of a block which it read ahead after the file is closed ends the process by a
    segmentation fault (DuckDB 2.0.0).
    """
    with suppress(duckdb.ConnectionException):  # closed by another call
        connection.execute("SET threads = 1; SET async_threads = 0")


def what_failed(error: duckdb.Error) -> str | None:
    """Return the error of object storage behind `error`, if any: DuckDB has its traceback as text."""
    text = str(error)
    return text.strip().rpartition("\n")[2] if "Traceback (most recent call last)" in text else None


class _OneFile(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no annotations
    """As much of a file system as DuckDB needs, with a single file that never changes."""

    protocol = _PROTOCOL
    cachable = False

    def __init__(self, stored: ObjectPath, size: int) -> None:
        super().__init__()
        self._stored, self._size = stored, size

    def _open(self, path: str, mode: str = "rb", **_: Any) -> "_Blocks":
        del path, mode
        return _Blocks(self._stored, self._size)

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Return name, size and type: there is the database, and no log of changes to it."""
        if not self.exists(path):
            raise FileNotFoundError(path)
        return {"name": path, "size": self._size, "type": "file"}

    def exists(self, path: str, **_: Any) -> bool:
        """Return whether `path` is the file."""
        return path.endswith(DATABASE)

    def modified(self, path: str) -> datetime:
        """Return a constant: the name of its object is the hash of its content."""
        del path
        return datetime(1970, 1, 1, tzinfo=UTC)


class _Blocks(io.RawIOBase):
    """The open file. DuckDB's threads share it: each seeks and then reads, so each has its own place."""

    def __init__(self, stored: ObjectPath, size: int) -> None:
        super().__init__()
        self._stored, self._size = stored, size
        self._places: dict[int, int] = {}

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._places.get(threading.get_ident(), 0)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self._size}[whence]
        self._places[threading.get_ident()] = start + offset
        return start + offset

    def read(self, size: int = -1) -> bytes:
        at = self.tell()
        length = self._size - at if size < 0 else min(size, self._size - at)
        if length <= 0:
            return b""
        data = read_range(self._stored, at, length)
        self.seek(at + length)
        return data
