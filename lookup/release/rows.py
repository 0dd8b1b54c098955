"""The rows of a query."""

import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


class Rows:
    """The rows of an executed query, to be fetched once: as tuples, or as a table of the library you use.

    `cursor` is DuckDB's, for what this class does not offer. `again` runs the query once more, so that a
    notebook can show the first rows and leave these to be fetched.
    """

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        again: Callable[[], duckdb.DuckDBPyConnection] | None = None,
    ) -> None:
        self.cursor = cursor
        self._again = again

    def __repr__(self) -> str:
        return f"<Rows of {', '.join(self.columns) or 'nothing'}>"

    def _repr_html_(self) -> str | None:
        if self._again is None or not self.columns:
            return None
        from lookup.results.html import SHOWN, table_html  # only notebooks ask for it  # noqa: PLC0415

        rows = self._again().fetchmany(SHOWN + 1)
        return table_html(self.columns, rows[:SHOWN], more=len(rows) > SHOWN)

    @property
    def columns(self) -> list[str]:
        """The names of the columns; none if the statement has no result."""
        return [column[0] for column in self.cursor.description or ()]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        while (row := self.fetchone()) is not None:
            yield row

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows that are left."""
        rows: list[tuple[Any, ...]] = self.cursor.fetchall()
        return rows

    def fetchone(self) -> tuple[Any, ...] | None:
        """Return the next row; None after the last."""
        row: tuple[Any, ...] | None = self.cursor.fetchone()
        return row

    def fetchmany(self, size: int = 1) -> list[tuple[Any, ...]]:
        """Return the next `size` rows, or what is left."""
        rows: list[tuple[Any, ...]] = self.cursor.fetchmany(size)
        return rows

    def arrow(self) -> "pa.Table":
        """Return the rows that are left as a pyarrow table; needs pyarrow."""
        with warnings.catch_warnings():
            # DuckDB prefers a relation, which runs the query again at each call.
            warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)
            table: pa.Table = self.cursor.to_arrow_table()
        return table

    def pl(self) -> "pl.DataFrame":
        """Return the rows that are left as a polars data frame; needs polars and pyarrow."""
        import polars as pl  # noqa: PLC0415  # optional

        frame = pl.from_arrow(self.arrow())
        assert isinstance(frame, pl.DataFrame)
        return frame

    def df(self) -> "pd.DataFrame":
        """Return the rows that are left as a pandas data frame; needs pandas."""
        return self.cursor.df()
