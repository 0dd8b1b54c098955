"""Find the paragraphs that hold most of a query's terms, by BM25, in the index of words."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from lookup.index.layout import (
    ASIDE_WORDS,
    KEY,
    KIND,
    PARAGRAPH,
    SECTION,
    SECTION_WORDS,
    TITLE_WORDS,
    WORDS,
    words_field,
)
from lookup.index.printed_words import any_of
from lookup.index.release_index import Limit, ParagraphId, ReleaseIndex, damage_told
from lookup.text.relevance import Statistics

if TYPE_CHECKING:
    import tantivy

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

        query = tantivy.Query
        fields = dict.fromkeys(_fields(filters.kinds), 1.0)
        if WORDS in fields:
            fields |= heading_weights(filters)
        words = [
            (tantivy.Occur.Should, query.boost_query(query.term_query(schema, field, term, "freq"), weight))
            for field, weight in fields.items()
            for term in terms
        ]
        asked = self.index.limited(query.boolean_query(words), limits(filters))
        with damage_told(self.index.release):
            found = searcher.search(asked, limit, count=False).hits
        return self.index.places([address for _, address in found])

    def statistics(self, terms: Collection[str], filters: "Filters") -> Statistics:
        """Return the number of paragraphs that the filters leave and that hold each term, and of all of them.

        Raise SearchError or DamagedError.
        Deleted paragraphs that are still in the index count among those that hold a term, without filters.
        """
        schema, searcher = self.index.open()
        counts = self.index.release.manifest["search"]
        fields = _fields(filters.kinds)
        texts = sum(counts[_PARAGRAPHS_OF[field]] for field in fields)
        mean = sum(counts[field] for field in fields) / max(1, texts)
        limited = limits(filters)

        def holding_all(query: "tantivy.Query") -> int:
            return self.index.counted(
                self.index.limited(query, limited), {"value_count": {"field": PARAGRAPH}}
            )

        with damage_told(self.index.release):
            if filters:
                import tantivy  # noqa: PLC0415

                texts = holding_all(tantivy.Query.all_query())
                one_of = tantivy.Query.term_query
                asked = {
                    term: any_of([one_of(schema, field, term, "basic") for field in fields]) for term in terms
                }
                holding = {term: holding_all(query) for term, query in asked.items()}
            else:
                holding = {term: sum(searcher.doc_freq(field, term) for field in fields) for term in terms}
        return Statistics(max([texts, *holding.values()]), max(1.0, mean), holding)


TITLE_WEIGHT, SECTION_WEIGHT = 3.0, 1.0
"""What a term in the title of the paper and of the section counts, beside one in the paragraph (BM25F:
Robertson, Zaragoza and Taylor, CIKM 2004), as measured in docs/decisions/0062."""


def heading_weights(filters: "Filters") -> dict[str, float]:
    """Return the fields of headings with their weights: within one paper its title tells nothing apart."""
    title = {} if filters.keys is not None and len(filters.keys) == 1 else {TITLE_WORDS: TITLE_WEIGHT}
    return {**title, SECTION_WORDS: SECTION_WEIGHT}


_PARAGRAPHS_OF = {WORDS: "paragraphs", ASIDE_WORDS: "aside_paragraphs"}


def _fields(kinds: Collection[str] | None) -> Sequence[str]:
    """Return the fields that hold the words of these kinds."""
    return (WORDS,) if kinds is None else sorted({words_field(kind) for kind in kinds})


def limits(filters: "Filters") -> list[Limit]:
    """Return the limits of the index for filters."""
    import tantivy  # noqa: PLC0415

    must = tantivy.Occur.Must
    return [
        (must, KEY, filters.keys),
        (must, KIND, filters.kinds),
        (must, SECTION, filters.sections),
        (tantivy.Occur.MustNot, KEY, filters.without or None),
    ]
