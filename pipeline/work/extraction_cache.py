"""Work kept by content: what was extracted from a file's bytes is there for the next build, whatever the file is called."""

import hashlib
import io
import os
from pathlib import Path

import pyarrow as pa

from pipeline.atomic_files import write_atomically
from pipeline.ocr.tesseract import Ocr

_DIGEST = 32
"""Bytes of the SHA-256 that ends each kept extraction: Arrow does not notice a changed byte within a text."""

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


def write_record(path: Path, record: pa.RecordBatch, work: Path) -> None:
    """Keep an extraction (Arrow IPC file, zstd, then its SHA-256) at `path`, which is in `work`."""
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, record.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(record)
    written = sink.getvalue()
    write_atomically(path, written + hashlib.sha256(written).digest(), beside=work)


def record_digest(path: Path) -> str | None:
    """What tells the extraction kept at `path` from all others, in hexadecimal, by its last bytes alone; None where there is none."""
    try:
        with path.open("rb") as file:
            file.seek(-_DIGEST, os.SEEK_END)
            return file.read().hex()
    except OSError:
        return None


def read_record(path: Path) -> pa.RecordBatch | None:
    """The extraction kept at `path`; None where there is none, or only a damaged one, so that it is made again."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    written, digest = kept[:-_DIGEST], kept[-_DIGEST:]
    if hashlib.sha256(written).digest() != digest:
        return None
    record: pa.RecordBatch = pa.ipc.open_file(pa.BufferReader(written)).get_batch(0)
    return record
