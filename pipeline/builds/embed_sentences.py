"""The second stage: sentences to vectors."""

import time
from pathlib import Path
from typing import Any

from lookup.embedding.model import Model
from pipeline.builds.model_of_build import installed
from pipeline.embedding.last_embedding import (
    Embedding,
    keep_model,
    stored_vectors,
    write_model,
    write_terms,
)
from pipeline.embedding.pending import lacking, write_embedded
from pipeline.embedding.vector_cache import vectors_folder
from pipeline.engines import Engine
from pipeline.work.journal import leave_figures
from pipeline.work.state import source_rows


def embed_sentences(
    work: Path, model: Model | None, engine: Engine, *, keep_vectors: bool = False
) -> Embedding:
    """Embed each sentence in `work` that has no vector of `model` yet; the caller holds the lock of `work`.

    With a sparse model on this machine, its words of each sentence are made too.
    Without a model, the next release has no vectors, or with `keep_vectors` those that there are. Raises
    ModelError where the model's files do not match its model.json, BuildError where nothing was extracted.
    """
    began = time.monotonic()
    stored = stored_vectors(work) if model is None and keep_vectors else None
    if stored is not None:
        _, missing, counts = lacking(source_rows(work), work, stored[1])
        keep_model(work, missing)
        done = Embedding(stored[0], counts.sentences, lacking=len(missing))
    elif model is None:
        write_model(work, None)
        done = Embedding()
    else:
        model.verify()
        made = engine.embed(source_rows(work), work, model)
        write_embedded(vectors_folder(work, model.id), made.counts.by_record)
        write_model(work, model, made.counts.sentences)
        _weigh_words(work, engine)
        done = Embedding(model.id, made.counts.sentences, made.new, made.tokens, time.monotonic() - began)
    leave_figures(work, "embed", figures(done))
    return done


def figures(done: Embedding) -> dict[str, Any]:
    """Return the figures of the stage, for JSON."""
    told = {name: value for name, value in vars(done).items() if name != "lacking"}
    return told | {"seconds": round(done.seconds, 2)}


def _weigh_words(work: Path, engine: Engine) -> None:
    """Make the words of the sparse model on this machine; without one those that there are stay."""
    sparse = installed(sparse=True)
    if sparse is not None:
        sparse.verify()
        made = engine.embed(source_rows(work), work, sparse)
        write_embedded(vectors_folder(work, sparse.id), made.counts.by_record)
        write_terms(work, sparse)
