"""Work kept by content: what was extracted from a file's bytes is there for the next build, whatever the file is called."""

import io
from pathlib import Path

import pyarrow as pa

from pipeline.files import write_atomically
from pipeline.ocr import Ocr

UNREAD = "unread"
"""The reading of a PDF that has pages which only OCR can read, without it."""


def records_folder(work: Path, extractor: str) -> Path:
    """Where the extractions of this version are kept."""
    return work / "extracted" / extractor


def record_path(work: Path, extractor: str, sha256: str, reading: str = "") -> Path:
    """Where the extraction of the file with these bytes is kept; `reading` tells several of the same bytes apart.

    It is '' where all pages with anything on them have text, so that OCR does not come into it, UNREAD where some need OCR and
    had none, else what OCR they had.
    """
    name = f"{sha256}.{reading}.arrow" if reading else f"{sha256}.arrow"
    return records_folder(work, extractor) / sha256[:2] / name


def kept_record(work: Path, extractor: str, sha256: str, ocr: Ocr) -> Path | None:
    """The extraction of these bytes that is what `ocr` would make of them; None where there is none yet.

    Where Tesseract was installed since, that is only so for the PDFs of which it has nothing to read.
    """
    if ocr.mode == "force":
        readings: tuple[str, ...] = (ocr.stamp,)
    else:
        readings = ("", ocr.stamp or UNREAD)
    paths = (record_path(work, extractor, sha256, reading) for reading in readings)
    return next((path for path in paths if path.exists()), None)


def reading_of(record: pa.RecordBatch) -> str:
    """The `reading` under which `record_path` keeps it."""
    _, _, stamp = record.column("extractor")[0].as_py().partition("+")
    return stamp or (UNREAD if record.column("scanned")[0].as_py() else "")


def is_unread(path: Path) -> bool:
    """Whether the extraction kept there wants OCR."""
    return path.name.endswith(f".{UNREAD}.arrow")


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
