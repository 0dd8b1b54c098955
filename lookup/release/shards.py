"""A release in shards: which of them holds a paper, and their databases as one.

A shard is a release of the papers whose keys have its number by their hash, in a folder of the release of the
whole. All of them become current with that.
"""

import hashlib
import threading
from collections.abc import Iterable
from typing import TypeVar

import duckdb

from lookup.errors import CorpusVersionError
from lookup.release.current import CATALOG, DATABASE, Release
from lookup.release.schema import TABLES, VECTORS
from lookup.release.sql_macros import VIEWS

ROWS_APART = 1 << 40
"""From the first row number of a shard to that of the next: the number of a row tells its shard, and is whole
as a floating point number in up to 8,192 shards."""

Of = TypeVar("Of", str, int)


def shard_of(key: str, shards: int) -> int:
    """Return the number of the shard with the paper `key`."""
    # Not the digest's first bytes, by which pipeline.publish.parts cuts the papers of each shard.
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[8:16]) % shards


class ShardDatabases:
    """The databases of a release's shards in a connection. Each is opened when it is first asked for."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, release: Release) -> None:
        self._connection, self._release = connection, release
        self._lock = threading.Lock()
        self._attached: set[int] = set()
        self._joined = False

    def by_shard(self, of: Iterable[Of]) -> list[list[Of]]:
        """Return keys of papers, or row numbers, in groups of those that one shard holds."""
        groups: dict[int, list[Of]] = {}
        for one in of:
            groups.setdefault(self._number(one), []).append(one)
        return list(groups.values())

    def first_vector(self, key: str) -> int:
        """Return the number of vectors in the shards before that of the paper."""
        return self._first_vectors()[self._number(key)]

    def catalog(self, of: str | int | None) -> str:
        """Return the catalog with the paper of this key, with the row of this number, or (None) with all.

        Raise CorpusVersionError where a database cannot be opened.
        """
        with self._lock:
            if of is not None:
                return self._attach(self._number(of))
            if not self._joined:
                self._join()
            return CATALOG

    def _number(self, of: str | int) -> int:
        return shard_of(of, self._release.shards) if isinstance(of, str) else of // ROWS_APART

    def _first_vectors(self) -> list[int]:
        counts = [one["rows"][VECTORS.name] for one in self._release.manifest["shards"]]
        return [sum(counts[:number]) for number in range(len(counts))]

    def _attach(self, number: int) -> str:
        name = f"shard{number}"
        if number not in self._attached:
            path = self._release.parts[number] / DATABASE
            quoted = str(path).replace("'", "''")
            try:
                self._connection.cursor().execute(f"ATTACH '{quoted}' AS {name} (READ_ONLY)")
            except duckdb.Error as error:
                raise CorpusVersionError(
                    f"The database {str(path)!r} cannot be opened ({error}). Refresh the corpus, or open it "
                    "again: three releases are kept, and this may be an older one. If it is the newest, "
                    "build the corpus again, or install the duckdb that wrote it."
                ) from error
            self._attached.add(number)
        return name

    def _join(self) -> None:
        """Make the tables of all shards one, and the views and macros of a release over these."""
        shards = [self._attach(number) for number in range(self._release.shards)]
        cursor = self._connection.cursor()
        cursor.execute(f"ATTACH ':memory:' AS {CATALOG}")
        cursor.execute(f"USE {CATALOG}")
        for table in TABLES:
            # A vector's number in the matrix of all shards' vectors is its rowid, as it is in one database.
            numbers = self._first_vectors() if table is VECTORS else None
            each = [
                f"SELECT *{f', rowid + {numbers[at]} AS rowid' if numbers else ''} FROM {shard}.{table.name}"
                for at, shard in enumerate(shards)
            ]
            cursor.execute(f"CREATE VIEW {table.name} AS {' UNION ALL BY NAME '.join(each)}")
        for view in VIEWS:
            cursor.execute(view.sql)
        self._joined = True
