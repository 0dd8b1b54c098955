"""What one stage leaves for the next: the sources of the corpus and what failed, as two tables in the work folder."""

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from lookup.errors import BuildError
from lookup.schema import FAILURES
from pipeline.bibliography import Metadata
from pipeline.files import write_atomically
from pipeline.records import METADATA, arrow_schema
from pipeline.sources import Source

_SOURCES = pa.schema(
    [
        pa.field("key", pa.string()),
        pa.field("path", pa.string()),
        pa.field("sha256", pa.string()),
        pa.field("bytes", pa.int64()),
        pa.field(
            "record", pa.string()
        ),  # its extraction, a path below cache.records_folder; NULL where there is none
        *METADATA,
    ]
)


def write_state(
    work: Path,
    sources: Sequence[Source],
    records: Mapping[str, str],
    failures: Sequence[dict[str, Any]],
) -> None:
    """Write both tables, sorted, so that the same sources give the same bytes; `records` by the SHA-256 of their PDF."""
    rows = [
        {
            "key": s.key,
            "path": str(s.path),
            "sha256": s.sha256,
            "bytes": s.bytes,
            "record": records.get(s.sha256),
            **_metadata_row(s.metadata),
        }
        for s in sorted(sources, key=lambda s: s.key)
    ]
    _write(work / "sources.parquet", pa.Table.from_pylist(rows, _SOURCES))
    failed = sorted(failures, key=lambda row: tuple(str(row[name]) for name in FAILURES.order))
    _write(work / "failures.parquet", pa.Table.from_pylist(failed, arrow_schema(FAILURES)))


def read_state(work: Path) -> tuple[list[dict[str, Any]], pl.DataFrame]:
    """The sources (with the .bib's metadata) as rows, and the failures; raises BuildError where no stage has left any."""
    try:
        sources = pl.read_parquet(work / "sources.parquet", use_pyarrow=True)
        failures = pl.read_parquet(work / "failures.parquet", use_pyarrow=True)
    except FileNotFoundError:
        raise BuildError(
            f"{str(work)!r} holds nothing to publish. Run `pagequote extract SOURCES --work {work}` first."
        ) from None
    return sources.to_dicts(), failures


def _metadata_row(metadata: Metadata) -> dict[str, Any]:
    return {
        "title": metadata.title,
        "authors": list(metadata.authors),
        "year": metadata.year,
        "doi": metadata.doi,
        "venue": metadata.venue,
        "abstract": metadata.abstract,
    }


def _write(path: Path, table: pa.Table) -> None:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    write_atomically(path, sink.getvalue())
