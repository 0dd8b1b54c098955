"""The paragraphs nearest to a query in meaning, and what is read of the paragraphs that a search ranks.

Here a paragraph is its row number, by which its row and its vectors are read without a search.
"""

import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache

from lookup.index.release_index import ParagraphId
from lookup.papers.library import Library
from lookup.release.schema import EMBEDDED
from retrieval.embedding.sentence_vectors import Nearest
from retrieval.passages.release_evidence import ReleaseEvidence
from retrieval.scoring.lexical_index import Filters
from retrieval.scoring.relevance import stems_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.intp]
    Values = npt.NDArray[np.float32]

_HELD_PAPERS = 20_000  # Papers whose place in the release is kept: some 10 MiB.

_HELD_CANDIDATES = 8192
"""Paragraphs that were candidates and are kept: some 20 MiB. Searches one after the other rank the same ones,
and to read a hundred takes 2 ms."""

_CANDIDATE = (
    "key",
    "paragraph",
    "page",
    "page_end",
    "page_label",
    "kind",
    "section_number",
    "section_title",
    "text",
    "text_norm",
    "cursor",
)
"""The columns of a candidate: what ranks it, and what a hit shows. Its lines are read where they are needed:
that takes longer than the rest of the row, and few paragraphs run over their page."""


class PaperRows(NamedTuple):
    """The row of a paper's title as printed, and that title, folded; None where it prints none.

    `known_as` is the title in its metadata.
    """

    title_row: int | None
    title: str | None
    known_as: str | None


