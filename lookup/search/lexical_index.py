"""Find the paragraphs that hold most of a query's terms, by BM25, in the index of words."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from lookup.index.layout import ASIDE_WORDS, KEY, KIND, PARAGRAPH, SECTION, WORDS, words_field
from lookup.index.release_index import ParagraphId, ReleaseIndex, damage_told
from lookup.text.relevance import Statistics

if TYPE_CHECKING:
    from lookup.search.filters import Filters


class LexicalIndex:
    """The stems of all paragraphs, in the index of words of a release. Safe to share between threads."""

    def __init__(self, index: ReleaseIndex) -> None:
        self.index = index

    def find(self, terms: Collection[str], limit: int, filters: "Filters") -> list[ParagraphId]:
        """Return the `limit` paragraphs with the highest BM25 for `terms`, best first.

        Raise SearchError or DamagedError.
        """
        schema, searcher = self.index.open()
        import tantivy  # noqa: PLC0415

        query, should, must = tantivy.Query, tantivy.Occur.Should, tantivy.Occur.Must
        fields = _fields(filters.kinds)
        asked = query.boolean_query(
            [(should, query.term_query(schema, field, term, "freq")) for field in fields for term in terms]
        )
        limits = [
            (must, query.const_score_query(query.term_set_query(schema, field, list(values)), 0.0))
            for field, values in ((KEY, filters.keys), (KIND, filters.kinds), (SECTION, filters.sections))
            if values is not None
        ]
        if filters.without:
            limits.append((tantivy.Occur.MustNot, query.term_set_query(schema, KEY, list(filters.without))))
        if limits:  # without limits, tantivy skips documents that cannot come first
            asked = query.boolean_query([(must, asked), *limits])
        with damage_told(self.index.release):
            found = searcher.search(asked, limit, count=False).hits
            documents = [searcher.doc(address) for _, address in found]
        return [ParagraphId(document[KEY][0], document[PARAGRAPH][0]) for document in documents]

    def statistics(self, terms: Collection[str], kinds: Collection[str] | None) -> Statistics:
        """Return the number of paragraphs of these kinds that hold each term, and of all.

        Raise SearchError or DamagedError.
        Deleted paragraphs that are still in the index count among those that hold a term.
        """
        _, searcher = self.index.open()
        counts = self.index.release.manifest["search"]
        fields = _fields(kinds)
        texts = sum(counts[_PARAGRAPHS_OF[field]] for field in fields)
        with damage_told(self.index.release):
            holding = {term: sum(searcher.doc_freq(field, term) for field in fields) for term in terms}
        mean = sum(counts[field] for field in fields) / max(1, texts)
        return Statistics(max([texts, *holding.values()]), max(1.0, mean), holding)


_PARAGRAPHS_OF = {WORDS: "paragraphs", ASIDE_WORDS: "aside_paragraphs"}


def _fields(kinds: Collection[str] | None) -> Sequence[str]:
    """Return the fields that hold the words of these kinds."""
    return (WORDS,) if kinds is None else sorted({words_field(kind) for kind in kinds})
