"""The state that one stage leaves for the next: a table of the sources and a table of the failures."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lookup.errors import BuildError
from lookup.release.schema import FAILURES
from pipeline.atomic_files import write_atomically
from pipeline.libraries.entries import Metadata
from pipeline.records import METADATA, arrow_schema
from pipeline.sources.find_sources import Source

SOURCES_FILE = "sources.parquet"
_FAILURES_FILE = "failures.parquet"

_SOURCES = pa.schema(
    [
        pa.field("key", pa.string()),
        pa.field("path", pa.string()),
        pa.field("sha256", pa.string()),
        pa.field("bytes", pa.int64()),
        pa.field("library", pa.string()),  # the library with its entry; NULL without one
        pa.field("record", pa.string()),  # its extraction, a path below records_folder; NULL without one
        pa.field("seconds", pa.float64()),  # the time of its extraction, whenever that was; NULL if unknown
        *METADATA,
    ]
)

_ROW_GROUP = 4096
"""Rows that are read at once: few enough that a build holds little of a large state."""

TIMINGS = ("seconds",)
"""Columns of both tables that are measured and do not decide what a release holds."""


@dataclass(frozen=True)
class State:
    """The sources (with the library's metadata) and the failures, as rows."""

    sources: list[dict[str, Any]]
    failures: list[dict[str, Any]]


def write_state(
    work: Path,
    sources: Sequence[Source],
    records: Mapping[str, str],
    failures: Sequence[dict[str, Any]],
    seconds: Mapping[str, float] | None = None,
) -> None:
    """Write both tables, sorted, so that the same sources give the same bytes.

    `records` and `seconds` are by the SHA-256 of the PDF.
    """
    found, failed = _tables(sources, records, failures, seconds or {})
    _write(work / SOURCES_FILE, found)
    _write(work / _FAILURES_FILE, failed)


def state_of(
    sources: Sequence[Source], records: Mapping[str, str], failures: Sequence[dict[str, Any]]
) -> State:
    """Return the state that `write_state` would write."""
    found, failed = _tables(sources, records, failures, {})
    return State(found.to_pylist(), failed.to_pylist())


def read_state(work: Path) -> State:
    """Return the state that the last extraction left; raise BuildError without one."""
    return State(list(source_rows(work)), list(failure_rows(work)))


def source_rows(work: Path) -> Iterator[dict[str, Any]]:
    """Yield the sources of that state, a few of which are held at once; raise BuildError without it."""
    return _rows(work / SOURCES_FILE)


def failure_rows(work: Path) -> Iterator[dict[str, Any]]:
    """Yield its failures; raise BuildError without it."""
    return _rows(work / _FAILURES_FILE)


def last_state(work: Path) -> State:
    """Return the same; an empty state where it is missing or damaged."""
    try:
        return read_state(work)
    except (BuildError, OSError, pa.ArrowInvalid):
        return state_of((), {}, ())


def metadata_row(metadata: Metadata) -> dict[str, Any]:
    """Return a library's metadata as the columns of `sources` and of the contract."""
    return {
        "title": metadata.title,
        "authors": list(metadata.authors),
        "year": metadata.year,
        "doi": metadata.doi,
        "venue": metadata.venue,
        "abstract": metadata.abstract,
    }


def _tables(
    sources: Sequence[Source],
    records: Mapping[str, str],
    failures: Sequence[dict[str, Any]],
    seconds: Mapping[str, float],
) -> tuple[pa.Table, pa.Table]:
    rows = [
        {
            "key": s.key,
            "path": str(s.path),
            "sha256": s.sha256,
            "bytes": s.bytes,
            "library": None if s.library is None else str(s.library),
            "record": records.get(s.sha256),
            "seconds": seconds.get(s.sha256),
            **metadata_row(s.metadata),
        }
        for s in sorted(sources, key=lambda s: s.key)
    ]
    failed = sorted(failures, key=lambda row: tuple(str(row[name]) for name in FAILURES.order))
    return pa.Table.from_pylist(rows, _SOURCES), pa.Table.from_pylist(failed, arrow_schema(FAILURES))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with pq.ParquetFile(path) as file:  # pq.read_table would load pyarrow.dataset
            for batch in file.iter_batches(_ROW_GROUP):
                yield from batch.to_pylist()
    except FileNotFoundError:
        work = path.parent
        raise BuildError(
            f"{str(work)!r} holds nothing to publish. Run `pagequote extract SOURCES --work {work}` first."
        ) from None


def _write(path: Path, table: pa.Table) -> None:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", row_group_size=_ROW_GROUP)
    write_atomically(path, sink.getvalue())
