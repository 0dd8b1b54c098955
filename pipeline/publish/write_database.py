"""The release's DuckDB file: the same tables, for answers in milliseconds and for any client.

It is written whole, or the one of an earlier release is changed where papers changed.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq

from lookup.release.current import DATABASE, Release
from lookup.release.schema import (
    FAILURES,
    PAPERS,
    PARAGRAPHS,
    ROW_NUMBER,
    SHARDED,
    TABLES,
    VECTORS,
    Table,
)
from lookup.release.sql_macros import FLOATS, STORAGE, VIEWS
from pipeline.publish.descriptions import comments, table_comments
from pipeline.releases.release_diff import PAPERS_ROWS

_ROW_GROUP = 8192
"""Rows of which DuckDB knows the least and the greatest key. A lookup by key reads through one or two of
these groups, whatever the size of the corpus: at 1,000,000 paragraphs 0.65 ms, and 0.86 with DuckDB's
122,880."""

_BLOCK = 65536
"""Bytes read at a time: with DuckDB's 262,144 the first lookup in a paper takes 3.3 ms at 1,000,000
paragraphs, with this 3.0."""

_OPTIONS = f"ROW_GROUP_SIZE {_ROW_GROUP}, BLOCK_SIZE {_BLOCK}, STORAGE_VERSION '{STORAGE}'"
"""How the file is attached for writing."""

_MEMORY = "512MB"
"""What DuckDB may hold while it writes; without a limit it takes four fifths of the machine's memory, the
readers' share included."""

_UNCOMPRESSED = ("text", "text_raw", "text_norm")
"""Columns whose values are decompressed by 2,048 for each one that is wanted: as they are, one lookup takes
1.8 ms instead of 3.6 (57 papers)."""

_LOOSE = 0.25
"""Paragraphs that were deleted, or appended behind the others, for each of the corpus, from which the
database is written anew."""

_APPENDED = 16 * _ROW_GROUP
"""Paragraphs behind the others, at most. Their row groups hold keys of the whole alphabet, so that each
lookup by key reads through all of their keys: 2.41 ms with 16 of them, 2.38 with 4 (decision 39)."""


@dataclass(frozen=True)
class PaperChanges:
    """The papers that a database has and a release has not, or has otherwise; and those that it lacks.

    `database` is what the manifest is to say of it: the version of the statements that wrote it, and the
    paragraphs that were written in order or appended since.
    """

    gone: frozenset[str]
    fresh: frozenset[str]
    database: Mapping[str, Any]


def difference(before: Release, after: Path, model: str | None) -> PaperChanges | None:
    """Compare the papers of a release and of a folder; None where writing the database anew is better.

    Rows of a paper depend on its bytes, on the version of what read them, and on the model.
    """
    found = before.manifest.get("database")
    if not found or found["version"] != database_version() or before.manifest["model"] != model:
        return None
    old, new = _papers(before.folder), _papers(after)
    gone, fresh = old.keys() - new.keys(), new.keys() - old.keys()
    now = sum(new.values())
    appended = found["appended"] + sum(new[one] for one in fresh)
    deleted = found["written"] + appended - now
    if appended > _APPENDED or appended + deleted > _LOOSE * now:
        return None
    return PaperChanges(
        frozenset(key for key, *_ in gone),
        frozenset(key for key, *_ in fresh),
        {**found, "appended": appended},
    )


def _papers(release: Path) -> dict[tuple[str, str, str], int]:
    """Return the papers of a release, each by its key and what decides its rows, with their paragraphs."""
    decisive = ("key", "sha256", "extractor")
    with pq.ParquetFile(release / PAPERS_ROWS) as file:  # not by DuckDB: each of its instances takes 20 ms
        rows = file.read([*decisive, "paragraphs"]).to_pylist()
    return {(row["key"], row["sha256"], row["extractor"]): row["paragraphs"] for row in rows}


def write_database(folder: Path, files: Mapping[str, Sequence[str]], first_row: int = 0) -> dict[str, Any]:
    """Write the database in `folder` from the Parquet `files` (by table, relative to `folder`).

    Paragraphs are numbered from `first_row`. Return what the manifest says of it.
    """
    with _attached(folder / DATABASE) as connection:
        for table in TABLES:
            connection.execute(_create(table))
            _insert(connection, table, folder, files[table.name], first_row)
        connection.execute(f"CREATE UNIQUE INDEX paragraphs_row ON {PARAGRAPHS.name} ({ROW_NUMBER.name})")
        for view in VIEWS:
            connection.execute(view.sql)
        _describe(connection)
        rows = _counts(connection)
    written = {"version": database_version(), "written": rows[PARAGRAPHS.name], "appended": 0}
    return {"rows": rows, "database": written}


