"""The release's DuckDB file: the same tables, for answers in milliseconds and for any client."""

from pathlib import Path

import duckdb

from lookup.release.schema import PARAGRAPHS, ROW_NUMBER, TABLES, Column, Table
from lookup.release.sql_macros import VIEWS

_ROW_GROUP = 8192
"""Rows of which DuckDB knows the least and the greatest key. A lookup by key reads through one or two of
these groups, whatever the size of the corpus: at 1,000,000 paragraphs 0.65 ms, and 0.86 with DuckDB's
122,880."""

_BLOCK = 65536
"""Bytes read at a time: with DuckDB's 262,144 the first lookup in a paper takes 3.3 ms at 1,000,000
paragraphs, with this 3.0."""

_MEMORY = "512MB"
"""What DuckDB may hold while it writes; without a limit it takes four fifths of the machine's memory, the
readers' share included."""

_UNCOMPRESSED = ("text", "text_raw", "text_norm")
"""Columns whose values are decompressed by 2,048 for each one that is wanted: as they are, one lookup takes
1.8 ms instead of 3.6 (57 papers)."""


def write_database(path: Path, folder: Path, files: dict[str, list[str]]) -> dict[str, int]:
    """Write `path` from the Parquet `files` (by table, relative to `folder`); return the row counts."""
    rows = {}
    with duckdb.connect() as connection:
        quoted = str(path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS release (ROW_GROUP_SIZE {_ROW_GROUP}, BLOCK_SIZE {_BLOCK})")
        connection.execute("USE release")
        connection.execute(f"SET memory_limit = '{_MEMORY}'")
        connection.execute("SET temp_directory = ''")
        for table in TABLES:
            connection.execute(_create(table))
            paths = [str(folder / name) for name in files[table.name]]
            if paths:
                # In the order of the files and of their rows: sorted by key, for fast lookups by key.
                numbered = ", row_number() OVER () - 1" if table is PARAGRAPHS else ""
                connection.execute(
                    f"INSERT INTO {table.name} SELECT *{numbered} FROM read_parquet(?)", [paths]
                )
            counted = connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()
            rows[table.name] = counted[0] if counted else 0
        connection.execute(f"CREATE UNIQUE INDEX paragraphs_row ON {PARAGRAPHS.name} ({ROW_NUMBER.name})")
        for view in VIEWS:
            connection.execute(view.sql)
        connection.execute("USE memory")
        connection.execute("DETACH release")
    return rows


def _create(table: Table) -> str:
    columns = [*table.columns, ROW_NUMBER] if table is PARAGRAPHS else table.columns
    return f"CREATE TABLE {table.name} ({', '.join(map(_definition, columns))})"


def _definition(column: Column) -> str:
    compression = " USING COMPRESSION 'uncompressed'" if column.name in _UNCOMPRESSED else ""
    return f'"{column.name}" {column.sql_type}{compression}'
