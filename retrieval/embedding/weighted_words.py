"""The paragraphs nearest to a query by the weighted words of a sparse model, which are in the index of words.

A paragraph's score is the sum of products of the weights that the query and it give to the same word (Formal
et al., "SPLADE v2", 2021), as a share of what the query's own words give.
"""

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lookup.errors import ModelError
from lookup.index.release_index import EXPANDED, KEY, LEVEL, PARAGRAPH, ReleaseIndex, damage_told, level_term
from retrieval.embedding.encoder import shared_encoder
from retrieval.embedding.model import model_on_disk, unpacked

if TYPE_CHECKING:
    import tantivy

_HELD_QUERIES = 64  # Queries whose words are kept: the same query often goes to several papers.

_LEAST = 0.05
"""Weights of a query's words below this are left out: some 15 of 40 words, and a hundredth of the scores."""


class WeightedWords:
    """The weighted words of a release's paragraphs. Safe to share between threads."""

    def __init__(self, index: ReleaseIndex) -> None:
        self._index = index
        self._asked = lru_cache(_HELD_QUERIES)(self._query)

    @property
    def made_by(self) -> str | None:
        """The id of the sparse model; None for none."""
        made_by: str | None = (self._index.release.manifest.get("search") or {}).get("terms")
        return made_by

    def within(self, key: str, text: str, paragraphs: int) -> dict[int, float]:
        """Return the scores of those of the `paragraphs` of a paper that have one; none without the model."""
        found = self._best([key], text, paragraphs)
        if not found:
            return {}
        _, searcher = self._index.open()
        with damage_told(self._index.release):
            numbers = searcher.fast_field_values(PARAGRAPH, [address for _, address in found])
        return {int(number or 0): score for number, (score, _) in zip(numbers, found, strict=True)}

    def greatest(self, keys: Collection[str], text: str) -> float:
        """Return the greatest score of a paragraph of these papers; 0 without the model."""
        return max((score for score, _ in self._best(keys, text, 1)), default=0.0)

    def _best(self, keys: Collection[str], text: str, wanted: int) -> list[tuple[float, Any]]:
        """Return the scores and addresses of the `wanted` best paragraphs of these papers."""
        import tantivy  # noqa: PLC0415

        asked = self._asked(text)
        if asked is None or not keys:
            return []
        return self._index.best(self._index.limited(asked, [(tantivy.Occur.Must, KEY, keys)]), wanted)

    def _query(self, text: str) -> "tantivy.Query | None":
        """Return the query for the weighted words of a text; None where it has none."""
        import tantivy  # noqa: PLC0415

        words = self._words_of(text)
        if not words:
            return None
        schema, searcher = self._index.open()
        whole = sum(weight * weight for weight in words.values())
        query, should = tantivy.Query, tantivy.Occur.Should
        with damage_told(self._index.release):
            levels = [
                (term, weight * int(term.rpartition(".")[2]) * LEVEL / whole)
                for number, weight in words.items()
                for term, _ in searcher.terms_with_prefix(EXPANDED, level_term(number, ""), None)
            ]
        terms = [
            (should, query.const_score_query(query.term_query(schema, EXPANDED, term, "basic"), score))
            for term, score in levels
        ]
        return query.boolean_query(terms)

    def _words_of(self, text: str) -> dict[int, float]:
        if self.made_by is None:
            return {}
        try:
            (numbers,), (weights,) = unpacked(
                shared_encoder(model_on_disk(self._index.release, self.made_by)).encode([text], query=True)
            )
        except ModelError:  # words and vectors answer without
            return {}
        found = zip(numbers.tolist(), weights.tolist(), strict=True)
        return {number: weight for number, weight in found if weight >= _LEAST}
