"""The vectors of a release's sentences: which sentences of a paper are nearest in meaning to a text."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lookup.release.checked_files import MappedFiles
from lookup.release.database import Database
from retrieval.embedding.meaning import Meaning

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_HELD_PAPERS = 8  # Papers for which the places of all vectors are kept.


class Nearest(NamedTuple):
    """The sentence of a paragraph that is nearest to a query: its similarity, and its number.

    `passage` is the similarity of the paragraph, whose vector is the sum of its sentences', where it is told.
    """

    similarity: float
    sentence: int
    passage: float = 0.0


class SentenceVectors:
    """Sentences of a release, compared by meaning. Safe to share between threads."""

    def __init__(self, database: Database, mapped: MappedFiles | None) -> None:
        self.meaning = Meaning(database.release, mapped)
        self._database = database
        self._rows = lru_cache(_HELD_PAPERS)(self._rows_of)
        self._passages = lru_cache(_HELD_PAPERS)(self._passages_of)

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
        import numpy as np  # words alone do without  # noqa: PLC0415

        first, last = rows[0][0], rows[-1][0] + 1
        similarities = vectors.similarities(self.meaning.query(text), slice(first, last))
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
        vectors = self.meaning.vectors
        ends = (0, rows[0][0]), (rows[-1][0] + 1, len(vectors))
        others = [one for one in ends if one[0] < one[1]]
        return vectors.greatest(self.meaning.query(text), others) if others else None

    def _passages_of(self, key: str) -> "tuple[list[int], npt.NDArray[np.float32]]":
        """Return where the vectors of each paragraph begin among the paper's, and the length of their sum."""
        import numpy as np  # noqa: PLC0415

        rows = self._rows(key)
        starts = [at for at, row in enumerate(rows) if not at or row[1] != rows[at - 1][1]]
        sums = np.add.reduceat(self.meaning.vectors.at(np.array([number for number, *_ in rows])), starts)
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
