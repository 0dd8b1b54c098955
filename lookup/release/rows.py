"""The rows of a query."""

import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import duckdb

from lookup.errors import QueryError
from lookup.results.answer import SHOWN, cut
from lookup.text.printable import printable

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_CELL = 300  # Characters of a cell that `print` and a notebook show.


class Rows:
    """The rows of an executed query, to be fetched once: as tuples, or as a table of the library you use.

    `cursor` is DuckDB's, for what this class does not offer. `again` runs the query once more, so that
    `print` and a notebook can show the first rows and leave these to be fetched.
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

    def __str__(self) -> str:
        from lookup.results.plain_text import table_text  # with its first use  # noqa: PLC0415

        rows = self._first()
        if rows is None:
            return repr(self)
        return printable(table_text(self.columns, rows[:SHOWN], more=len(rows) > SHOWN)).rstrip("\n")

    def _repr_html_(self) -> str | None:
        from lookup.results.html import table_html  # only notebooks need it  # noqa: PLC0415

        rows = self._first()
        return None if rows is None else table_html(self.columns, rows[:SHOWN], more=len(rows) > SHOWN)

    def _first(self) -> list[list[str]] | None:
        """Return the rows that are shown and one more, as short texts; None where nothing can be shown."""
        if self._again is None or not self.columns:
            return None
        rows = self._again().fetchmany(SHOWN + 1)  # a run of its own, which leaves the rows to be fetched
        return [["" if value is None else cut(str(value), _CELL) for value in row] for row in rows]

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
        """Return the rows that are left as a pyarrow table; needs pyarrow, which `explore` has too."""
        _need("pyarrow", "pip install 'pagequote[explore]'")
        with warnings.catch_warnings():
            # DuckDB prefers a relation, which runs the query again at each call.
            warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)
            table: pa.Table = self.cursor.to_arrow_table()
        return table

    def pl(self) -> "pl.DataFrame":
        """Return the rows that are left as a polars data frame; needs the extra `explore`."""
        _need("polars", "pip install 'pagequote[explore]'")
        import polars as pl  # noqa: PLC0415  # optional

        frame = pl.from_arrow(self.arrow())
        assert isinstance(frame, pl.DataFrame)
        return frame

    def df(self) -> "pd.DataFrame":
        """Return the rows that are left as a pandas data frame; needs pandas, which is in no extra."""
        _need("pandas", "pip install pandas; or take .pl(): pip install 'pagequote[explore]'")
        return self.cursor.df()


def _need(package: str, way: str) -> None:
    """Raise QueryError where a package is not installed; `way` is how to install it."""
    if find_spec(package) is None:
        raise QueryError(f"This form of rows needs {package}, which is not installed: {way}.")
