"""Remembers the model of the last embedding in a work folder: the next release holds its vectors."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lookup.errors import BuildError
from lookup.storage.untrusted_files import MOST_JSON, read_file, read_json
from pipeline.embedding.vector_cache import VectorCache
from pipeline.files.atomic import write_json
from retrieval.embedding.model import Model

_FILE = "vectors.json"
_TERMS = "terms"


@dataclass(frozen=True)
class Embedding:
    """The work of the embedding stage: sentences with vectors, new texts among them, tokens of these.

    Without a model there are no vectors.
    """

    model: str | None = None
    sentences: int = 0
    new: int = 0
    tokens: int = 0
    seconds: float = 0.0
    lacking: int = 0
    """Different texts without a vector, since the model was not there."""


def write_model(work: Path, model: Model | None, sentences: int = 0) -> None:
    """Have the next release hold the vectors of `model`, for so many sentences; without a model, none.

    Words of a sparse model stay beside the vectors of any model.
    """
    state = {"model": None} if model is None else {"model": model.id, "dimensions": model.dimensions}
    write_json(work / _FILE, {**state, _TERMS: stored_terms(work), "vectors": sentences}, work)


def write_terms(work: Path, sparse: Model) -> None:
    """Have the index of the next release hold the words of the model `sparse`."""
    write_json(work / _FILE, {**_read(work), _TERMS: sparse.id}, work)


def stored_terms(work: Path) -> str | None:
    """Return the id of the sparse model of the next release; None without one, or without vectors."""
    last = _read(work)
    terms: str | None = last.get(_TERMS) if last["model"] else None
    return terms


def keep_model(work: Path, missing: set[bytes]) -> None:
    """Have the next release hold the vectors that there are, which lack those of the `missing` texts."""
    digest = hashlib.sha256(b"".join(sorted(missing))).hexdigest()[:20] if missing else ""
    write_json(work / _FILE, {**_read(work), "lacking": digest}, work)


def lacking_vectors(work: Path) -> str:
    """Return a hash of the texts of which the next release has no vectors though it has a model; else ""."""
    lacking: str = _read(work).get("lacking", "")
    return lacking


def stored_vectors(work: Path) -> tuple[str, VectorCache] | None:
    """Return id and vectors of the model of the last embedding in `work`; None where it had no model."""
    last = _read(work)
    if not last["model"]:
        return None
    return last["model"], VectorCache(work, last["model"], last["dimensions"], mend=False)


def stored_model(work: Path) -> str | None:
    """Return the id alone."""
    model: str | None = _read(work)["model"]
    return model


def _read(work: Path) -> dict[str, Any]:
    # A damaged file is an error: a release without vectors would be the silent alternative.
    try:
        last = read_json(read_file(work / _FILE, MOST_JSON))
    except FileNotFoundError:
        return {"model": None}
    except (OSError, ValueError) as error:
        raise _damaged(work, str(error)) from error
    if not isinstance(last, dict) or not isinstance(model := last.get("model", 0), str | None):
        raise _damaged(work, "it names no model")
    if model and not isinstance(last.get("dimensions"), int):
        raise _damaged(work, "it has no dimensions")
    return last


def _damaged(work: Path, why: str) -> BuildError:
    return BuildError(
        f"{str(work / _FILE)!r} is none that `pagequote embed` wrote ({why}). Remove it, and build again: "
        "vectors that are there are not made again."
    )
