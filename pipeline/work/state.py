"""The state that one stage leaves for the next: a table of the sources and a table of the failures."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lookup.errors import BuildError
from lookup.release.schema import FAILURES
from lookup.storage.untrusted_files import open_file
from pipeline.files.atomic import write_atomically
from pipeline.libraries.entries import Metadata
from pipeline.ocr.tesseract import language_of
from pipeline.records import METADATA, arrow_schema
from pipeline.sources.source import Source
from pipeline.work.extraction_cache import read_record, records_folder
from pipeline.work.summaries import SUMMARISED, kept_summary, summary_of

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
        pa.field("summary", pa.string()),  # what `papers` needs of its extraction; NULL if unknown
        pa.field("summarised", pa.string()),  # the versions of what made that
        *METADATA,
    ]
)

_ROW_GROUP = 4096  # Rows that are read at once: few enough that a build holds little of a large state.

DERIVED = ("seconds", "summary", "summarised")
"""Columns of both tables that do not decide what a release holds: measured, or told from the others."""


@dataclass(frozen=True)
class State:
    """The sources (with the library's metadata) and the failures, as rows in their order."""

    sources: list[dict[str, Any]]
    failures: list[dict[str, Any]]


def write_state(work: Path, state: State) -> None:
    """Write both tables: the same sources give the same bytes. Summaries that are lacking are made."""
    for row in state.sources:
        if row["record"] and kept_summary(row) is None:
            record = read_record(records_folder(work) / row["record"])
            if record is not None:
                row |= {"summary": summary_of(record), "summarised": SUMMARISED}
    _write(work / SOURCES_FILE, pa.Table.from_pylist(state.sources, _SOURCES))
    _write(work / _FAILURES_FILE, pa.Table.from_pylist(state.failures, arrow_schema(FAILURES)))


def state_of(
    sources: Sequence[Source],
    records: Mapping[str, str],
    failures: Sequence[dict[str, Any]],
    seconds: Mapping[str, float] | None = None,
    summaries: Mapping[str, str] | None = None,
) -> State:
    """Return the state of these sources.

    `records` and `seconds` are by the SHA-256 of the PDF, `summaries` by the name of the extraction.
    """
    times, known = seconds or {}, summaries or {}
    rows = []
    for one in sources:
        record = records.get(one.sha256)
        rows.append(source_row(one, record, times.get(one.sha256), known.get(record or "")))
    return in_order(rows, failures)


def in_order(sources: Sequence[dict[str, Any]], failures: Sequence[dict[str, Any]]) -> State:
    """Return the state of these rows."""
    return State(
        sorted(sources, key=itemgetter("key")),
        sorted(failures, key=lambda row: tuple(str(row[name]) for name in FAILURES.order)),
    )


def source_row(
    source: Source, record: str | None, seconds: float | None, summary: str | None = None
) -> dict[str, Any]:
    """Return a source, the name of its extraction, its time and summary, as a row of the state."""
    return {
        "key": source.key,
        "path": str(source.path),
        "sha256": source.sha256,
        "bytes": source.bytes,
        "library": None if source.library is None else str(source.library),
        "record": record,
        "seconds": seconds,
        "summary": summary,
        "summarised": SUMMARISED if summary else None,
        **metadata_row(source.metadata),
    }


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
    except BuildError:
        return state_of((), {}, ())


def last_language(work: Path) -> str:
    """Return the language in which most scans of the last extraction were read; without one, the default."""
    try:
        names = [row["record"] or "" for row in _rows(work / SOURCES_FILE, ["record"])]
    except BuildError:
        names = []
    return language_of(name.removesuffix(".arrow") for name in names)


def metadata_row(metadata: Metadata) -> dict[str, Any]:
    """Return a library's metadata as the columns of `sources` and of the contract."""
    return vars(metadata) | {"authors": list(metadata.authors)}


def _rows(path: Path, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    try:
        # pq.read_table would load pyarrow.dataset
        with open_file(path) as opened, pq.ParquetFile(opened) as file:
            for batch in file.iter_batches(_ROW_GROUP, columns=columns):
                yield from batch.to_pylist()
    except FileNotFoundError:
        work = path.parent
        raise BuildError(
            f"{str(work)!r} holds nothing to publish. Run `pagequote extract SOURCES --work {work}` first."
        ) from None
    except (OSError, KeyError, TypeError, pa.ArrowException) as error:
        raise BuildError(
            f"{str(path)!r} is damaged ({error}). Run `pagequote build SOURCES`: no source is read again."
        ) from error


def _write(path: Path, table: pa.Table) -> None:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", row_group_size=_ROW_GROUP)
    write_atomically(path, sink.getvalue(), path.parent)
