"""Work kept by content: what was extracted from a file's bytes is there for the next build, whatever the file is called."""

import io
from pathlib import Path

import pyarrow as pa

from pipeline.files import write_atomically


def records_folder(work: Path, extractor: str) -> Path:
    """Where the extractions of this version are kept."""
    return work / "extracted" / extractor


def record_path(work: Path, extractor: str, sha256: str) -> Path:
    """Where the extraction of the file with these bytes is kept."""
    return records_folder(work, extractor) / sha256[:2] / f"{sha256}.arrow"


def write_record(path: Path, record: pa.RecordBatch) -> None:
    """Keep an extraction (Arrow IPC file, zstd)."""
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, record.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(record)
    write_atomically(path, sink.getvalue())


def read_record(path: Path) -> pa.RecordBatch | None:
    """The extraction kept at `path`; None where there is none, or only a damaged one, so that it is made again."""
    try:
        reader = pa.ipc.open_file(io.BytesIO(path.read_bytes()))
        record: pa.RecordBatch = reader.get_batch(0)
        record.validate(full=True)
    except (OSError, pa.ArrowInvalid):
        return None
    return record
