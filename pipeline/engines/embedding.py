"""Makes the vectors that are missing, in this process."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lookup.errors import BuildError
from pipeline.embedding.pending import Embedded, embedded_sentences, lacking
from pipeline.embedding.vector_cache import VectorCache, add_vectors, text_hashes
from pipeline.work.extraction_cache import read_record
from pipeline.work.progress import Progress
from retrieval.embedding.encoder import Encoder
from retrieval.embedding.model import Model

_KEEP_EVERY = 20.0
"""Seconds after which finished vectors go to the disk: a kill costs this time and the batches under way at
most."""

_TEXTS_PER_BATCH = 16384
"""Texts that are sorted into batches together: enough that nearly all batches are full (a batch has texts of
the same number of tokens), and 20 MB with their tokens and vectors."""


def embed(sources: Iterable[Mapping[str, Any]], work: Path, model: Model) -> Embedded:
    """Make the missing vectors of the sentences of `sources` (rows of the state); see Engine."""
    cache = VectorCache(work, model.id, model.dimensions)
    paths, missing, counts = lacking(sources, work, cache)
    if not missing:
        return counts
    encoder = Encoder(model)
    counts.new = len(missing)
    with Progress("weigh" if model.sparse else "embed", len(missing), "sentences") as progress:
        for texts in _texts(paths, missing):
            counts.tokens += keep_vectors(encoder, texts, cache.folder, progress.step)
    return counts


def _texts(paths: list[Path], missing: set[bytes]) -> Iterator[list[str]]:
    """Yield the texts whose hashes are `missing`, each once, _TEXTS_PER_BATCH at a time."""
    waiting = set(missing)
    gathered: list[str] = []
    for path in paths:
        record = read_record(path)
        if record is None:
            raise BuildError(f"{str(path)!r} was damaged while the build ran. Build again.")
        texts = embedded_sentences(record)["text"].to_pylist()
        for text, digest in zip(texts, text_hashes(texts).tolist(), strict=True):
            if digest in waiting:
                waiting.remove(digest)
                gathered.append(text)
        if len(gathered) >= _TEXTS_PER_BATCH:
            yield gathered
            gathered = []
    if gathered:
        yield gathered


def keep_vectors(
    encoder: Encoder, texts: list[str], folder: Path, step: Callable[[int, int], None] = lambda *_: None
) -> int:
    """Write the vectors of `texts` to `folder` as they are computed; return the number of tokens.

    `step` is told of each batch how many texts it has, and tokens.
    """
    hashes = text_hashes(texts)
    kept = time.monotonic()
    numbers: list[int] = []
    vectors: list[npt.NDArray[Any]] = []
    total = 0
    for batch, made, tokens in encoder.encode_batches(texts):
        numbers += batch
        vectors.append(made)
        total += tokens
        step(len(batch), tokens)
        if time.monotonic() - kept >= _KEEP_EVERY:
            add_vectors(folder, hashes[numbers], np.concatenate(vectors))
            numbers, vectors, kept = [], [], time.monotonic()
    if numbers:
        add_vectors(folder, hashes[numbers], np.concatenate(vectors))
    return total
