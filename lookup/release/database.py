"""The database of an open release: a read-only connection that threads share, with limited memory."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any
from weakref import finalize

import duckdb

from lookup.errors import ClosedCorpusError, CorpusVersionError, PageQuoteError, QueryError, StorageError
from lookup.release.current import CATALOG, Release
from lookup.storage.object_path import ObjectPath, what_failed
from lookup.storage.untrusted_files import open_file

if TYPE_CHECKING:
    import numpy.typing as npt

    from lookup.release.rows import Rows
    from objectstore.shards import Of, Row, ShardDatabases

_CACHE = "24.0 MiB"
"""Memory that lookups leave to DuckDB, mostly for the blocks that it read last, written as DuckDB writes it.
Among 1,000,000 paragraphs a process then holds 112 MiB after 120 queries, 181 without a limit; the first
lookup of a paper takes 4.2 ms instead of 3.5, later ones and greps as long as before (benchmarks, shared
machine). A statement that needs more gets that."""

_OBJECT_CACHE = "256.0 MiB"
"""The same for a corpus in object storage, where a block that is read again is a request."""

_DESCRIPTORS = os.path.exists("/dev/fd")  # noqa: PTH110  # pathlib is slow to load
"""Whether a file that was removed can be opened by a descriptor; Windows removes none that is open."""


class Database:
    """The DuckDB file of a release, or those of its shards, read-only. Safe to share between threads.

    Lookups can open no other file, whatever views and macros somebody put into the database: these are
    looked at before a user's own SQL, which may open files, runs beside them. A query `of` a key or row
    number is about that paper or row alone: no other shard is opened for it.
    """

    def __init__(self, release: Release, *, for_users: bool = False, held: int | None = None) -> None:
        """Open it, or the file `held` that it is. Raise CorpusVersionError or StorageError if that fails."""
        self.release = release
        self._users: Database | None = None
        self._lock = threading.Lock()
        self._free: list[duckdb.DuckDBPyConnection] = []
        try:
            self._connection = _connected(release, held, for_users=for_users)
            # A user's SQL that comes when the release has been removed finds its file by this.
            apart = for_users or release.shards or isinstance(release.folder, ObjectPath)
            keep = _DESCRIPTORS and not apart
            self._held = os.open(release.database, os.O_RDONLY | os.O_CLOEXEC) if keep else None
            self._closed = finalize(self, _close, self._connection, release, self._held)
            self._closed.atexit = False
            self._shards: ShardDatabases | None = None
            if release.shards:
                from objectstore import shards  # a corpus in one piece does without  # noqa: PLC0415

                self._shards = shards.ShardDatabases(self._connection, release)
            if for_users:
                from lookup.release.sql_macros import check_definitions  # noqa: PLC0415

                check_definitions(self.cursor(), CATALOG if release.shards else "")
        except (duckdb.Error, OSError) as error:
            if isinstance(error, duckdb.Error) and isinstance(refused := self._refused(error), StorageError):
                raise refused from error
            raise CorpusVersionError(
                f"The database {str(release.database)!r} cannot be opened ({error}). Build the corpus "
                "again, or install the duckdb that wrote it. Where no lock can be set, use another disk."
            ) from error

    @property
    def closed(self) -> bool:
        """Return whether it was closed: then all calls raise ClosedCorpusError."""
        return not self._closed.alive

    def close(self) -> None:
        """Let go of the release's files; lookups that run in other threads end on them."""
        self._closed()
        with self._lock:
            self._free.clear()
        if self._shards is not None:
            self._shards.close()
        if self._users is not None:
            self._users.close()

    def by_shard(self, of: "Iterable[Of]", rows: "Callable[[list[Of]], list[Row]]") -> "list[Row]":
        """Return the `rows` of keys, or of row numbers, in any order.

        `rows` gets them in groups: a query may be `of` any of a group, and about all of it.
        """
        if self._shards is not None:
            return self._shards.by_shard(of, rows)
        return rows(group) if (group := list(of)) else []

    def first_vector(self, key: str) -> int:
        """Return what is to be added to `rowid` in a query `of` this key for numbers of vectors."""
        return 0 if self._shards is None else self._shards.first_vector(key)

    def select(
        self, query: str, params: Sequence[Any] | None = None, of: str | int | None = None
    ) -> list[tuple[Any, ...]]:
        """Return all rows of a lookup's query, in limited memory if that suffices. Raise QueryError."""
        rows: list[tuple[Any, ...]] = self._fetched(query, params, of, duckdb.DuckDBPyConnection.fetchall)
        return rows

    def columns(self, query: str) -> "list[npt.NDArray[Any]]":
        """Return the columns of a lookup's query, of numbers. Raise QueryError."""
        found: dict[str, npt.NDArray[Any]]
        found = self._fetched(query, None, None, duckdb.DuckDBPyConnection.fetchnumpy)
        return list(found.values())

    def sql(self, query: str, params: Sequence[Any] | None = None) -> "Rows":
        """Run a user's SQL, without our limit of memory. Raise QueryError with the message of DuckDB."""
        from lookup.release.rows import Rows  # lookups do without  # noqa: PLC0415

        with self._lock:
            if self.closed:
                raise was_closed()
            self._users = users = self._users or Database(self.release, for_users=True, held=self._held)
        try:
            if not duckdb.extract_statements(query):
                raise QueryError("The query says nothing. Write one, such as: FROM papers.")
            return Rows(
                users.cursor().execute(query, params), lambda: users.cursor().sql(query, params=params)
            )
        except duckdb.Error as error:
            raise self._refused(error) from error

    def _refused(self, error: duckdb.Error) -> PageQuoteError:
        if isinstance(self.release.folder, ObjectPath) and (cause := what_failed(error)):
            return StorageError(
                f"The release {self.release.name} cannot be read on ({cause}). Refresh the corpus, or open "
                "it again: three releases are kept, and this may be an older one."
            )
        return QueryError(f"DuckDB refused the query: {error}")

    def _fetched(
        self,
        query: str,
        params: Sequence[Any] | None,
        of: str | int | None,
        fetch: Callable[[duckdb.DuckDBPyConnection], Any],
    ) -> Any:
        try:
            with self._lookup(of) as cursor:
                try:
                    return fetch(cursor.execute(query, params))
                except duckdb.OutOfMemoryException:  # many threads, or a machine of many cores
                    cursor.execute("RESET memory_limit")
                    return fetch(cursor.execute(query, params))
        except duckdb.Error as error:
            raise (was_closed() if self.closed else self._refused(error)) from error

    @contextmanager
    def _lookup(self, of: str | int | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor for a lookup, which no other thread has meanwhile."""
        if self._shards is not None:
            with self._shards.lookup(of) as cursor:
                yield cursor
            return
        with self._lock:
            kept = self._free.pop() if self._free else None
        cursor = kept or self.cursor()
        yield cursor
        with self._lock:  # unless an error was raised
            self._free += [] if self.closed else [cursor]

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor that sees all tables. Raise duckdb.Error."""
        if self._shards is not None:
            return self._shards.cursor()
        cursor = self._connection.cursor()
        cursor.execute(f"USE {CATALOG}")  # which is attached, and a cursor begins elsewhere
        return cursor


def was_closed() -> ClosedCorpusError:
    """Return the error of whoever asks a corpus that was closed."""
    return ClosedCorpusError("This corpus was closed. Open it again.")


def _connected(release: Release, held: int | None, *, for_users: bool) -> duckdb.DuckDBPyConnection:
    """Return a connection of its own to the database: for lookups with a limit, and to no other file.

    Raise duckdb.Error or OSError.
    """
    far = isinstance(release.folder, ObjectPath)
    if isinstance(release.folder, ObjectPath):
        from lookup.storage.object_store import PROTOCOL, connect_release  # noqa: PLC0415

        connection = connect_release(release, CATALOG)
        folders = [f"{PROTOCOL}://"]
    else:
        folders = sorted({f"{part}/" for part in release.parts})
        # Without a file of its own DuckDB would spill into a folder in the working directory.
        connection = duckdb.connect(config={"temp_directory": ""})
        if not release.shards:
            gone = held is not None and not release.database.exists()
            if not gone:
                open_file(release.database).close()  # DuckDB would wait for what is no file
            quoted = f"/dev/fd/{held}" if gone else str(release.database).replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS {CATALOG} (READ_ONLY)")
    if not for_users:
        connection.execute("SET allowed_directories = ?", [folders])
        connection.execute("SET enable_external_access = false")
        connection.execute(f"SET memory_limit = '{_OBJECT_CACHE if far else _CACHE}'")
    return connection


def _close(connection: duckdb.DuckDBPyConnection, release: Release, held: int | None) -> None:
    if held is not None:
        os.close(held)
    if isinstance(release.folder, ObjectPath):
        from lookup.storage.object_store import end_threads  # noqa: PLC0415

        end_threads(connection)
    with suppress(duckdb.Error):  # a thread fetches the rows of its own SQL: it ends with that
        connection.close()
