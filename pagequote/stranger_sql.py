"""SQL of strangers: one SELECT over the tables of a release, in a process that reaches nothing else.

The process has the release open when it looks at the query, and may open no file and no connection any more:
the kernel refuses. What DuckDB's own parser does not call a SELECT over tables, views and macros of the
release is refused before it runs; memory, time and answer are bounded, and who breaks a bound is killed.
"""

import json
import os
import pickle
import resource
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from lookup.corpus import Corpus
from lookup.errors import QueryError, StorageError
from lookup.release.current import CATALOG, Release
from lookup.release.shards import ShardDatabases
from lookup.release.sql_macros import VIEWS
from lookup.storage.object_path import ObjectPath
from pagequote.apart import apart, bound

SECONDS = 10.0  # Seconds that a query may take; with the start of its process, 0.3 s.
ROWS = 100_000  # Rows that it may return.
BYTES = 16 << 20  # Bytes that its rows may take on their way, pickled.

_MEMORY = 400 << 20
"""Bytes of address space that a query gets beside the 60 MB that its process holds when it begins."""

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "300MB",
    "threads": 2,  # each reserves some of the address space
    "temp_directory": "",  # what does not fit into memory is refused
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}

_CLOSED = (
    "python_enable_replacements = false",  # no variable of ours is a table
    "enable_external_access = false",
    "lock_configuration = true",
)

_LOADED = "SELECT json_serialize_sql('SELECT 1'), uuid(), 1.5::DECIMAL(2, 1), current_date, INTERVAL 1 DAY"
"""Has Python load what it makes values of, while it may open files."""

_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
"""What a query may be made of; a WITH may hold a DELETE, too."""

_LISTS = {"duckdb_columns", "duckdb_functions", "duckdb_tables", "duckdb_views"}
"""What tells of the tables, and not of this machine."""

_TABLE_FUNCTIONS = {view.name for view in VIEWS} | _LISTS
_TABLE_FUNCTIONS |= {"generate_series", "json_each", "json_tree", "range", "repeat", "unnest"}

_FUNCTIONS_OF_THE_MACHINE = {"current_setting", "getenv", "getvariable", "write_log"}

_OF_THE_SYSTEM = ("duckdb_", "pragma_", "sqlite_")  # How views begin that tell of files and settings.


class SafeRows(NamedTuple):
    """The rows of a query, and the names of their columns."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows, as `Rows` does."""
        return self.rows


def safe_sql(corpus: Corpus, query: str, params: Sequence[Any] | None = None) -> SafeRows:
    """Return all rows of a stranger's `query`, or raise QueryError, also beyond SECONDS, ROWS and BYTES.

    Raise StorageError for a corpus in object storage, where reading is using the network.
    """
    release = corpus.release
    if isinstance(release.folder, ObjectPath):
        raise StorageError("SQL of strangers is for a corpus on a disk. Copy the release to one.")
    given = (replace(release, folder=Path()), query, params, ROWS, SECONDS)
    return SafeRows(*apart(_answered, *given, what="The query", seconds=SECONDS, folder=release.folder))


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    """Return the connection of this process, which ends with it: closing takes memory."""
    return duckdb.connect(config=_SETTINGS)


def _answered(
    release: Release, query: str, params: Sequence[Any] | None, most: int, seconds: float
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return columns and rows: the work of a process whose folder is that of the release."""
    here = f"{Path.cwd()}{os.sep}"
    connection = _connection()
    try:
        _attach(connection, release)
        _close(seconds)
        _check(connection, query)
        return _rows(connection.execute(query, params), most)
    except duckdb.OutOfMemoryException:
        raise MemoryError from None
    except duckdb.Error as error:
        words = str(error).replace(here, "").partition(", due to the following Python exception")[0]
        raise QueryError(f"DuckDB refused the query: {words}") from None


def _attach(connection: duckdb.DuckDBPyConnection, release: Release) -> None:
    """Open the release, whose folder is where this process is: no name in it tells where that is."""
    if release.shards:
        ShardDatabases(connection, release).cursor().close()
    else:
        connection.execute(f"ATTACH '{release.database}' AS {CATALOG} (READ_ONLY)")
    connection.execute(f"USE {CATALOG}")
    connection.execute(_LOADED).fetchall()
    for setting in _CLOSED:
        connection.execute(f"SET {setting}")


def _close(seconds: float) -> None:
    """Have the kernel refuse to open anything, to write into any file, and to give more memory and time."""
    bound(_MEMORY, seconds)
    for what in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        resource.setrlimit(what, (0, 0))


def _check(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Raise QueryError where the query is not one SELECT over the tables, views and macros of the release."""
    types = [statement.type for statement in connection.extract_statements(query)]
    ((said,),) = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [query]).fetchall()
    tree = json.loads(said)
    if types != [duckdb.StatementType.SELECT] or tree["error"]:
        raise QueryError("Give one SELECT: nothing else is run for strangers.")
    for node in _nodes(tree):
        if (refused := _refused(node)) is not None:
            raise QueryError(f"{refused!r} is not for strangers, who have the tables, views and macros.")


def _refused(node: dict[str, Any]) -> str | None:
    """Return the name of what no stranger may use, if this part of a query is such a thing."""
    kind = str(node.get("type", ""))
    if kind == "TABLE_FUNCTION":
        name = str(node["function"]["function_name"]).lower()
        return None if name in _TABLE_FUNCTIONS else name
    if kind == "BASE_TABLE":
        name = str(node["table_name"]).lower()
        return name if name.startswith(_OF_THE_SYSTEM) and name not in _LISTS else None
    if "function_name" in node:
        name = str(node["function_name"]).lower()
        return name if name in _FUNCTIONS_OF_THE_MACHINE else None
    if kind == "SHOW_REF":
        return None if node["query"] else str(node["table_name"])
    return kind if kind.endswith("_NODE") and kind not in _NODES else None


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _rows(cursor: duckdb.DuckDBPyConnection, most: int) -> tuple[list[str], list[tuple[Any, ...]]]:
    columns = [column[0] for column in cursor.description or ()]
    rows: list[tuple[Any, ...]] = []
    size = 0
    while some := cursor.fetchmany(500):
        size += len(pickle.dumps(some))
        rows += some
        if len(rows) > most:
            raise QueryError(f"The query has more than {most} rows. Add a LIMIT.")
        if size > BYTES:
            raise QueryError(f"The rows of the query take more than {BYTES >> 20} MB. Ask for less.")
    return columns, rows
