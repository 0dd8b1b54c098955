"""The caches of extractions and failures, by the content of the PDF.

A renamed file is not read again, and no build waits for the same deadline again.
"""

import hashlib
import io
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import pyarrow as pa

from pipeline.extractor import EXTRACTOR
from pipeline.files.atomic import read_json, remove, write_atomically, write_json
from pipeline.ocr.tesseract import Ocr
from pipeline.sources.source import TEXT, Source
from pipeline.work.outcomes import Failed, Limits

_DIGEST = 32
"""Bytes of the SHA-256 at the end of each cached extraction: Arrow does not notice a changed byte within a
text."""

UNREAD = "unread"  # The `reading` of a PDF with pages that only OCR can read, made without OCR.


def records_folder(work: Path) -> Path:
    """Return the folder of the extractions by this version of the extractor."""
    return work / "extracted" / EXTRACTOR


def record_name(sha256: str, reading: str = "") -> str:
    """Return the name of the extraction of these bytes, a path below `records_folder`.

    `reading` tells several of the same bytes apart. It is '' where no page needs OCR, UNREAD where pages need
    OCR and had none, else the stamp of the OCR, with LATE where it had no time for a page: no build takes
    such an extraction for its own. The stamp of the XML that gave a PDF its text stands before it, with a '+'
    where both are there.
    """
    return f"{sha256[:2]}/{sha256}.{reading}.arrow" if reading else f"{sha256[:2]}/{sha256}.arrow"


def kept_record(folder: Path, source: Source, ocr: Ocr) -> str | None:
    """Return the name of the extraction in `folder` that reading the source with `ocr` would repeat.

    None without one. After Tesseract was installed, this is only true of PDFs without a page for OCR.
    """
    if ocr.mode == "force":
        readings: tuple[str, ...] = (ocr.stamp,)
    else:
        readings = ("", ocr.stamp or UNREAD)
    names = (
        record_name(source.sha256, "+".join(filter(None, (source.text_stamp, reading))))
        for reading in readings
    )
    return next((name for name in names if is_kept(folder, name)), None)


def is_kept(folder: Path, name: str) -> bool:
    """Return whether `folder` has the extraction with this name."""
    return os.path.exists(f"{folder}/{name}")  # noqa: PTH110  # a night asks it of each paper: no Path for each


def reading_of(record: pa.RecordBatch) -> str:
    """Return the `reading` of an extraction, for `record_name`."""
    _, *stamps = record.column("extractor")[0].as_py().split("+")
    unread = record.column("scanned")[0].as_py() and all(one.startswith(TEXT) for one in stamps)
    return "+".join([*stamps, UNREAD] if unread else stamps)


def is_unread(name: str) -> bool:
    """Return whether the extraction with this name has pages that need OCR."""
    return name.endswith((f".{UNREAD}.arrow", f"+{UNREAD}.arrow"))


def write_record(path: Path, record: pa.RecordBatch, work: Path) -> None:
    """Write an extraction (Arrow IPC file, zstd, then its SHA-256) to `path`, which is in `work`."""
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, record.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(record)
    written = sink.getvalue()
    write_atomically(path, written + hashlib.sha256(written).digest(), work)


def record_digest(path: Path) -> str | None:
    """Return the SHA-256 (hexadecimal) at the end of the extraction at `path`; None where it is missing."""
    try:
        with path.open("rb") as file:
            file.seek(-_DIGEST, os.SEEK_END)
            return file.read().hex()
    except OSError:
        return None


def read_record(path: Path) -> pa.RecordBatch | None:
    """Return the extraction at `path`; None where it is missing or damaged, so that it is made again."""
    try:
        kept = path.read_bytes()
    except OSError:
        return None
    written, digest = kept[:-_DIGEST], kept[-_DIGEST:]
    if hashlib.sha256(written).digest() != digest:
        return None
    record: pa.RecordBatch = pa.ipc.open_file(pa.BufferReader(written)).get_batch(0)
    return record


PASSING = frozenset({"unreadable", "changed", "ocr"})
"""Reasons that come from the machine or the moment, not from the bytes: every build tries such a file
again."""

_KILLED = "SIGKILL"
"""The PDF does not cause a crash by this signal: mostly the kernel sends it when memory runs out."""

_TRIES = (
    2  # Times that a PDF may take too long, until builds leave it: the first night may have been a bad one.
)

SUFFIX = ".failed.json"


@dataclass(frozen=True)
class KeptFailure:
    """The reason why these bytes could not be read, the seconds it took, and the OCR and limits used.

    `text` is the stamp of the XML that was read with them, '' without one; `tries` how often in a row they
    were tried with these limits.
    """

    reason: str
    detail: str
    seconds: float
    ocr: str
    deadline: float
    memory: int
    text: str = ""
    tries: int = 1

    def stands(self, source: Source, ocr: Ocr, limits: Limits) -> bool:
        """Return whether another attempt with this text, OCR and limits would fail in the same way."""
        if self.text != source.text_stamp:
            return False
        if self.reason == "timeout" and (limits.seconds > self.deadline or self.tries < _TRIES):
            return False
        if self.reason == "memory" and limits.memory > self.memory:
            return False
        return self.ocr == _tried_with(ocr)


def keep_failure(work: Path, failed: Failed, ocr: Ocr, limits: Limits) -> None:
    """Keep a failure, unless it may not repeat itself."""
    if failed.reason in PASSING or (failed.reason == "crash" and _KILLED in failed.detail):
        return
    before = kept_failure(work, failed.source.sha256)
    again = before is not None and (before.reason, before.deadline) == (failed.reason, limits.seconds)
    kept = KeptFailure(
        failed.reason,
        failed.detail,
        failed.seconds,
        _tried_with(ocr),
        limits.seconds,
        limits.memory,
        failed.source.text_stamp,
        before.tries + 1 if before and again else 1,
    )
    write_json(_failure_path(work, failed.source.sha256), asdict(kept), work)


def kept_failure(work: Path, sha256: str) -> KeptFailure | None:
    """Return the failure of the last attempt to read these bytes; None where it is missing or damaged."""
    kept = read_json(_failure_path(work, sha256))
    try:
        return KeptFailure(**kept) if isinstance(kept, Mapping) else None
    except TypeError:
        return None


def forget_failure(work: Path, sha256: str) -> None:
    """Remove the failure of bytes that were read after all."""
    remove(_failure_path(work, sha256), work)


def _failure_path(work: Path, sha256: str) -> Path:
    return records_folder(work) / sha256[:2] / f"{sha256}{SUFFIX}"


def _tried_with(ocr: Ocr) -> str:
    return f"{ocr.mode} {ocr.stamp}".strip()
