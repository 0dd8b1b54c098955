"""Where the papers of a release print words and phrases, by the index of words.

Words stand in the index without case and accents, so a paragraph that is named here may print them otherwise:
callers look. One that is not named does not print them.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import tantivy

from lookup.index.release_index import (
    ASIDE,
    KEY,
    KIND,
    PARAGRAPH,
    PRINTED,
    ParagraphId,
    ReleaseIndex,
    damage_told,
)

_MOST_PAPERS = 60_000
"""Papers of which the index makes a list, at most: it counts in no more than 65,000 classes."""


class MatchCounts(NamedTuple):
    """How many paragraphs, and of how many papers, print something."""

    paragraphs: int
    papers: int


class PrintedWords:
    """The words of all paragraphs in their order. Safe to share between threads.

    Each call raises SearchError or DamagedError where the index cannot be read.
    """

    def __init__(self, index: ReleaseIndex) -> None:
        self._index = index

    def phrase(self, words: Sequence[str], without: int | None = None) -> tantivy.Query:
        """Return a query for the words side by side, with any word for the one at `without`."""
        schema, _ = self._index.open()
        placed = [(at, word) for at, word in enumerate(words) if at != without]
        if len(placed) == 1:
            return tantivy.Query.term_query(schema, PRINTED, placed[0][1], "position")
        first = placed[0][0]
        return tantivy.Query.phrase_query(schema, PRINTED, [(at - first, word) for at, word in placed])

    def count(self, query: tantivy.Query, keys: Collection[str] | None = None) -> int:
        """Return how many paragraphs the query names, in the papers with these keys (None: all)."""
        return self._index.counted(self._of(query, keys))

    def held(self, query: tantivy.Query, keys: Collection[str] | None = None) -> MatchCounts:
        """Return how many paragraphs the query names, and of about how many papers."""
        asked = self._of(query, keys)
        return MatchCounts(self._index.counted(asked), self._index.counted(asked, "cardinality", KEY))

    def papers(
        self, query: tantivy.Query, keys: Collection[str] | None = None, limit: int = _MOST_PAPERS
    ) -> dict[str, int]:
        """Return the first `limit` papers by key, with the number of paragraphs that the query names."""
        classes = {"field": KEY, "size": min(limit, _MOST_PAPERS), "order": {"_key": "asc"}}
        found = self._index.aggregated(self._of(query, keys), {"terms": classes})
        return {one["key"]: one["doc_count"] for one in found["buckets"]}

    def in_order(
        self,
        query: tantivy.Query,
        keys: Collection[str] | None,
        at_once: int,
        *,
        aside: bool | None = None,
    ) -> Iterator[list[ParagraphId]]:
        """Yield the paragraphs that the query names, by key and number: `at_once`, then twice as many.

        Each lot is collected with all before it, so that lots of one size would take quadratic time.

        With `aside`, only those that a search shows last (True), or the others (False).
        """
        _, searcher = self._index.open()
        asked = self._of(query, keys, aside=aside)
        done = 0
        while True:
            with damage_told(self._index.release):
                hits = searcher.search(
                    asked, at_once, count=False, order_by_field=KEY, offset=done, order=tantivy.Order.Asc
                ).hits
                numbers = searcher.fast_field_values(PARAGRAPH, [address for _, address in hits])
            found = [
                ParagraphId(key, int(number or 0)) for (key, _), number in zip(hits, numbers, strict=True)
            ]
            ended = len(found) < at_once
            if not ended:  # those of the last paper are not all here
                found = [one for one in found if one.key != found[-1].key]
            if found or ended:
                yield sorted(found)
            if ended:
                return
            done += len(found)
            at_once *= 2

    def ranked(
        self,
        query: tantivy.Query,
        keys: Collection[str] | None,
        limit: int,
        *,
        aside: bool | None = None,
    ) -> list[ParagraphId]:
        """Return the `limit` paragraphs that the query names and scores highest; `aside` as in `in_order`."""
        hits = self._index.best(self._of(query, keys, aside=aside), limit)
        return [place for place, _ in self._index.documents(address for _, address in hits)]

    def _of(
        self, query: tantivy.Query, keys: Collection[str] | None, *, aside: bool | None = None
    ) -> tantivy.Query:
        """Return the query for papers with these keys (None: all) and one half of the paragraphs, or both."""
        occur = tantivy.Occur.Must if aside else tantivy.Occur.MustNot
        limits = ((tantivy.Occur.Must, KEY, keys), (occur, KIND, None if aside is None else ASIDE))
        return self._index.limited(query, limits)


def all_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    """Return a query for what all of the queries name."""
    return _several(queries, tantivy.Occur.Must)


def any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    """Return a query for what one of the queries names."""
    return _several(queries, tantivy.Occur.Should)


def _several(queries: Sequence[tantivy.Query], occur: tantivy.Occur) -> tantivy.Query:
    return queries[0] if len(queries) == 1 else tantivy.Query.boolean_query([(occur, one) for one in queries])
