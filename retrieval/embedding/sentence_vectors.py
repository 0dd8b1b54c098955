"""The vectors of a release's sentences: which sentences of a paper are nearest in meaning to a text."""

import threading
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lookup.errors import ModelError, NextStep
from lookup.release.checked_files import MappedFiles
from lookup.release.database import Database
from retrieval.embedding.encoder import Encoder, shared_encoder
from retrieval.embedding.model import model_on_disk

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from retrieval.embedding.vectors import Vectors

_HELD_PAPERS = 8  # Papers for which the places of all vectors are kept.
_HELD_QUERIES = 64  # Queries whose vectors are kept: the same query often goes to several papers.


class Nearest(NamedTuple):
    """The sentence of a paragraph that is nearest to a query: its similarity, and its number.

    `passage` is the similarity of the paragraph, whose vector is the sum of its sentences', where it is told.
    """

    similarity: float
    sentence: int
    passage: float = 0.0


class SentenceVectors:
    """Sentences of a release, compared by meaning: its vectors, and the model that made them.

    Both are loaded on first use. Safe to share between threads.
    """

    def __init__(self, database: Database, mapped: MappedFiles | None) -> None:
        self._database, self._release, self._mapped = database, database.release, mapped
        self._lock = threading.Lock()
        self._matrix: Vectors | None = None
        self._rows = lru_cache(_HELD_PAPERS)(self._rows_of)
        self._passages = lru_cache(_HELD_PAPERS)(self._passages_of)
        self.query = lru_cache(_HELD_QUERIES)(self._encoded)

    @property
    def made_by(self) -> str:
        """The name of the model, without its hash; "" for none."""
        return (self._release.model or "").rpartition("@")[0]

    @property
    def matrix(self) -> "Vectors":
        """The stored vectors. Raise ModelError where the release has none."""
        with self._lock:
            if self._matrix is None:
                self._made_by()
                from retrieval.embedding.vectors import Vectors  # it loads numpy  # noqa: PLC0415

                self._matrix = Vectors(self._release, self._mapped)
            return self._matrix

    @cached_property
    def encoder(self) -> Encoder:
        """The model that made them. Raise ModelError where it is not on this machine."""
        return shared_encoder(model_on_disk(self._release, self._made_by()))

    def warm(self) -> None:
        """Map the vectors and load the model now rather than with the first query. Raise ModelError."""
        assert self.matrix is not None
        self.encoder.warm()

    def _made_by(self) -> str:
        """Return the id of the model that made the vectors. Raise ModelError if the release has none."""
        if self._release.model is None:
            raise ModelError(
                f"The release {self._release.name} has no vectors to search by.",
                next_step=NextStep("build_with_model"),
            )
        return self._release.model

    def _encoded(self, text: str) -> "npt.NDArray[np.float32]":
        """Return the vector (dimensions,) of a query."""
        vector: npt.NDArray[np.float32] = self.encoder.encode([text], query=True)[0]
        return vector

    def nearest(self, key: str, text: str) -> dict[int, Nearest]:
        """Return the sentence nearest to `text` of each paragraph that has vectors. Raise ModelError."""
        vectors = self.matrix
        rows = self._rows(key)
        if not rows:
            return {}
        import numpy as np  # words alone do without  # noqa: PLC0415

        first, last = rows[0][0], rows[-1][0] + 1
        similarities = vectors.similarities(self.query(text), slice(first, last))
        starts, lengths = self._passages(key)
        passages = (np.add.reduceat(similarities, starts) / lengths).tolist()
        nearest: dict[int, Nearest] = {}
        for start, end, passage in zip(starts, [*starts[1:], len(rows)], passages, strict=True):
            best = start + int(similarities[start:end].argmax())
            _, paragraph, sentence = rows[best]
            nearest[paragraph] = Nearest(float(similarities[best]), sentence, passage)
        return nearest

    def elsewhere(self, key: str, text: str) -> float | None:
        """Return the similarity of the sentence nearest to `text` in other papers; None if there are none."""
        rows = self._rows(key)
        vectors = self.matrix
        ends = (0, rows[0][0]), (rows[-1][0] + 1, len(vectors))
        others = [one for one in ends if one[0] < one[1]]
        return vectors.greatest(self.query(text), others) if others else None

    def _passages_of(self, key: str) -> "tuple[list[int], npt.NDArray[np.float32]]":
        """Return where the vectors of each paragraph begin among the paper's, and the length of their sum."""
        import numpy as np  # noqa: PLC0415

        rows = self._rows(key)
        starts = [at for at, row in enumerate(rows) if not at or row[1] != rows[at - 1][1]]
        sums = np.add.reduceat(self.matrix.at(np.array([number for number, *_ in rows])), starts)
        return starts, np.linalg.norm(sums, axis=1).clip(np.finfo(np.float32).tiny)

    def places(self, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return key, paragraph and sentence of the vectors with these numbers, in their order."""
        if not numbers:
            return []
        listed = ", ".join(map(str, numbers))
        query = f"SELECT rowid, key, paragraph, sentence FROM vectors WHERE rowid IN ({listed})"
        places = {number: tuple(place) for number, *place in self._database.select(query)}
        return [places[number] for number in numbers]

    def _rows_of(self, key: str) -> list[tuple[Any, ...]]:
        """Return the number of each of the paper's vectors in the matrix, with its paragraph and sentence."""
        query = "SELECT rowid, paragraph, sentence FROM vectors WHERE key = ? ORDER BY rowid"
        first = self._database.first_vector(key)
        return [(first + number, *place) for number, *place in self._database.select(query, [key], key)]
