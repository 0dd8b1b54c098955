"""The second stage: sentences to vectors, by the model that is named.

Else it is that of the vectors that there are, or one that is on this machine.
"""

import hashlib
import time
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lookup.errors import ModelError
from pipeline.embedding.last_embedding import Embedding, LastModel, last_model
from pipeline.embedding.pending import Embedded, lacking, write_embedded
from pipeline.embedding.vector_cache import vectors_folder
from pipeline.engines import Engine
from pipeline.work.journal import leave_figures
from pipeline.work.state import source_rows
from retrieval.embedding.model import CARD, DEFAULT_MODEL, Model, default_models, read_model


def embed_sentences(
    work: Path, model: Model | None, engine: Engine, *, keep_vectors: bool = False
) -> Embedding:
    """Embed each sentence in `work` that has no vector of `model` yet; the caller holds the lock of `work`.

    With a sparse model on this machine, its words of each sentence are made too.
    Without a model, the next release has no vectors, or with `keep_vectors` those that there are. Raises
    ModelError where the model's files do not match its model.json, BuildError where nothing was extracted.
    """
    began = time.monotonic()
    last = last_model(work)
    cache = last.cache(work) if model is None and keep_vectors else None
    if cache is not None:
        _, missing, counts = lacking(source_rows(work), work, cache)
        digest = hashlib.sha256(b"".join(sorted(missing))).hexdigest()[:20] if missing else ""
        replace(last, lacking=digest).keep(work)
        done = Embedding(last.model, counts.sentences, lacking=len(missing))
    elif model is None:
        LastModel(None, terms=last.terms).keep(work)
        done = Embedding()
    else:
        made = _embed(work, model, engine)
        last = LastModel(model.id, model.dimensions, last.terms, made.sentences)
        last.keep(work)
        done = Embedding(model.id, made.sentences, made.new, made.tokens, time.monotonic() - began)
        sparse = installed(sparse=True, first=model.folder.parent)
        if sparse is not None:  # without one the words that there are stay
            _embed(work, sparse, engine)
            replace(last, terms=sparse.id).keep(work)
    leave_figures(work, "embed", figures(done))
    return done


def _embed(work: Path, model: Model, engine: Engine) -> Embedded:
    model.verify()
    made = engine.embed(source_rows(work), work, model)
    write_embedded(vectors_folder(work, model.id), made.by_record)
    return made


def figures(done: Embedding) -> dict[str, Any]:
    """Return the figures of the stage, for JSON."""
    told = {name: value for name, value in vars(done).items() if name != "lacking"}
    return told | {"seconds": round(done.seconds, 2)}


NONE = "none"  # Names no model: there are to be no vectors.


@dataclass(frozen=True)
class ModelOfBuild:
    """The model, or whether the vectors that there are stay without it; `why` says what a user can do.

    `can_get` is whether nothing but the default model is missing.
    """

    model: Model | None
    keeps: bool = False
    why: str = ""
    can_get: bool = False


def installed(made_by: str | None = None, *, sparse: bool = False, first: Path | None = None) -> Model | None:
    """Return the model of this id on this machine; without an id the default one, else the first by name.

    A model of vectors, or one that is `sparse`. The folder `first` is looked at before the usual ones.
    """
    folders = [*([first] if first else []), default_models()]
    cards = [card for folder in folders for card in sorted(folder.glob(f"*/{CARD}"))]
    cards.sort(key=lambda card: card.parent.name != DEFAULT_MODEL)
    for card in cards:
        try:
            model = read_model(card.parent)
        except ModelError:
            continue  # damaged: as if it were not there
        if made_by in (None, model.id) and model.sparse == sparse:
            return model
    return None


def model_of_build(work: Path) -> ModelOfBuild:
    """Return the model for the next build in `work`, which names none."""
    before = last_model(work).model
    lacking = [name for name in ("onnxruntime", "tokenizers") if find_spec(name) is None]
    model = None if lacking else installed(before)
    if model is not None:
        return ModelOfBuild(model)
    name = before.rpartition("@")[0] if before else ""
    get = "pagequote model get" if name in ("", DEFAULT_MODEL) else f"pagequote model get {name}"
    todo = f"Install {' and '.join(lacking)}" if lacking else f"Run `{get}`"
    if before:
        said = f"the model of the vectors, {before}, is not on this machine: they stay, new papers get none"
        return ModelOfBuild(None, keeps=True, why=f"{said}. {todo}, or give --model.")
    why = f"no vectors, so no search by meaning. {todo} once; builds make them then."
    return ModelOfBuild(None, why=why, can_get=not lacking)
