"""The second stage: sentences to vectors."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from lookup.embedding.model import Model
from lookup.release.schema import EMBEDDED, PARAGRAPHS, SENTENCES
from pipeline.atomic_files import write_atomically
from pipeline.embedding.embedded_records import read_embedded, write_embedded
from pipeline.embedding.vector_cache import VectorCache, text_hashes, vectors_folder
from pipeline.engines import Engine
from pipeline.records import EXTRACTOR, table_of
from pipeline.work.extraction_cache import read_record, record_digest, records_folder
from pipeline.work.stage_figures import leave_figures
from pipeline.work.state import read_state

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


def embed_sentences(work: Path, model: Model | None, engine: Engine) -> Embedding:
    """Embed each sentence in `work`, whose lock the caller holds, that has no vector of this model yet.

    What the release is to hold of them is left there; without a model it has none. Raises ModelError where the model's files are not
    what its model.json says, BuildError where nothing was extracted.
    """
    began = time.monotonic()
    if model is None:
        _write_state(work, {"model": None, "vectors": 0})
        done = Embedding()
    else:
        model.verify()
        made = engine.embed(read_state(work).sources, work, model)
        write_embedded(vectors_folder(work, model.id), made.counts.by_record)
        write_model(work, model, made.counts.sentences)
        done = Embedding(model.id, made.counts.sentences, made.new, made.tokens, time.monotonic() - began)
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

    def add(self, digest: str, sentences: int, copies: int) -> None:
        """Count an extraction, which is that of so many papers."""
        self.by_record[digest] = sentences
        self.sentences += sentences * copies


def to_look_through(
    sources: Iterable[Mapping[str, Any]], work: Path, vectors: Path, files: frozenset[str]
) -> tuple[dict[str, int], Counts]:
    """The extractions not known to have all their vectors, with how many papers each of them is; and the counts of the others.

    `sources` are rows of the state. The folder `vectors` has those of the model, in `files`. No extraction is opened.
    """
    known = read_embedded(vectors, files)
    counts, unknown = Counts(), {}
    papers = Counter(source["record"] for source in sources if source["record"])
    for name, copies in papers.items():
        digest = record_digest(records_folder(work, EXTRACTOR) / name) or ""
        if digest in known:
            counts.add(digest, known[digest], copies)
        else:
            unknown[name] = copies
    return unknown, counts


def lacking(
    sources: Iterable[Mapping[str, Any]], work: Path, cache: VectorCache
) -> tuple[list[Path], set[bytes], Counts]:
    """The extractions with sentences that have no vector, the hashes of those, and how many sentences there are.

    `sources` are rows of the state. An extraction that is known to have all its vectors is not opened.
    """
    unknown, counts = to_look_through(sources, work, cache.folder, cache.files)
    paths, missing = [], set[bytes]()
    for name, copies in unknown.items():
        path = records_folder(work, EXTRACTOR) / name
        record = read_record(path)
        if record is None:
            continue  # damaged: the last stage removes it and has it made again
        hashes = text_hashes(embedded_sentences(record).texts)
        counts.add(record_digest(path) or "", len(hashes), copies)
        lacking = hashes[~cache.has(hashes)].tolist()
        if lacking:
            paths.append(path)
            missing.update(lacking)
    return paths, missing, counts


def _read_state(work: Path) -> dict[str, Any] | None:
    try:
        state: dict[str, Any] = json.loads((work / _STATE).read_bytes())
    except FileNotFoundError:
        return None
    return state


def _write_state(work: Path, state: dict[str, object]) -> None:
    write_atomically(work / _STATE, (json.dumps(state) + "\n").encode())
