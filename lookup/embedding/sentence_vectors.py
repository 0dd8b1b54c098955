"""The vectors of a release's sentences: which sentences of a paper are nearest in meaning to a text."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from lookup.embedding.meaning import Meaning
from lookup.release.database import Database
from lookup.release.mapped_vectors import MappedFiles

_HELD_PAPERS = 8
"""Papers for which the places of all vectors are kept."""


class Nearest(NamedTuple):
    """The sentence of a paragraph that is nearest to a query: its similarity, and its number."""

    similarity: float
    sentence: int


class SentenceVectors:
    """Sentences of a release, compared by meaning. Safe to share between threads."""

    def __init__(self, database: Database, mapped: MappedFiles | None) -> None:
        self.meaning = Meaning(database.release, mapped)
        self._database = database
        self._rows = lru_cache(_HELD_PAPERS)(self._rows_of)

    @property
    def made_by(self) -> str:
        """The name of the model, without its hash; "" for none."""
        return (self._database.release.model or "").rpartition("@")[0]

    def nearest(self, key: str, text: str) -> dict[int, Nearest]:
        """Return the sentence nearest to `text` of each paragraph that has vectors. Raise ModelError."""
        vectors = self.meaning.vectors
        rows = self._rows(key)
        if not rows:
            return {}
        first, last = rows[0][0], rows[-1][0] + 1
        similarities = vectors.similarities(self.meaning.query(text), slice(first, last)).tolist()
        nearest: dict[int, Nearest] = {}
        for (_, paragraph, sentence), similarity in zip(rows, similarities, strict=True):
            if paragraph not in nearest or similarity > nearest[paragraph].similarity:
                nearest[paragraph] = Nearest(similarity, sentence)
        return nearest

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
