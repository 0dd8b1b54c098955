"""Turns errors of the machine and of DuckDB (disk full, read-only, no memory) into a BuildError."""

import errno
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
        locks = isinstance(error, OSError) and error.errno in {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS}
        mend = "Put the corpus on a file system with locks" if locks else "Free disk space or allow writing"
        raise BuildError(
            f"The build stopped: {' '.join(str(error).split())}. Nothing was published, and what was read "
            f"is kept. {mend}, and build again."
        ) from error