class ParagraphRows:
    """Which rows and vectors belong together in a release. Safe to share between threads."""

    def __init__(self, here: ReleaseEvidence) -> None:
        self.library, self.expanded = here.library, here.expanded
        self.vectors, self.lexical = here.vectors, here.lexical
        self._stems = LRUCache[int, str](_HELD_CANDIDATES)
        self._lock = threading.Lock()
        self._papers = LRUCache[str, PaperRows](_HELD_PAPERS)
        self._candidates = LRUCache[int, Mapping[str, Any]](_HELD_CANDIDATES)
        self._of_vectors: Numbers | None = None

    def papers(self, keys: Collection[str]) -> dict[str, PaperRows]:
        """Return the titles of these papers."""
        with self._lock:
            found = {key: self._papers[key] for key in keys if key in self._papers}
        missing = [key for key in keys if key not in found]
        if missing:
            # Plain statements: with a join and groups DuckDB takes 19 ms of 200,000 paragraphs, not 3.
            titles = "SELECT key, row_number, text_norm FROM printed_paragraphs"
            printed = sorted(self.library.keyed(titles, missing, "AND kind = 'title'"), reverse=True)
            first = {key: (row, title) for key, row, title in printed}
            names = self.library.keyed("SELECT key, title FROM papers", missing)
            read = {key: PaperRows(*first.get(key, (None, None)), name) for key, name in names}
            with self._lock:
                self._papers.update(read)
            found |= read
        return found

    def rows_of(self, places: Sequence[ParagraphId]) -> list[int]:
        """Return the rows of these paragraphs, in their order."""
        rows = {place: row for row, place in self.library.row_numbers(places).items()}
        return [rows[place] for place in places]

    def of_vectors(self) -> "Numbers":
        """Return the row of each vector, ascending. They are read once, with the first search by meaning."""
        import numpy as np  # noqa: PLC0415

        with self._lock:
            if self._of_vectors is None:
                query = (
                    "SELECT row_number, count(*) AS vectors FROM vectors JOIN printed_paragraphs "
                    "USING (key, paragraph) GROUP BY row_number ORDER BY row_number"
                )
                rows, counts = self.library.database.columns(query)
                self._of_vectors = np.repeat(rows.astype(np.intp), counts)
            return self._of_vectors

    def nearest(self, vector: "Values", filters: Filters, limit: int) -> dict[int, Nearest]:
        """Return the `limit` paragraphs with the sentences nearest to `vector`; raise ModelError."""
        of_vectors = self.of_vectors()
        found: dict[int, Nearest] = {}
        ranges = vector_ranges(self.library, filters)
        for numbers, similarities in self.vectors.meaning.vectors.nearest(vector, ranges):
            rows = of_vectors[numbers]
            sentences = numbers - of_vectors.searchsorted(rows)
            for row, sentence, similarity in zip(
                rows.tolist(), sentences.tolist(), similarities.tolist(), strict=True
            ):
                found.setdefault(row, Nearest(similarity, sentence))
                if len(found) == limit:
                    return found
        return found

    def passages(self, rows: Sequence[int], vector: "Values") -> "tuple[list[Nearest | None], Values]":
        """Return, of each of these paragraphs, the sentence nearest to `vector`, and its own vector.

        That is the sum of its sentences', scaled to length 1. A paragraph without vectors has None, and 0.
        Raise ModelError.
        """
        import numpy as np  # noqa: PLC0415

        from retrieval.embedding.signs import products, unit_length  # noqa: PLC0415

        of_vectors = self.of_vectors()
        starts = of_vectors.searchsorted(rows).tolist()
        ends = of_vectors.searchsorted(rows, side="right").tolist()
        numbers = np.concatenate([np.empty(0, np.intp), *map(np.arange, starts, ends)])
        stored = self.vectors.meaning.vectors.at(numbers)
        passages = np.zeros((len(rows), stored.shape[1]), np.float32)
        nearest: list[Nearest | None] = [None] * len(rows)
        at = 0
        for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
            if start == end:
                continue
            here = stored[at : at + end - start]
            at += end - start
            passages[i] = here.sum(axis=0)
            similarities = products(here, vector)
            best = int(similarities.argmax())
            nearest[i] = Nearest(float(similarities[best]), best)
        return nearest, unit_length(passages)

    def passage(self, row: int) -> "Values | None":
        """Return the vector of a paragraph; None where it has none. Raise ModelError."""
        import numpy as np  # noqa: PLC0415

        nothing = np.zeros(self.vectors.meaning.vectors.dimensions, np.float32)
        (nearest,), (vector,) = self.passages([row], nothing)
        return None if nearest is None else vector

    def candidates(self, rows: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        """Return the columns of each of these candidates but for its lines, by key.

        The last bits of products of vectors depend on the order in which these are multiplied.
        """
        with self._lock:
            found = {row: self._candidates[row] for row in rows if row in self._candidates}
        read = self.columns([row for row in rows if row not in found], _CANDIDATE)
        with self._lock:
            self._candidates.update(read)
        found |= read
        return {row: found[row] for row in sorted(rows, key=lambda row: (found[row]["key"], row))}

    def stems(self, read: Mapping[int, Mapping[str, Any]]) -> list[str]:
        """Return the stems of each of these candidates, in their order, as the index of words holds them."""
        with self._lock:
            found = {row: self._stems[row] for row in read if row in self._stems}
        missing = {
            ParagraphId(one["key"], one["paragraph"]): row for row, one in read.items() if row not in found
        }
        made = {missing[place]: stems for place, stems in self.lexical.stems(missing).items()}
        for row in set(missing.values()) - set(made):  # an index of an earlier version
            made[row] = stems_of(read[row]["text_norm"])
        with self._lock:
            self._stems.update(made)
        found |= made
        return [found[row] for row in read]

    def columns(self, rows: Iterable[int], columns: Sequence[str]) -> dict[int, Mapping[str, Any]]:
        """Return these columns of each of these paragraphs."""
        read = self.library.numbered(f"row_number, {', '.join(columns)}", rows)
        return {row: dict(zip(columns, values, strict=True)) for row, *values in read}


def vector_ranges(library: Library, filters: Filters) -> list[tuple[int, int]] | None:
    """Return the numbers of the vectors that the filters leave, as ranges; None where they leave all."""
    if not filters:
        return None
    where: list[str] = ["true"]
    params: list[Any] = []
    if filters.keys is not None:
        where.append(f"key IN ({', '.join('?' * len(filters.keys)) or 'NULL'})")
        params += filters.keys
    if filters.without:
        where.append(f"key NOT IN ({', '.join('?' * len(filters.without))})")
        params += filters.without
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


def _runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as ranges."""
    if not numbers:
        return []
    ends = [(one + 1, two) for one, two in pairwise(numbers) if two > one + 1]
    starts = [numbers[0], *(start for _, start in ends)]
    return list(zip(starts, [*(end for end, _ in ends), numbers[-1] + 1], strict=True))
