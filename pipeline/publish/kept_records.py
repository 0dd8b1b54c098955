"""Reads extractions for a release; damaged ones are removed."""

from pathlib import Path
from typing import Self

import pyarrow as pa

from lookup.errors import BuildError
from pipeline.work.extraction_cache import read_record, records_folder


class DamagedCacheError(BuildError):
    """Extractions in the cache were damaged and removed; the next extraction makes them again."""

    def __init__(self, count: int) -> None:
        super().__init__(
            f"{count} cached extractions were damaged and are removed. Build again: they are made again."
        )
        self.count = count

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        """Return how another process makes the same error."""
        return type(self), (self.count,)


def read_kept(work: Path, extractor: str, name: str) -> pa.RecordBatch:
    """Return an extraction; raise DamagedCacheError."""
    record = read_record(records_folder(work, extractor) / name)
    if record is None:
        raise DamagedCacheError(_remove_damaged(work, extractor))
    return record


def _remove_damaged(work: Path, extractor: str) -> int:
    """Remove all damaged extractions; return their number."""
    damaged = [path for path in records_folder(work, extractor).rglob("*.arrow") if read_record(path) is None]
    for path in damaged:
        path.unlink(missing_ok=True)  # another task may have found it, too
    return len(damaged)
