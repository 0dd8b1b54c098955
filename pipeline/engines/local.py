"""The engine of one machine: killable processes read PDFs, the build's own process makes vectors."""

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from lookup.embedding.encoder import Encoder
from lookup.embedding.model import Model
from lookup.errors import BuildError
from pipeline.embedding.pending import embedded_sentences, lacking
from pipeline.embedding.vector_cache import VectorCache, text_hashes
from pipeline.engines.engine import Embedded
from pipeline.engines.workers import extract_all, started, stop, task_processes
from pipeline.ocr.tesseract import Ocr
from pipeline.sources.find_sources import Source
from pipeline.work.extraction_cache import read_record
from pipeline.work.outcomes import Extracted, Failed, Limits
from pipeline.work.progress import Progress
from pipeline.work.tasks import Each

if TYPE_CHECKING:
    from pebble import ProcessPool

_KEEP_EVERY = 20.0
"""Seconds after which finished vectors go to the disk: a kill costs this time and the batches under way at
most."""

_AT_ONCE = 16384
"""Texts that are sorted into batches together: enough that nearly all batches are full (a batch has texts of
the same number of tokens), and 20 MB with their tokens and vectors."""


class Local:
    """The engine of one machine, with `workers` processes that read PDFs."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPool | None = None

    @contextmanager
    def begun(self) -> Iterator[Self]:
        """Start a process for `extract` now: it loads what reads PDFs while this one does something else."""
        pool = self._pool = started(1, Limits())
        try:
            with _without_program():
                pool.schedule(os.getpid)
            yield self
        finally:
            stop(pool)

    def extract(
        self, sources: Sequence[Source], work: Path, ocr: Ocr, limits: Limits
    ) -> Iterator[Extracted | Failed]:
        """See Engine."""
        pool, self._pool = self._pool, None
        return extract_all(sources, work, ocr, min(self._workers, len(sources)), limits, pool)

    def embed(self, sources: Iterable[Mapping[str, Any]], work: Path, model: Model) -> Embedded:
        """See Engine. A kill, whenever it comes, costs the vectors of the last 20 seconds."""
        cache = VectorCache(work, model.id, model.dimensions)
        paths, missing, counts = lacking(sources, work, cache)
        if not missing:
            return Embedded(counts)
        encoder = Encoder(model)
        tokens = 0
        with Progress("embed", len(missing), "sentences") as progress:
            for texts in _texts(paths, missing):
                tokens += _embed(encoder, texts, cache, progress)
        return Embedded(counts, len(missing), tokens)

    @contextmanager
    def side_by_side(self) -> Iterator[Each]:
        """See Engine."""
        with task_processes(self._workers) as each:
            yield each


@contextmanager
def _without_program() -> Iterator[None]:
    """Let processes start without running the program of this one again, as they do with a module `__main__`.

    A few lines that check a quote in a PDF need no `if __name__ == "__main__"` then.
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program


def _texts(paths: list[Path], missing: set[bytes]) -> Iterator[list[str]]:
    """Yield the texts whose hashes are `missing`, each once, _AT_ONCE at a time."""
    waiting = set(missing)
    gathered: list[str] = []
    for path in paths:
        record = read_record(path)
        if record is None:
            raise BuildError(f"{str(path)!r} was damaged while the build ran. Build again.")
        texts = embedded_sentences(record).texts
        for text, digest in zip(texts, text_hashes(texts).tolist(), strict=True):
            if digest in waiting:
                waiting.remove(digest)
                gathered.append(text)
        if len(gathered) >= _AT_ONCE:
            yield gathered
            gathered = []
    if gathered:
        yield gathered


def _embed(encoder: Encoder, texts: list[str], cache: VectorCache, progress: Progress) -> int:
    """Cache the vectors of `texts` as they are computed; return the number of tokens."""
    hashes = text_hashes(texts)
    kept = time.monotonic()
    numbers: list[int] = []
    vectors: list[npt.NDArray[np.float32]] = []
    total = 0
    for batch, made, tokens in encoder.encode_batches(texts):
        numbers += batch
        vectors.append(made)
        total += tokens
        progress.step(len(batch), tokens=tokens)
        if time.monotonic() - kept >= _KEEP_EVERY:
            cache.add(hashes[numbers], np.concatenate(vectors))
            numbers, vectors, kept = [], [], time.monotonic()
    if numbers:
        cache.add(hashes[numbers], np.concatenate(vectors))
    return total
