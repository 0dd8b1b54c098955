"""The second stage: sentences to vectors."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lookup.encoder import Encoder
from lookup.errors import BuildError
from lookup.model import Model
from lookup.schema import EMBEDDED, PARAGRAPHS, SENTENCES
from pipeline.cache import read_record, record_digest, records_folder
from pipeline.embedded import read_embedded, write_embedded
from pipeline.files import locked, write_atomically
from pipeline.progress import Progress
from pipeline.records import EXTRACTOR, table_of
from pipeline.stages import leave_figures
from pipeline.state import read_state
from pipeline.troubles import machine_troubles
from pipeline.vector_cache import VectorCache, text_hashes

_KEEP_EVERY = 20.0
"""Seconds after which finished vectors go to the disk: what a kill costs at most, and the batches under way."""

_AT_ONCE = 16384
"""Texts that are sorted into batches together: enough that nearly all batches are full (a batch has texts of as many tokens),
and 20 MB with their tokens and vectors."""

_STATE = "vectors.json"


@dataclass(frozen=True)
class Embedding:
    """What the stage did: sentences that have vectors, texts that were new among them and their tokens; no model, no vectors."""

    model: str | None = None
    sentences: int = 0
    new: int = 0
    tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Sentences:
    """The sentences of a paper that are embedded, in their order: paragraph, number within it, text."""

    paragraphs: list[int]
    numbers: list[int]
    texts: list[str]


def embed_stage(work: Path, model: Model | None, wait: float = 0.0) -> Embedding:
    """Embed each sentence in `work` that has no vector of this model yet, and leave there whose vectors the release is to hold.

    Without a model the release has none. A kill, whenever it comes, costs the vectors of the last 20 seconds. Raises ModelError where
    the model's files are not what its model.json says, BuildError where nothing was extracted.
    """
    with machine_troubles(), locked(work, wait):
        return embed_sentences(work, model)


def embed_sentences(work: Path, model: Model | None) -> Embedding:
    """The same, for a caller that holds the lock of `work`."""
    began = time.monotonic()
    if model is None:
        _write_state(work, {"model": None, "vectors": 0})
        done = Embedding()
    else:
        model.verify()
        cache = VectorCache(work, model.id, model.dimensions)
        paths, missing, counts = lacking(read_state(work).sources, work, cache)
        new, tokens = len(missing), 0
        if new:
            encoder = Encoder(model)
            with Progress("embed", new, "sentences") as progress:
                for texts in _texts(paths, missing):
                    tokens += _embed(encoder, texts, cache, progress)
            cache = VectorCache(work, model.id, model.dimensions)
        write_embedded(cache.folder, cache.files, counts.by_record)
        sentences = counts.sentences
        write_model(work, model, sentences)
        done = Embedding(model.id, sentences, new, tokens, time.monotonic() - began)
    leave_figures(work, "embed", figures(done))
    return done


def figures(done: Embedding) -> dict[str, Any]:
    """What it did, as JSON has it."""
    return {
        "model": done.model,
        "sentences": done.sentences,
        "new": done.new,
        "tokens": done.tokens,
        "seconds": round(done.seconds, 2),
    }


def write_model(work: Path, model: Model, sentences: int) -> None:
    """Leave in `work` that the release is to hold vectors of `model`, and of how many sentences."""
    _write_state(work, {"model": model.id, "dimensions": model.dimensions, "vectors": sentences})


def stored_vectors(work: Path) -> tuple[str, VectorCache] | None:
    """Id and vectors of the model that the last embedding in `work` was by; None where it was by none."""
    state = _read_state(work)
    if state is None or state["model"] is None:
        return None
    return state["model"], VectorCache(work, state["model"], state["dimensions"])


def stored_model(work: Path) -> str | None:
    """The id alone."""
    state = _read_state(work)
    return state["model"] if state else None


def embedded_sentences(record: pa.RecordBatch) -> Sentences:
    """The sentences of an extraction that are in paragraphs of the kinds EMBEDDED."""
    paragraphs = table_of(record, PARAGRAPHS).select(["paragraph", "kind", "text"]).to_pydict()
    texts = {
        number: text for number, kind, text in zip(*paragraphs.values(), strict=True) if kind in EMBEDDED
    }
    rows = table_of(record, SENTENCES).select(["paragraph", "sentence", "start", "end"]).to_pydict()
    found = [row for row in zip(*rows.values(), strict=True) if row[0] in texts]
    return Sentences(
        [paragraph for paragraph, *_ in found],
        [number for _, number, *_ in found],
        [texts[paragraph][start:end] for paragraph, _, start, end in found],
    )


@dataclass
class Counts:
    """How many sentences are to have vectors: in all papers, and in each extraction, by its digest."""

    sentences: int = 0
    by_record: dict[str, int] = field(default_factory=dict)


def lacking(
    sources: Iterable[Mapping[str, Any]], work: Path, cache: VectorCache
) -> tuple[list[Path], set[bytes], Counts]:
    """The extractions with sentences that have no vector, the hashes of those, and how many sentences there are.

    `sources` are rows of the state. An extraction that is known to have all its vectors is not opened.
    """
    known = read_embedded(cache.folder, cache.files)
    counts = Counts()
    papers = Counter(source["record"] for source in sources if source["record"])
    paths, missing = [], set[bytes]()
    for name, copies in papers.items():
        path = records_folder(work, EXTRACTOR) / name
        digest = record_digest(path) or ""
        if digest in known:
            counts.by_record[digest] = known[digest]
            counts.sentences += known[digest] * copies
            continue
        record = read_record(path)
        if record is None:
            continue  # damaged: the last stage removes it and has it made again
        hashes = text_hashes(embedded_sentences(record).texts)
        counts.by_record[digest] = len(hashes)
        counts.sentences += len(hashes) * copies
        lacking = hashes[~cache.has(hashes)].tolist()
        if lacking:
            paths.append(path)
            missing.update(lacking)
    return paths, missing, counts


def _texts(paths: list[Path], missing: set[bytes]) -> Iterator[list[str]]:
    """The texts whose hashes are `missing`, each once, _AT_ONCE at a time."""
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
    """Put the vectors of `texts` into the cache as they come; how many tokens the texts had."""
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


def _read_state(work: Path) -> dict[str, Any] | None:
    try:
        state: dict[str, Any] = json.loads((work / _STATE).read_bytes())
    except FileNotFoundError:
        return None
    return state


def _write_state(work: Path, state: dict[str, object]) -> None:
    write_atomically(work / _STATE, (json.dumps(state) + "\n").encode())