def change_database(
    folder: Path, files: Mapping[str, Sequence[str]], changed: PaperChanges, first_row: int
) -> dict[str, Any]:
    """Change the database in `folder` where papers changed; `files` hold the rows of all that are fresh.

    Other rows stay where they are, and the new ones come behind them. `vectors` is written anew, since the
    number of its row is that of a row of the matrix of vectors. Return what the manifest says of it.
    """
    with _attached(folder / DATABASE) as connection:
        connection.execute("BEGIN")
        for table in SHARDED:
            _delete(connection, table, changed.gone)
            _insert(connection, table, folder, files[table.name], first_row, changed.fresh)
        # Of papers the rows that differ from those of the file: metadata and versions change, too.
        papers, columns = [str(folder / files[PAPERS.name][0])], _columns(PAPERS)
        same = f"SELECT hash({columns}) FROM read_parquet(?)"
        connection.execute(f"DELETE FROM {PAPERS.name} WHERE hash({columns}) NOT IN ({same})", papers)
        lacking = f"WHERE key NOT IN (SELECT key FROM {PAPERS.name})"
        connection.execute(f"INSERT INTO {PAPERS.name} FROM read_parquet(?) {lacking}", papers)
        connection.execute(f"DELETE FROM {FAILURES.name}")
        _insert(connection, FAILURES, folder, files[FAILURES.name], first_row)
        connection.execute("COMMIT")
        return {"rows": _counts(connection), "database": changed.database}


@contextmanager
def _attached(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection that writes `path`, which is whole, in one file, after it."""
    with duckdb.connect() as connection:
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS release ({_OPTIONS})")
        connection.execute("USE release")
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute("SET temp_directory = ''")
        # Else DuckDB moves the rows behind a deleted one, and writes half of the file for one paper.
        connection.execute("SET max_vacuum_tasks = 0")
        yield connection
        connection.execute("USE memory")
        connection.execute("DETACH release")


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    folder: Path,
    names: Sequence[str],
    first_row: int,
    keys: Collection[str] | None = None,
) -> None:
    """Insert the rows of the files, or those of the papers `keys` in them, in their order."""
    if not names or (keys is not None and not keys):
        return
    params: list[Any] = [[str(folder / name) for name in names]]
    numbered, some = "", ""
    if table is PARAGRAPHS:
        last = connection.execute(f"SELECT max({ROW_NUMBER.name}) FROM {PARAGRAPHS.name}").fetchone()
        first = first_row if last is None or last[0] is None else last[0] + 1
        numbered = f", row_number() OVER () - 1 + {first}"
    if keys is not None:
        some = " WHERE key IN (SELECT unnest(?))"
        params.append(list(keys))
    # In the order of the files and of their rows: sorted by key, for fast lookups by key.
    connection.execute(
        f"INSERT INTO {table.name} SELECT {_columns(table)}{numbered} FROM (FROM read_parquet(?){some})",
        params,
    )


def _delete(connection: duckdb.DuckDBPyConnection, table: Table, keys: Collection[str]) -> None:
    if not keys:
        return
    if table is not VECTORS:
        connection.execute(f"DELETE FROM {table.name} WHERE key IN (SELECT unnest(?))", [list(keys)])
        return
    connection.execute(f"ALTER TABLE {table.name} RENAME TO before")
    connection.execute(_create(table))
    connection.execute(
        f"INSERT INTO {table.name} FROM before WHERE key NOT IN (SELECT unnest(?))", [list(keys)]
    )
    connection.execute("DROP TABLE before")
    for statement in table_comments(table):
        connection.execute(statement)


def _columns(table: Table) -> str:
    return ", ".join(f'"{column.name}"' for column in table.columns)


def _describe(connection: duckdb.DuckDBPyConnection) -> None:
    """Write what each table, column, view and macro is; a view of floats needs their number."""
    length = connection.execute("SELECT len(vector) FROM vectors LIMIT 1").fetchone()
    if length is not None:
        for view in FLOATS:
            connection.execute(view.sql.format(dimensions=length[0]))
    columns: dict[str, list[str]] = {}
    for view, name in connection.execute(
        "SELECT table_name, column_name FROM duckdb_columns() JOIN duckdb_views() v ON view_name = "
        "table_name WHERE NOT v.internal AND v.database_name = 'release' ORDER BY column_index"
    ).fetchall():
        columns.setdefault(view, []).append(name)
    connection.execute("BEGIN")  # one commit, not one for each of some 140
    for statement in comments(columns):
        connection.execute(statement)
    connection.execute("COMMIT")


def _counts(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    rows = {}
    for table in TABLES:
        ((rows[table.name],),) = connection.execute(f"SELECT count(*) FROM {table.name}").fetchall()
    return rows


def database_version() -> str:
    """Return a hash of the statements that make an empty database."""
    statements = [
        *map(_create, TABLES),
        *(view.sql for view in (*VIEWS, *FLOATS)),
        *(statement for table in TABLES for statement in table_comments(table)),
        _OPTIONS,
    ]
    return hashlib.sha256("\0".join(statements).encode()).hexdigest()[:20]


def _create(table: Table) -> str:
    columns = [*table.columns, ROW_NUMBER] if table is PARAGRAPHS else table.columns
    plain = dict.fromkeys(_UNCOMPRESSED, " USING COMPRESSION 'uncompressed'")
    defined = (f'"{one.name}" {one.sql_type}{plain.get(one.name, "")}' for one in columns)
    return f"CREATE TABLE {table.name} ({', '.join(defined)})"
