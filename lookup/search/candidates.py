"""The paragraphs nearest to a query in meaning, and what is read of the paragraphs that a search ranks."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lookup.embedding.sentence_vectors import Nearest, SentenceVectors
from lookup.papers.library import Library
from lookup.release.schema import EMBEDDED
from lookup.search.filters import Filters
from lookup.search.lexical_index import ParagraphId

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def nearest_paragraphs(
    library: Library,
    vectors: SentenceVectors,
    vector: "npt.NDArray[np.float32]",
    filters: Filters,
    limit: int,
) -> dict[ParagraphId, Nearest]:
    """Return the `limit` paragraphs with the sentences nearest to `vector`, in order; raise ModelError."""
    found: dict[ParagraphId, Nearest] = {}
    ranges = vector_ranges(library, filters)
    for numbers, similarities in vectors.meaning.vectors.nearest(vector, ranges):
        sentences = _sentences(library, f"WHERE vectors.rowid IN ({', '.join(map(str, numbers.tolist()))})")
        for number, similarity in zip(numbers.tolist(), similarities.tolist(), strict=True):
            place, sentence = sentences[number]
            found.setdefault(place, Nearest(similarity, sentence))
            if len(found) == limit:
                return found
    return found


def vector_ranges(library: Library, filters: Filters) -> list[tuple[int, int]] | None:
    """Return the numbers of the vectors that the filters leave, as ranges; None where they leave all."""
    if not filters:
        return None
    where: list[str] = ["true"]
    params: list[Any] = []
    if filters.keys is not None:
        where.append(f"key IN ({', '.join('?' * len(filters.keys)) or 'NULL'})")
        params += filters.keys
    if filters.sections is None and (filters.kinds is None or set(EMBEDDED) <= set(filters.kinds)):
        rows = (
            "SELECT min(rowid), max(rowid) + 1 FROM vectors "
            f"WHERE {' AND '.join(where)} GROUP BY key ORDER BY 1"
        )
        return [(first, last) for first, last in library.select(rows, params)]
    for column, values in (("kind", filters.kinds), ("section_title", filters.sections)):
        if values is not None:
            where.append(f"{column} IN ({', '.join('?' * len(values)) or 'NULL'})")
            params += values
    rows = (
        "SELECT vectors.rowid FROM vectors JOIN printed_paragraphs USING (key, paragraph) "
        f"WHERE {' AND '.join(where)} ORDER BY 1"
    )
    return _runs([number for (number,) in library.select(rows, params)])


def nearest_sentences(
    library: Library,
    vectors: SentenceVectors,
    vector: "npt.NDArray[np.float32]",
    places: Collection[ParagraphId],
) -> dict[ParagraphId, Nearest]:
    """Return the nearest sentence of each of these paragraphs that has vectors; raise ModelError."""
    sentences = _sentences(library, _joined(places)) if places else {}
    numbers = sorted(sentences)
    similarities = vectors.meaning.vectors.similarities(vector, numbers).tolist() if numbers else []
    found: dict[ParagraphId, Nearest] = {}
    for number, similarity in zip(numbers, similarities, strict=True):
        place, sentence = sentences[number]
        if place not in found or similarity > found[place].similarity:
            found[place] = Nearest(similarity, sentence)
    return found


def vectors_of(library: Library, places: Collection[ParagraphId]) -> dict[ParagraphId, list[int]]:
    """Return the numbers of the vectors of each of these paragraphs that has any."""
    found: dict[ParagraphId, list[int]] = {}
    if not places:
        return found
    for number, (place, _) in sorted(_sentences(library, _joined(places)).items()):
        found.setdefault(place, []).append(number)
    return found


def paragraph_rows(
    library: Library, places: Collection[ParagraphId], columns: Sequence[str]
) -> dict[ParagraphId, Mapping[str, Any]]:
    """Return these columns of each of these paragraphs."""
    if not places:
        return {}
    query = f"SELECT key, paragraph, {', '.join(columns)} FROM printed_paragraphs {_joined(places)}"
    return {
        ParagraphId(key, paragraph): dict(zip(columns, row, strict=True))
        for key, paragraph, *row in library.select(query)
    }


def _joined(places: Iterable[ParagraphId]) -> str:
    """Return the end of a statement that leaves the rows of these paragraphs.

    It is nine times as fast as a condition that names each.
    """
    listed = ", ".join(f"({_literal(key)}, {paragraph})" for key, paragraph in places)
    return f"JOIN (VALUES {listed}) these(key, paragraph) USING (key, paragraph)"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _sentences(library: Library, which: str) -> Mapping[int, tuple[ParagraphId, int]]:
    """Return paragraph and sentence of each vector that `which`, the end of a statement, leaves."""
    rows = library.select(f"SELECT vectors.rowid, key, paragraph, sentence FROM vectors {which}")
    return {number: (ParagraphId(key, paragraph), sentence) for number, key, paragraph, sentence in rows}


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as ranges."""
    if not numbers:
        return []
    ends = [(one + 1, two) for one, two in pairwise(numbers) if two > one + 1]
    starts = [numbers[0], *(start for _, start in ends)]
    return list(zip(starts, [*(end for end, _ in ends), numbers[-1] + 1], strict=True))
