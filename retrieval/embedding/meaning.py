"""The vectors of a release and the model that made them, both loaded on first use."""

import threading
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from lookup.errors import ModelError, NextStep
from lookup.release.checked_files import MappedFiles
from lookup.release.current import Release
from retrieval.embedding.encoder import Encoder
from retrieval.embedding.model import Model, default_models, read_model

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from retrieval.embedding.vectors import Vectors

_HELD_QUERIES = 64  # Queries whose vectors are kept: the same query often goes to several papers.


class Meaning:
    """The vectors of a release, and the encoder for queries to compare. Safe to share between threads."""

    def __init__(self, release: Release, mapped: MappedFiles | None) -> None:
        self._release, self._mapped = release, mapped
        self._lock = threading.Lock()
        self._vectors: Vectors | None = None
        self._encoder: Encoder | None = None
        self._encoded = lru_cache(_HELD_QUERIES)(self._encode)

    @property
    def vectors(self) -> "Vectors":
        """The stored vectors. Raise ModelError where the release has none."""
        with self._lock:
            if self._vectors is None:
                _check(self._release)
                from retrieval.embedding.vectors import Vectors  # it loads numpy  # noqa: PLC0415

                self._vectors = Vectors(self._release, self._mapped)
            return self._vectors

    @property
    def encoder(self) -> Encoder:
        """The model that made them. Raise ModelError where it is not on this machine."""
        with self._lock:
            if self._encoder is None:
                self._encoder = shared_encoder(model_of(self._release))
            return self._encoder

    def query(self, text: str) -> "npt.NDArray[np.float32]":
        """Return the vector (dimensions,) of a query."""
        return self._encoded(text)

    def warm(self) -> None:
        """Map the vectors and load the model now rather than with the first query. Raise ModelError."""
        assert self.vectors is not None
        self.encoder.warm()

    def _encode(self, text: str) -> "npt.NDArray[np.float32]":
        vector: npt.NDArray[np.float32] = self.encoder.encode([text], query=True)[0]
        return vector


def model_of(release: Release) -> Model:
    """Return the model on this machine that made the vectors of `release`.

    Raise ModelError if there are no vectors, or the model is not on this machine.
    """
    return model_on_disk(release, _check(release))


def model_on_disk(release: Release, made_by: str) -> Model:
    """Return the model on this machine with the id `made_by`, which `release` names. Raise ModelError."""
    folder = default_models() / PurePath(made_by.rpartition("@")[0]).name  # a manifest may say a path
    if folder.is_dir():
        model = read_model(folder)
        if model.id == made_by:
            return model
        raise ModelError(
            f"The vectors of the release {release.name} are of the model {made_by!r}, and "
            f"{str(folder)!r} is {model.id!r}: they cannot be compared. "
            "Get the model that made them, or build the corpus again with this one."
        )
    beside = release.folder.parents[2] / "models"
    named = (
        f" {str(beside / folder.name)!r} may have come with the corpus: PAGEQUOTE_MODELS={beside} trusts it."
        if (beside / folder.name).is_dir()
        else ""
    )
    raise ModelError(
        f"The model {made_by!r}, which made the vectors of the release {release.name}, "
        f"is not in {str(default_models())!r}. Get it.{named}",
        next_step=NextStep("get_model"),
    )


def _check(release: Release) -> str:
    """Return the id of the model that made the vectors. Raise ModelError if the release has none."""
    if release.model is None:
        raise ModelError(
            f"The release {release.name} has no vectors to search by.",
            next_step=NextStep("build_with_model"),
        )
    return release.model


_sharing = threading.Lock()
_encoders: dict[str, Encoder] = {}


def shared_encoder(model: Model) -> Encoder:
    """Return the one encoder of this process for the model."""
    with _sharing:
        return _encoders.setdefault(model.id, Encoder(model))
