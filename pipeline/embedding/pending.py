"""Finds the sentences without a vector. Fully embedded extractions are remembered, and not opened again."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lookup.release.schema import EMBEDDED, PARAGRAPHS, SENTENCES
from pipeline.embedding.vector_cache import Rows, VectorCache, quantised, text_hashes, work_of
from pipeline.files.atomic import read_json, write_json
from pipeline.records import table_of
from pipeline.work.extraction_cache import read_record, record_digest, records_folder
from retrieval.embedding.signs import unit_length

_EMBEDDED_FILE = "embedded.json"


@dataclass
class Embedded:
    """The number of sentences that get vectors: in all papers, and in each extraction, by its digest.

    Also the number of new texts among them, and of the tokens of these.
    """

    sentences: int = 0
    by_record: dict[str, int] = field(default_factory=dict)
    new: int = 0
    tokens: int = 0

    def add(self, digest: str, sentences: int, copies: int) -> None:
        """Count an extraction that `copies` papers share."""
        self.by_record[digest] = sentences
        self.sentences += sentences * copies


def lacking(
    sources: Iterable[Mapping[str, Any]], work: Path, cache: VectorCache
) -> tuple[list[Path], set[bytes], Embedded]:
    """Return the extractions with sentences that have no vector, the hashes of those, and the counts of all.

    `sources` are rows of the state.
    """
    unknown, counts = to_look_through(sources, work, cache.folder, cache.files)
    paths, missing = [], set[bytes]()
    for name, copies in unknown.items():
        path = records_folder(work) / name
        record = read_record(path)
        if record is None:
            continue  # damaged: the last stage removes it, and the next build makes it again
        hashes = text_hashes(embedded_sentences(record)["text"].to_pylist())
        counts.add(record_digest(path) or "", len(hashes), copies)
        lacking = hashes[~cache.has(hashes)].tolist()
        if lacking:
            paths.append(path)
            missing.update(lacking)
    return paths, missing, counts


def to_look_through(
    sources: Iterable[Mapping[str, Any]], work: Path, vectors: Path, files: frozenset[str]
) -> tuple[dict[str, int], Embedded]:
    """Return the extractions that may lack vectors, with the number of papers of each; count the others.

    `sources` are rows of the state. `vectors` is the folder of the model's vectors, and `files` the whole
    files in it. No extraction is opened.
    """
    known = read_embedded(vectors, files)
    counts, unknown = Embedded(), {}
    papers = Counter(source["record"] for source in sources if source["record"])
    for name, copies in papers.items():
        digest = record_digest(records_folder(work) / name) or ""
        if digest in known:
            counts.add(digest, known[digest], copies)
        else:
            unknown[name] = copies
    return unknown, counts


def embedded_sentences(record: pa.RecordBatch) -> pa.Table:
    """Return paragraph, sentence (its number there) and text of those in paragraphs of the kinds EMBEDDED."""
    paragraphs = table_of(record, PARAGRAPHS)
    embedded = paragraphs.filter(pc.is_in(paragraphs["kind"], pa.array(EMBEDDED)))["paragraph"]
    rows = table_of(record, SENTENCES)
    rows = rows.filter(pc.is_in(rows["paragraph"], embedded.combine_chunks()))
    return rows.select(["paragraph", "sentence"]).append_column("text", sentence_texts(record, rows))


def sentence_texts(record: pa.RecordBatch, sentences: pa.Table) -> pa.Array:
    """Return the text of each of these sentences of an extraction."""
    texts = table_of(record, PARAGRAPHS)["text"].to_pylist()
    places = zip(*(sentences[name].to_pylist() for name in ("paragraph", "start", "end")), strict=True)
    return pa.array([texts[paragraph][start:end] for paragraph, start, end in places], pa.string())


def read_embedded(vectors: Path, files: frozenset[str]) -> dict[str, int]:
    """Return, by the digest of an extraction whose sentences all have vectors, the number of these sentences.

    Nothing is known where a file that existed when this was written is missing from `files`.
    """
    stored = read_json(vectors / _EMBEDDED_FILE)
    try:
        known, counts = frozenset(stored["files"]), dict(stored["sentences"])
    except (KeyError, TypeError, ValueError):
        return {}
    return counts if known <= files else {}


def write_embedded(vectors: Path, sentences: Mapping[str, int]) -> None:
    """Remember extractions whose sentences all have vectors in the files of the folder `vectors`."""
    files = sorted(path.name for path in vectors.glob("*.npy"))
    write_json(
        vectors / _EMBEDDED_FILE,
        {"files": files, "sentences": dict(sorted(sentences.items()))},
        work_of(vectors),
    )


def paragraph_embeddings(count: int, embedded: tuple[pa.Table, Rows] | None) -> dict[str, pa.Array]:
    """Return the columns `embedding` and `embedding_scale` of a paper's `count` paragraphs.

    `embedded` are its sentences with their vectors, if there are any; other paragraphs have NULL.
    """
    if embedded is None:
        return {
            "embedding": pa.nulls(count, pa.list_(pa.int8())),
            "embedding_scale": pa.nulls(count, pa.float32()),
        }
    sentences, rows = embedded
    places = sentences["paragraph"].to_numpy()
    sums = np.zeros((count, rows["vector"].shape[1]), np.float32)
    np.add.at(sums, places, rows["vector"] * rows["scale"][:, None])
    whole, scales = quantised(unit_length(sums))
    missing = np.ones(count, np.bool_)
    missing[places] = False
    return {
        "embedding": lists_of(whole, pa.array(missing)),
        "embedding_scale": pa.array(scales, mask=missing),
    }


def lists_of(vectors: npt.NDArray[Any], missing: pa.BooleanArray | None = None) -> pa.FixedSizeListArray:
    """Return the rows of a matrix as lists of their length; NULL for those that are `missing`."""
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1], mask=missing)
