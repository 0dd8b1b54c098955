"""Turns errors of the machine and of DuckDB (disk full, read-only, no memory) into a BuildError."""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from lookup.errors import BuildError

_REFUSALS = (
    duckdb.IOException,
    duckdb.TransactionException,
    duckdb.OutOfMemoryException,
    duckdb.FatalException,
)
"""The errors of DuckDB when it cannot write or lacks memory."""


@contextmanager
def machine_troubles() -> Iterator[None]:
    """Raise BuildError for an error of the operating system or of DuckDB within."""
    try:
        yield
    except (OSError, *_REFUSALS) as error:
        raise BuildError(
            f"The build stopped: {error}. Nothing was published, and what was read is kept. "
            "Free disk space or allow writing, and build again."
        ) from error
