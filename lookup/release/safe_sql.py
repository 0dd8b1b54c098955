"""SQL of strangers: it reads the tables of one release and nothing else, in limited time and memory."""

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import duckdb

from lookup.errors import QueryError, StorageError
from lookup.release.current import CATALOG, Release
from lookup.release.shards import ShardDatabases
from lookup.storage.object_path import ObjectPath

SECONDS = 10.0
"""Seconds that a query may take, the fetching of its rows included."""

ROWS = 100_000
"""Rows that it may return: as many dates and texts take some hundred MB of memory as Python's objects."""

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "512MB",  # as much as a build gets
    "temp_directory": "",  # what does not fit into memory is refused
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}

_CLOSED = (
    "python_enable_replacements = false",  # no variable of ours is a table
    "enable_external_access = false",
    "lock_configuration = true",
)
"""Set once the release is attached: no other file, no network, and no setting that would open them again."""


class SafeRows(NamedTuple):
    """The rows of a query, and the names of their columns, none if the statement has no result."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows, as `Rows` does."""
        return self.rows


def safe_sql(release: Release, query: str, params: Sequence[Any] | None = None) -> SafeRows:
    """Return all rows of `query`, or raise QueryError, also after SECONDS and for more than ROWS.

    It reaches no file but the release's database, no network, extension or variable. Raise StorageError for
    a release in object storage, which DuckDB reads as if it were the network.
    """
    if isinstance(release.folder, ObjectPath):
        raise StorageError("SQL of strangers is for a corpus on a disk. Copy the release to one.")
    with duckdb.connect(config=_SETTINGS) as connection:
        if release.shards:
            ShardDatabases(connection, release).cursor().close()
        else:
            quoted = str(release.database).replace("'", "''")
            connection.execute(f"ATTACH '{quoted}' AS {CATALOG} (READ_ONLY)")
        connection.execute(f"USE {CATALOG}")
        for setting in _CLOSED:
            connection.execute(f"SET {setting}")
        clock = threading.Timer(SECONDS, connection.interrupt)
        clock.start()
        try:
            connection.execute(query, params)
            columns = [column[0] for column in connection.description or ()]
            rows = connection.fetchmany(ROWS + 1) if columns else []
        except duckdb.InterruptException:
            raise QueryError(f"The query took more than {SECONDS:g} s. Ask for less.") from None
        except duckdb.Error as error:
            raise QueryError(f"DuckDB refused the query: {error}") from error
        finally:
            clock.cancel()
    if len(rows) > ROWS:
        raise QueryError(f"The query has more than {ROWS} rows. Add a LIMIT.")
    return SafeRows(columns, rows)
