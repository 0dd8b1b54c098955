"""The rows of a query."""

import warnings
from collections.abc import Callable, Iterator
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import duckdb

from lookup.errors import QueryError
from lookup.text.printable import printable

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


class Rows:
    """The rows of an executed query, to be fetched once: as tuples, or as a table of the library you use.

    `cursor` is DuckDB's, whose `fetchall`, `fetchone` and `fetchmany` these rows have too. `again` is the
    query once more, so that `print` and a notebook can show the first rows and leave these to be fetched.
    """

    def __init__(
        self,
        cursor: duckdb.DuckDBPyConnection,
        again: Callable[[], duckdb.DuckDBPyRelation] | None = None,
    ) -> None:
        self.cursor = cursor
        self._again = again
        self.fetchall, self.fetchone, self.fetchmany = cursor.fetchall, cursor.fetchone, cursor.fetchmany

    def __repr__(self) -> str:
        return f"<Rows of {', '.join(self.columns) or 'nothing'}>"

    def __str__(self) -> str:
        if self._again is None or not self.columns:
            return repr(self)
        return printable(str(self._again())).rstrip("\n")

    def _repr_html_(self) -> str:
        from lookup.results.plain_text import preformatted  # only notebooks need it  # noqa: PLC0415

        return preformatted(escape(str(self)))

    @property
    def columns(self) -> list[str]:
        """The names of the columns; none if the statement has no result."""
        return [column[0] for column in self.cursor.description or ()]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.fetchone, None)

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
