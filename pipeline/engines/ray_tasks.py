"""The functions that a cluster's workers run. They do not use Ray: tables in, tables out, files left."""

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from lookup.errors import BuildError
from pipeline.embedding.pending import embedded_sentences
from pipeline.embedding.vector_cache import (
    Hashes,
    VectorCache,
    among,
    text_hashes,
    vectors_folder,
)
from pipeline.engines.embedding import keep_vectors
from pipeline.engines.workers import extract_all
from pipeline.extractor import EXTRACTOR
from pipeline.files.atomic import LOCK, changed_in_place
from pipeline.libraries.entries import Metadata
from pipeline.ocr.tesseract import Ocr, find_ocr
from pipeline.sources.source import Source
from pipeline.work.extraction_cache import read_record, records_folder
from pipeline.work.outcomes import Extracted, Failed, Limits
from retrieval.embedding.encoder import PROCESSOR, Encoder
from retrieval.embedding.model import Model

GRAPHICS = "CUDAExecutionProvider"  # The name of the GPU in onnxruntime.

MOST_STARTS = 3
"""Starts of a task whose workers or nodes are lost. Nodes are lost now and then; this often, the PDFs are the
cause."""

PDFS = pa.schema([("sha256", pa.string()), ("source", pa.binary())])

OUTCOMES = pa.schema([("sha256", pa.string()), ("outcome", pa.binary())])

RECORDS = pa.schema([("record", pa.string())])

EMBEDDED_RECORDS = pa.schema(
    [
        ("records", pa.list_(pa.string())),
        ("sentences", pa.list_(pa.int64())),  # NULL for a record that is damaged
        ("new", pa.int64()),
        ("tokens", pa.int64()),
    ]
)


@dataclass(frozen=True)
class Machine:
    """The properties that all nodes must share, and whether this one can run a model on a GPU."""

    extractor: str
    ocr: str
    shares_work: bool
    graphics: bool


def machine(work: Path, ocr: Ocr) -> Machine:
    """Return the properties of this node; the build holds the lock of `work`."""
    language = ocr.tesseract.language if ocr.tesseract else "eng"
    try:
        stamp = find_ocr(ocr.mode, language).stamp if ocr.stamp else ""
    except BuildError as error:
        stamp = str(error)
    graphics = False
    with suppress(ImportError):  # a cluster that only reads PDFs may do without
        import onnxruntime  # noqa: PLC0415

        graphics = GRAPHICS in onnxruntime.get_available_providers()
    return Machine(EXTRACTOR, stamp, (work / LOCK).exists(), graphics)


def read_pdfs(pdfs: pa.Table, work: Path, ocr: Ocr, limits: Limits, starts: Path) -> pa.Table:
    """Extract the PDFS into the cache, one after the other; return their OUTCOMES.

    A child process reads them: it is killed at the PDF's deadline, and ends with this one. If this process is
    lost, Ray starts the task again, without a limit. `starts`, a folder that all nodes see, counts that:
    after MOST_STARTS the result is empty.
    """
    if not len(pdfs) or _start(starts / pdfs["sha256"][0].as_py()) > MOST_STARTS:
        return OUTCOMES.empty_table()
    with _plain_main():
        outcomes = list(extract_all(map(_unpacked, pdfs["source"].to_pylist()), work, ocr, 1, limits))
    return pa.Table.from_pylist(
        [{"sha256": one.source.sha256, "outcome": pickle.dumps(one)} for one in outcomes], OUTCOMES
    )


def pdf_row(source: Source) -> dict[str, Any]:
    """Return a source as a row of PDFS, without what the library says of it."""
    packed = pickle.dumps(replace(source, metadata=Metadata()))
    return {"sha256": source.sha256, "source": packed}


def outcome(row: Mapping[str, Any], source: Source) -> Extracted | Failed:
    """Return a row of OUTCOMES as the outcome that `extract_all` gave for the `source`."""
    told: Extracted | Failed = _unpacked(row["outcome"])
    return replace(told, source=source)


def _unpacked(packed: bytes) -> Any:
    return pickle.loads(packed)  # noqa: S301  # as Ray passes the task itself


def kept_texts(work: Path, model: Model) -> Hashes:
    """Return the hashes of the texts that have vectors already, sorted: 16 bytes each.

    Nothing is removed: Ray may run this again, after a node is lost, while others write to the folder.
    """
    return VectorCache(work, model.id, model.dimensions, mend=False).texts


class Embedder:
    """A loaded model that makes the missing vectors of a table of RECORDS, in files of `work`.

    `known` gives the texts that had vectors when the build began. A text that is new in two tables is
    embedded twice, to the same vector.
    """

    def __init__(
        self, model: Model, work: Path, known: Callable[[], Hashes], threads: int, *, graphics: bool
    ) -> None:
        self._model, self._work, self._known = model, work, known()
        providers = (GRAPHICS, PROCESSOR) if graphics else (PROCESSOR,)
        self._encoder = Encoder(model, threads, providers)
        self._encoder.warm()

    def __call__(self, records: pa.Table) -> pa.Table:
        """Return a row of EMBEDDED_RECORDS: the sentences of each record, the new texts, and their tokens."""
        names = records["record"].to_pylist()
        missing: dict[bytes, str] = {}
        sentences = [self._look_through(name, missing) for name in names]
        folder = vectors_folder(self._work, self._model.id)
        tokens = keep_vectors(self._encoder, list(missing.values()), folder)
        row = {"records": names, "sentences": sentences, "new": len(missing), "tokens": tokens}
        return pa.Table.from_pylist([row], EMBEDDED_RECORDS)

    def _look_through(self, name: str, missing: dict[bytes, str]) -> int | None:
        """Add the new texts of a record to `missing`; return the number of its sentences, None if damaged."""
        record = read_record(records_folder(self._work) / name)
        if record is None:
            return None  # the last stage removes it, and the next build makes it again
        texts = embedded_sentences(record)["text"].to_pylist()
        hashes = text_hashes(texts)
        new = ~among(self._known, hashes)
        missing |= {
            digest: text for digest, text, is_new in zip(hashes.tolist(), texts, new, strict=True) if is_new
        }
        return len(texts)


def _start(path: Path) -> int:
    """Count one more start; return the number of starts."""
    with changed_in_place(path, make=True) as file:
        file.seek(0, os.SEEK_END)
        file.write(b".")
        return file.tell()


@contextmanager
def _plain_main() -> Iterator[None]:
    """Hide the main program from processes that are started within.

    They would load it, and Ray's takes a second and 100 MB.
    """
    main = sys.modules["__main__"]
    file = vars(main).pop("__file__", None)
    try:
        yield
    finally:
        if file is not None:
            vars(main)["__file__"] = file
