"""A release's DuckDB file in object storage, attached: DuckDB asks for the blocks that a statement needs, and gets those alone."""

import io
import threading
from datetime import UTC, datetime
from typing import Any

import duckdb

from lookup.errors import StorageError
from lookup.release.current import DATABASE, Release
from lookup.release.object_release import stored_file
from lookup.storage.object_path import ObjectPath
from lookup.storage.objects import read_range

try:
    from fsspec import AbstractFileSystem
except ModuleNotFoundError:
    raise StorageError(
        "A corpus in object storage cannot be read: fsspec is not installed. Install it: `pip install 'pagequote[s3]'`."
    ) from None

CATALOG = "corpus"
"""The name of the attached database, the same that DuckDB gives a file corpus.duckdb."""

_PROTOCOL = "release"
"""What DuckDB has no extension for: at `s3://` it would look for its own, which would have to be downloaded."""


def attach_release(release: Release) -> duckdb.DuckDBPyConnection:
    """A connection in which the release's database is attached, read-only; its cursors have to `USE` CATALOG. Raises duckdb.Error."""
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


def what_failed(error: duckdb.Error) -> str | None:
    """What object storage said, where it was that which stopped DuckDB: it hands on the traceback of a file system's error as text."""
    said = str(error)
    return said.strip().rpartition("\n")[2] if "Traceback (most recent call last)" in said else None


class _OneFile(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no annotations
    """As much of a file system as DuckDB asks of one that holds a single file, which never changes."""

    protocol = _PROTOCOL
    cachable = False

    def __init__(self, stored: ObjectPath, size: int) -> None:
        super().__init__()
        self._stored, self._size = stored, size

    def _open(self, path: str, mode: str = "rb", **_: Any) -> "_Blocks":
        del path, mode
        return _Blocks(self._stored, self._size)

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """What stands there: the database, and no log of changes to it."""
        if not self.exists(path):
            raise FileNotFoundError(path)
        return {"name": path, "size": self._size, "type": "file"}

    def exists(self, path: str, **_: Any) -> bool:
        """Whether that is the file."""
        return path.endswith(DATABASE)

    def modified(self, path: str) -> datetime:
        """The same at all times: its object has the hash of its content as its name."""
        del path
        return datetime(1970, 1, 1, tzinfo=UTC)


class _Blocks(io.RawIOBase):
    """The file, open. DuckDB's threads share it: each seeks and reads in one go, so that each has a place of its own."""

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
