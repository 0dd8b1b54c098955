"""A release in shards: which of them holds a paper, and their databases as one.

A shard is a release of the papers whose keys have its number by their hash, in a folder of the release of the
whole. All of them become current with that.
"""

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import duckdb

from lookup.errors import CorpusVersionError
from lookup.release.current import CATALOG, DATABASE, Release
from lookup.release.schema import TABLES, VECTORS
from lookup.release.sql_macros import VIEWS
from lookup.storage.object_path import ObjectPath, what_failed
from lookup.storage.untrusted_files import open_file

ROWS_APART = 1 << 40
"""From the first row number of a shard to that of the next: the number of a row tells its shard, and is whole
as a floating point number in up to 8,192 shards."""

_NUMBERED = "numbered"
"""The schema of `vectors` with a `rowid` that is the number of a vector through all shards, as it is in one
database."""

_THREADS = 8  # Databases that are opened at a time: in object storage each takes several requests.
_LOOKUPS = f"{CATALOG}.{_NUMBERED},{CATALOG}.main"  # Where lookups find the tables of all shards.

Of = TypeVar("Of", str, int)
Row: TypeAlias = tuple[Any, ...]


def shard_of(key: str, shards: int) -> int:
    """Return the number of the shard with the paper `key`."""
    # Not the digest's first bytes, by which pipeline.publish.parts cuts the papers of each shard.
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[8:16]) % shards


def _name(number: int) -> str:
    """Return the catalog of a shard's database."""
    return f"shard{number}"


class ShardDatabases:
    """The databases of a release's shards in a connection. Each is opened when it is first asked for."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, release: Release) -> None:
        self._connection, self._release = connection, release
        self._lock = threading.Lock()
        # One for each: who asks for a shard that is open does not wait while others are fetched.
        self._attaching = [threading.Lock() for _ in range(release.shards)]
        self._attached: set[int] = set()
        self._joining = threading.Lock()
        self._joined = False
        # Kept from lookup to lookup: to say where one finds its tables takes as long as some lookups.
        self._free: dict[int | None, list[duckdb.DuckDBPyConnection]] = {}

    def by_shard(self, of: Iterable[Of], rows: Callable[[list[Of]], list[Row]]) -> list[Row]:
        """Return the `rows` of keys of papers, or row numbers, asked for those that one shard holds together.

        Shards in object storage are asked side by side: each waits for its requests.
        """
        groups: dict[int, list[Of]] = {}
        for one in of:
            groups.setdefault(self._number(one), []).append(one)
        found: Iterable[list[Row]]
        if isinstance(self._release.folder, ObjectPath) and len(groups) > 1:
            with ThreadPoolExecutor(_THREADS) as threads:
                found = list(threads.map(rows, groups.values()))
        else:
            found = map(rows, groups.values())
        return [row for some in found for row in some]

    def first_vector(self, key: str) -> int:
        """Return the number of vectors in the shards before that of the paper."""
        return self._first_vectors()[self._number(key)]

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor that sees the tables of all shards as those of one file."""
        return self._ready(CATALOG, None)

    @contextmanager
    def lookup(self, of: str | int | None) -> Iterator[duckdb.DuckDBPyConnection]:
        """Yield a cursor that sees the tables of the shard with this key or row, or (None) those of all.

        In the latter `rowid` of `vectors` counts through all shards. Raise CorpusVersionError where a
        database cannot be opened, duckdb.Error where object storage does not give it.
        """
        number = None if of is None else self._number(of)
        with self._lock:
            cursor = free.pop() if (free := self._free.setdefault(number, [])) else None
        if cursor is None:
            cursor = self._ready(_LOOKUPS if number is None else _name(number), number)
        yield cursor
        with self._lock:  # unless an error was raised
            free.append(cursor)

    def close(self) -> None:
        """Close the cursors of lookups."""
        with self._lock:
            for free in self._free.values():
                while free:
                    free.pop().close()

    def _ready(self, path: str, number: int | None) -> duckdb.DuckDBPyConnection:
        """Return a cursor that finds tables in `path`; the shard, or (None) all of them, are opened."""
        if number is not None:
            self._attach(number)
        else:
            self._join()
        cursor = self._connection.cursor()
        cursor.execute(f"SET search_path = '{path}'")
        return cursor

    def _number(self, of: str | int) -> int:
        return shard_of(of, self._release.shards) if isinstance(of, str) else of // ROWS_APART

    def _first_vectors(self) -> list[int]:
        counts = [one["rows"][VECTORS.name] for one in self._release.manifest["shards"]]
        return [sum(counts[:number]) for number in range(len(counts))]

    def _attach(self, number: int) -> None:
        with self._attaching[number]:
            if number in self._attached:
                return
            path = self._release.parts[number] / DATABASE
            quoted = _address(self._release, path).replace("'", "''")
            try:
                if not isinstance(path, ObjectPath):
                    open_file(path).close()  # DuckDB would wait for what is no file
                self._connection.cursor().execute(f"ATTACH '{quoted}' AS {_name(number)} (READ_ONLY)")
            except (duckdb.Error, OSError) as error:
                if isinstance(path, ObjectPath) and what_failed(error):
                    raise
                raise CorpusVersionError(
                    f"The database {str(path)!r} cannot be opened ({error}). Refresh the corpus, or open it "
                    "again: three releases are kept, and this may be an older one. If it is the newest, "
                    "build the corpus again, or install the duckdb that wrote it."
                ) from error
            self._attached.add(number)

    def _join(self) -> None:
        with self._joining:
            if not self._joined:
                with ThreadPoolExecutor(_THREADS) as threads:
                    list(threads.map(self._attach, range(self._release.shards)))
                self._make_one()
                self._joined = True

    def _make_one(self) -> None:
        """Make the tables of all shards one, and the views and macros of a release over these."""
        shards = [_name(number) for number in range(self._release.shards)]
        cursor = self._connection.cursor()
        cursor.execute(f"ATTACH ':memory:' AS {CATALOG}")
        cursor.execute(f"USE {CATALOG}")
        for table in TABLES:
            every = " UNION ALL BY NAME ".join(f"FROM {shard}.{table.name}" for shard in shards)
            cursor.execute(f"CREATE VIEW {table.name} AS {every}")
        for view in VIEWS:
            cursor.execute(view.sql)
        numbered = " UNION ALL BY NAME ".join(
            f"SELECT *, rowid + {first} AS rowid FROM {shard}.{VECTORS.name}"
            for first, shard in zip(self._first_vectors(), shards, strict=True)
        )
        cursor.execute(f"CREATE SCHEMA {_NUMBERED}")
        cursor.execute(f"CREATE VIEW {_NUMBERED}.{VECTORS.name} AS {numbered}")


def _address(release: Release, path: Path) -> str:
    """Return the name by which DuckDB opens a database of the release."""
    if isinstance(path, ObjectPath):
        from objectstore.database import address  # needs fsspec  # noqa: PLC0415

        return address(release, path)
    return str(path)
