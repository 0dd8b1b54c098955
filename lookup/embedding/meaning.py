"""What a release knows of meaning: the vectors of its sentences, and the model that made them, both loaded on first use."""

import threading
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from lookup.embedding.encoder import Encoder
from lookup.embedding.model import Model, default_models, read_model
from lookup.embedding.vectors import Mapped, Vectors, map_vectors
from lookup.errors import ModelError
from lookup.next_step import NextStep
from lookup.release.current import Release, beside
from lookup.storage.object_path import ObjectPath

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_HELD_QUERIES = 64
"""Queries whose vectors are kept: the same one is often asked of several papers."""


class Meaning:
    """The vectors of a release and an encoder for queries that may be compared with them. Safe to share between threads."""

    def __init__(self, release: Release) -> None:
        self._release = release
        self._lock = threading.Lock()
        self._vectors: Vectors | None = None
        self._mapped: Mapped | None = None
        if release.model and not isinstance(release.folder, ObjectPath):
            # Now, for the release may be collected before they are asked for; whoever asks for them is told what is wrong.
            with suppress(OSError, ValueError):
                self._mapped = map_vectors(release)
        self._encoder: Encoder | None = None
        self._encoded = lru_cache(_HELD_QUERIES)(self._encode)

    @property
    def vectors(self) -> Vectors:
        """The stored vectors; raises ModelError where the release has none."""
        with self._lock:
            if self._vectors is None:
                _check(self._release)
                self._vectors = Vectors(self._release, self._mapped)
            return self._vectors

    @property
    def encoder(self) -> Encoder:
        """The model that made them; raises ModelError where it is not on this machine."""
        with self._lock:
            if self._encoder is None:
                self._encoder = _shared(model_of(self._release))
            return self._encoder

    def query(self, text: str) -> "npt.NDArray[np.float32]":
        """The vector (dimensions,) of what is searched for."""
        return self._encoded(text)

    def warm(self) -> None:
        """Map the vectors and load the model now rather than with the first query; raises ModelError."""
        assert self.vectors is not None
        self.encoder.warm()

    def _encode(self, text: str) -> "npt.NDArray[np.float32]":
        vector: npt.NDArray[np.float32] = self.encoder.encode([text], query=True)[0]
        return vector


def model_of(release: Release) -> Model:
    """The model on this machine that made the vectors of `release`; raises ModelError where there are none, or where it is not here."""
    made_by = _check(release)
    # In a corpus a release stands in a folder of releases; models are kept beside the corpus, or where they usually are.
    folders = list(dict.fromkeys([default_models(), beside(release.folder.parents[1], "models")]))
    name = made_by.rpartition("@")[0]
    others = []
    for folder in folders:
        if (folder / name).is_dir():
            model = read_model(folder / name)
            if model.id == made_by:
                return model
            others.append(model)
    if others:
        raise ModelError(
            f"The vectors of the release {release.name} are of the model {made_by!r}, and {str(others[0].folder)!r} is {others[0].id!r}: "
            "they cannot be compared. Get the model that made them, or build the corpus again with this one."
        )
    looked = " or ".join(repr(str(folder)) for folder in folders)
    raise ModelError(
        f"The model {made_by!r}, which made the vectors of the release {release.name}, is not in {looked}. Get it.",
        next_step=NextStep("get_model"),
    )


def _check(release: Release) -> str:
    """The id of the model that made the release's vectors; raises ModelError where there are none."""
    if release.model is None:
        raise ModelError(
            f"The release {release.name} has no vectors. Build it with a model.",
            next_step=NextStep("build_with_model"),
        )
    return release.model


_sharing = threading.Lock()
_encoders: dict[str, Encoder] = {}


def _shared(model: Model) -> Encoder:
    """One encoder a model and process."""
    with _sharing:
        return _encoders.setdefault(model.id, Encoder(model))
