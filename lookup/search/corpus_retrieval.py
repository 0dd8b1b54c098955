"""The calls of a corpus that search across its papers, by words and by meaning.

What they need is loaded by the first of them: a quote does without.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lookup.papers.reader import Reader

if TYPE_CHECKING:
    from lookup.results.search_answer import Mode, RetrievalAnswer
    from lookup.search.filters import Years

PER_PAPER = 3
"""Hits of one paper, at most, if the caller does not say."""


class CorpusRetrieval:
    """What `Corpus` searches for across papers."""

    _reader: Reader

    def search(
        self,
        query: str,
        n: int = 10,
        mode: "Mode" = "hybrid",
        keys: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        years: "Years | None" = None,
        authors: Iterable[str] | None = None,
        section: str | None = None,
        per_paper: int = PER_PAPER,
    ) -> "RetrievalAnswer":
        """The `n` paragraphs of all papers that answer `query` best, each with the sentences of it that do.

        By words and meaning ("hybrid"), by words ("lexical") or by meaning ("semantic"); where there are no vectors or no model, by words,
        which `mode` and `hint` of the answer say. Only in papers with these `keys`, of these `years` (one, or the first and the last) and by
        one of these `authors` (or part of a name); only paragraphs of these `kinds` (default: all but references and furniture), in
        sections whose title holds `section`. At most `per_paper` are of one paper (0: any number), unless the filters leave only one.

        Raises QueryError, UnknownKeyError, or SearchError where the release has no index of words, or tantivy is not installed.
        """
        from lookup.search.filters import resolve
        from lookup.search.ranked_search import search

        reader = self._reader
        filters = resolve(reader, keys, kinds, years, authors, section)
        return search(reader, query, n, mode, filters, per_paper)

    def similar(
        self,
        key: str,
        paragraph: int,
        n: int = 10,
        keys: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        years: "Years | None" = None,
        authors: Iterable[str] | None = None,
        section: str | None = None,
        per_paper: int = PER_PAPER,
    ) -> "RetrievalAnswer":
        """The `n` paragraphs of other papers nearest in meaning to this one; the filters are those of `search`.

        Raises QueryError, UnknownKeyError, or ModelError where the release has no vectors. No model is needed.
        """
        from lookup.search.filters import resolve
        from lookup.search.lexical_index import Place
        from lookup.search.ranked_search import similar

        reader = self._reader
        filters = resolve(reader, keys, kinds, years, authors, section)
        return similar(reader, Place(key, paragraph), n, filters, per_paper)

    async def asearch(
        self,
        query: str,
        n: int = 10,
        mode: "Mode" = "hybrid",
        keys: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        years: "Years | None" = None,
        authors: Iterable[str] | None = None,
        section: str | None = None,
        per_paper: int = PER_PAPER,
    ) -> "RetrievalAnswer":
        """`search`, in a thread of its own: many at once from asyncio."""
        import asyncio

        return await asyncio.to_thread(
            self.search, query, n, mode, keys, kinds, years, authors, section, per_paper
        )
