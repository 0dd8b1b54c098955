"""A release's DuckDB files in object storage: attached, so that DuckDB fetches only the blocks it needs."""

import io
import threading
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from lookup.errors import StorageError
from lookup.release.current import Release
from lookup.storage.object_path import ObjectPath
from objectstore.objects import read_range
from objectstore.releases import file_name, stored_file

try:
    from fsspec import AbstractFileSystem
except ModuleNotFoundError:
    raise StorageError(
        "A corpus in object storage cannot be read: fsspec is not installed. "
        "Install it: `pip install 'pagequote[s3]'`."
    ) from None

PROTOCOL = "release"  # A protocol without a DuckDB extension: for `s3://` it would try to download its own.


def connect_release(release: Release, catalog: str) -> duckdb.DuckDBPyConnection:
    """Return a connection that opens files of the release, read-only, by their `address`.

    The database of a release in one piece is attached as `catalog`, which cursors have to `USE`. Raise
    duckdb.Error.
    """
    # Without a file of its own DuckDB would spill into a folder in the working directory.
    connection = duckdb.connect(config={"temp_directory": ""})
    try:
        connection.register_filesystem(_Files(release))
        if not release.shards:
            connection.execute(f"ATTACH '{address(release, release.database)}' AS {catalog} (READ_ONLY)")
    except BaseException:
        connection.close()
        raise
    return connection


def address(release: Release, file: Path) -> str:
    """Return the name of a file of the release for a connection of `connect_release`."""
    return f"{PROTOCOL}://{file_name(release, file)}"


def end_threads(connection: duckdb.DuckDBPyConnection) -> None:
    """Wait until DuckDB's own threads have ended, before a connection of `connect_release` is closed.

    A thread that lets go of a block which it read ahead after the file is closed ends the process by a
    segmentation fault (DuckDB 2.0.0).
    """
    with suppress(duckdb.ConnectionException):  # closed by another call
        connection.execute("SET threads = 1; SET async_threads = 0")


class _Files(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no annotations
    """As much of a file system as DuckDB needs, with the files of a release, which never change."""

    protocol = PROTOCOL
    cachable = False

    def __init__(self, release: Release) -> None:
        super().__init__()
        self._release = release

    def _open(self, path: str, mode: str = "rb", **_: Any) -> "_Blocks":
        del mode
        return _Blocks(*self._stored(path))

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Return name, size and type. Raise FileNotFoundError, as for a log of changes to a database."""
        return {"name": path, "size": self._stored(path)[1], "type": "file"}

    def exists(self, path: str, **_: Any) -> bool:
        """Return whether the release has the file."""
        try:
            self._stored(path)
        except FileNotFoundError:
            return False
        return True

    def modified(self, path: str) -> datetime:
        """Return a constant: the name of its object is the hash of its content."""
        del path
        return datetime(1970, 1, 1, tzinfo=UTC)

    def _stored(self, path: str) -> tuple[ObjectPath, int]:
        """Return the object with the file at an `address`, and its size. Raise FileNotFoundError."""
        return stored_file(self._release, self._release.folder / self._strip_protocol(path))


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
