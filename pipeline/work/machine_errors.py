"""What the machine does to a build: a disk that is full or may not be written, said in a sentence instead of a traceback."""

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
"""What DuckDB raises where it cannot write or has not the memory."""


@contextmanager
def machine_troubles() -> Iterator[None]:
    """Raise BuildError where the operating system, or DuckDB for it, refuses what the stage within needs."""
    try:
        yield
    except (OSError, *_REFUSALS) as error:
        raise BuildError(
            f"The build stopped: {error}. Nothing was published, and what was read is kept. "
            "Mend that (room on the disk, the permission to write), and build again."
        ) from error
