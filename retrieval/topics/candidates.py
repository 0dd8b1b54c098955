"""The paragraphs nearest to a query in meaning, and the scores of those that a search ranks.

These are by all evidence that they answer it: docs/decisions/0030.

Here a paragraph is its row number, by which its row and its vectors are read without a search.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from lookup.index.release_index import SECTION_WORDS, TITLE_WORDS, ParagraphId
from lookup.papers.library import Held, Library
from lookup.release.checked_files import MappedFiles
from lookup.release.schema import EMBEDDED
from retrieval.embedding.sentence_vectors import Nearest
from retrieval.passages.passage_ranking import ReleaseEvidence
from retrieval.scoring.evidence import by_words, quotability, weighed
from retrieval.scoring.lexical_index import Filters, heading_weights
from retrieval.scoring.relevance import Above, heading_terms, relevance

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
    "key paragraph page page_end page_label kind section_number section_title text text_norm cursor"
).split()
"""The columns of a candidate: what ranks it, and what a hit shows. Its lines take longer to read than the
rest of the row, and few paragraphs run over their page."""


class PaperRows(NamedTuple):
    """The row of a paper's title as printed, and that title, folded; None where it prints none.

    `known_as` is the title in its metadata.
    """

    title_row: int | None
    title: str | None
    known_as: str | None


class ParagraphRows(ReleaseEvidence):
    """Which rows and vectors belong together in a release. Safe to share between threads."""

    def __init__(self, library: Library, mapped: MappedFiles | None) -> None:
        super().__init__(library, mapped)
        self._stems = Held[int, str](_HELD_CANDIDATES)
        self._papers = Held[str, PaperRows](_HELD_PAPERS)
        self._candidates = Held[int, Mapping[str, Any]](_HELD_CANDIDATES)

    def papers(self, keys: Collection[str]) -> dict[str, PaperRows]:
        """Return the titles of these papers."""

        def read(missing: Sequence[str]) -> dict[str, PaperRows]:
            # Plain statements: with a join and groups DuckDB takes 19 ms of 200,000 paragraphs, not 3.
            titles = "SELECT key, row_number, text_norm FROM printed_paragraphs"
            printed = sorted(self.library.keyed(titles, missing, "AND kind = 'title'"), reverse=True)
            first = {key: (row, title) for key, row, title in printed}
            names = self.library.keyed("SELECT key, title FROM papers", missing)
            return {key: PaperRows(*first.get(key, (None, None)), name) for key, name in names}

        return self._papers.all(keys, read)

    def rows_of(self, places: Sequence[ParagraphId]) -> list[int]:
        """Return the rows of these paragraphs, in their order."""
        rows = {place: row for row, place in self.library.row_numbers(places).items()}
        return [rows[place] for place in places]

    @cached_property
    def of_vectors(self) -> "Numbers":
        """The row of each vector, ascending."""
        import numpy as np  # noqa: PLC0415

        query = (
            "SELECT row_number, count(*) AS vectors FROM vectors JOIN printed_paragraphs "
            "USING (key, paragraph) GROUP BY row_number ORDER BY row_number"
        )
        rows, counts = self.library.database.columns(query)
        return np.repeat(rows.astype(np.intp), counts)

    def nearest(self, vector: "Values", filters: Filters, limit: int) -> dict[int, Nearest]:
        """Return the `limit` paragraphs with the sentences nearest to `vector`; raise ModelError."""
        found: dict[int, Nearest] = {}
        ranges = vector_ranges(self.library, filters)
        for numbers, similarities in self.vectors.matrix.nearest(vector, ranges):
            rows = self.of_vectors[numbers]
            sentences = numbers - self.of_vectors.searchsorted(rows)
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

        starts = self.of_vectors.searchsorted(rows).tolist()
        ends = self.of_vectors.searchsorted(rows, side="right").tolist()
        numbers = np.concatenate([np.empty(0, np.intp), *map(np.arange, starts, ends)])
        stored = self.vectors.matrix.at(numbers)
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

    def candidates(self, rows: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        """Return the columns of each of these candidates but for its lines, by key.

        The last bits of products of vectors depend on the order in which these are multiplied.
        """
        found = self._candidates.all(rows, lambda missing: self.columns(missing, _CANDIDATE))
        return {row: found[row] for row in sorted(rows, key=lambda row: (found[row]["key"], row))}

    def stems_of(self, read: Mapping[int, Mapping[str, Any]]) -> list[str]:
        """Return the stems of each of these candidates, in their order, as the index of words holds them."""

        def stems(rows: Sequence[int]) -> dict[int, str]:
            places = {ParagraphId(read[row]["key"], read[row]["paragraph"]): row for row in rows}
            return {places[place]: held for place, held in self.lexical.stems(places).items()}

        found = self._stems.all(read, stems)
        return [found[row] for row in read]

    def columns(self, rows: Iterable[int], columns: Sequence[str]) -> dict[int, Mapping[str, Any]]:
        """Return these columns of each of these paragraphs."""
        read = self.library.numbered(f"row_number, {', '.join(columns)}", rows)
        return {row: dict(zip(columns, values, strict=True)) for row, *values in read}


def vector_ranges(library: Library, filters: Filters) -> list[tuple[int, int]] | None:
    """Return the numbers of the vectors that the filters leave, as ranges; None where they leave all."""
    if not filters:
        return None
    alone = filters.sections is None and (filters.kinds is None or set(EMBEDDED) <= set(filters.kinds))
    of_rows = (("kind IN", filters.kinds), ("section_title IN", filters.sections))
    where, params = ["true"], list[Any]()
    for within, values in (
        ("key IN", filters.keys),
        ("key NOT IN", filters.without or None),
        *(() if alone else of_rows),
    ):
        if values is not None:
            where.append(f"{within} ({', '.join('?' * len(values)) or 'NULL'})")
            params += values
    if alone:
        rows = (
            "SELECT min(rowid), max(rowid) + 1 FROM vectors "
            f"WHERE {' AND '.join(where)} GROUP BY key ORDER BY 1"
        )
        return [(first, last) for first, last in library.select(rows, params)]
    rows = (
        "SELECT vectors.rowid FROM vectors JOIN printed_paragraphs USING (key, paragraph) "
        f"WHERE {' AND '.join(where)} ORDER BY 1"
    )
    numbers = [number for (number,) in library.select(rows, params)]
    ends = [(one + 1, two) for one, two in pairwise(numbers) if two > one + 1]
    starts = [*numbers[:1], *(start for _, start in ends)]
    return list(zip(starts, [*(end for end, _ in ends), *(one + 1 for one in numbers[-1:])], strict=True))


TOGETHER, BM25 = 0.75, 1.05
"""What a standard deviation of each kind of evidence by words weighs: of terms near each other, and of the
paragraph under its headings; both once more times what `by_words` says."""

SENTENCE, PASSAGE, LIKENESS = 0.7, 0.7, 0.5
"""The same by meaning: of the nearest sentence, of the paragraph under its title, and of the likeness to the
candidates that the other kinds put first (Rocchio, "Relevance feedback in information retrieval", 1971)."""

FIRST = 2  # Candidates that are taken to be right, for the likeness to them.


def scores(
    rows: ParagraphRows,
    read: Mapping[int, Mapping[str, Any]],
    asked: Collection[str],
    filters: Filters,
    vector: "Values | None",
) -> tuple[list[float], list[float], Sequence[Nearest | None]]:
    """Return the score of each candidate, its strength, and its nearest sentence, where it has vectors.

    The score, from 0 to 1, is for the order, since it depends on the other candidates. The strength is what
    the words that stand together and the nearest sentence say alone; without vectors it is the score.
    `read` are the candidates by row, as ParagraphRows has them; `vector` is the query's, None for words
    alone. Raise ModelError.
    """
    weights = heading_weights(filters)
    papers = rows.papers({one["key"] for one in read.values()})
    above = [_above(papers[one["key"]].title, one, weights) for one in read.values()]
    words = relevance(rows.stems_of(read), asked, rows.lexical.statistics(asked, filters), above)
    kinds = [quotability(one["kind"], one["text_norm"]) for one in read.values()]
    evidence = by_words(words, TOGETHER, BM25)
    if vector is None:
        found = weighed(evidence, kinds)
        # What has the words in the headings above it alone comes after what has one itself.
        least = min((score for score, one in zip(found, words, strict=True) if one.mass), default=1.0)
        found = [score if one.mass else least * score for score, one in zip(found, words, strict=True)]
        return found, found, [None] * len(read)
    from retrieval.embedding.signs import products, unit_length  # by words no numpy is loaded  # noqa: PLC0415

    titles = [papers[one["key"]].title_row for one in read.values()]
    nearest, passages = _under_titles(rows, list(read), titles, vector)
    far = min((one.similarity for one in nearest if one), default=0.0)  # what has no vectors is the farthest
    similar = [max(0.0, one.similarity if one else far) for one in nearest]
    evidence.append((SENTENCE, similar))
    evidence.append((PASSAGE, products(passages, vector).clip(0).tolist()))
    first = sorted(range(len(read)), key=dict(enumerate(weighed(evidence, kinds))).__getitem__)[-FIRST:]
    likeness = products(passages, unit_length(passages[first].sum(axis=0)))
    evidence.append((LIKENESS, likeness.clip(0).tolist()))
    strengths = [one.mass + similarity for one, similarity in zip(words, similar, strict=True)]
    return weighed(evidence, kinds), strengths, nearest


def _above(title: str | None, one: Mapping[str, Any], weights: Mapping[str, float]) -> Above:
    """Return the headings above a candidate, each with its weight."""
    headings = zip(
        (TITLE_WORDS, SECTION_WORDS), heading_terms(title, one["kind"], one["section_title"]), strict=True
    )
    return [(found, weights[field]) for field, found in headings if field in weights]


def _under_titles(
    rows: ParagraphRows, wanted: Sequence[int], titles: Sequence[int | None], vector: "Values"
) -> "tuple[Sequence[Nearest | None], Values]":
    """Return the nearest sentences of paragraphs, and their vectors with those of their titles."""
    from retrieval.embedding.signs import unit_length  # noqa: PLC0415

    every = list(dict.fromkeys([*wanted, *(title for title in titles if title is not None)]))
    nearest, vectors = rows.passages(every, vector)
    at = {row: i for i, row in enumerate(every)}
    passages = vectors[: len(wanted)].copy()
    for i, title in enumerate(titles):
        if title is not None and title != wanted[i]:
            passages[i] += vectors[at[title]]
    return nearest[: len(wanted)], unit_length(passages)
