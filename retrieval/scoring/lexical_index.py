"""Find the paragraphs that hold most of a query's terms, by BM25, in the index of words."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING

from lookup.index.release_index import (
    ASIDE_WORDS,
    KEY,
    KIND,
    PLACE,
    SECTION,
    SECTION_WORDS,
    TITLE_WORDS,
    WORDS,
    Limit,
    ParagraphId,
    ReleaseIndex,
    damage_told,
    place_term,
    words_field,
)
from retrieval.scoring.relevance import PARAGRAPHS, Statistics, idf, stem

if TYPE_CHECKING:
    import tantivy


@dataclass(frozen=True)
class Filters:
    """The papers, kinds and titles of sections whose paragraphs are searched.

    None stands for all of them; of the kinds, for all that are not in ASIDE. The papers `without` are not
    searched.
    """

    keys: Collection[str] | None = None
    kinds: Collection[str] | None = None
    sections: Collection[str] | None = None
    without: Collection[str] = ()

    def __bool__(self) -> bool:
        return self != Filters()


class LexicalIndex:
    """The stems of all paragraphs, in the index of words of a release. Safe to share between threads."""

    def __init__(self, index: ReleaseIndex) -> None:
        self.index = index
        self.stems_of_paper = lru_cache(_HELD_PAPERS)(self._stems_of_paper)

    def find(self, terms: Collection[str], limit: int, filters: Filters, each: int = 0) -> list[ParagraphId]:
        """Return the `limit` paragraphs with the highest BM25 for `terms`, best first.

        At most `each` of a paper (0: any number), as far as _DEEPER times as many have others. Raise
        SearchError or DamagedError.
        """
        fields = dict.fromkeys(_fields(filters.kinds), 1.0)
        if WORDS in fields:
            fields |= heading_weights(filters)
        asked = self.index.limited(self._query(terms, fields), limits(filters))
        deep = _DEEPER * limit if each else limit
        hits = [address for _, address in self.index.best(asked, deep)]
        found: list[ParagraphId] = []
        taken: Counter[str] = Counter()
        for at in range(0, len(hits), limit):
            for place, _ in self.index.documents(hits[at : at + limit]):
                taken[place.key] += 1
                if not each or taken[place.key] <= each:
                    found.append(place)
            if len(found) >= limit:
                break
        return found[:limit]

    def holds(self, word: str) -> bool:
        """Return whether running text prints a word (folded). Raise SearchError or DamagedError."""
        _, searcher = self.index.open()
        with damage_told(self.index.release):
            return searcher.doc_freq(WORDS, stem(word)) > 0

    def stems(self, places: Collection[ParagraphId]) -> dict[ParagraphId, str]:
        """Return the stems of these paragraphs."""
        import tantivy  # noqa: PLC0415

        schema, _ = self.index.open()
        named = [place_term(*place) for place in places]
        return self._stored(tantivy.Query.term_set_query(schema, PLACE, named), len(places))

    def _stems_of_paper(self, key: str) -> dict[int, str]:
        """Return the stems of each paragraph of a paper. Raise SearchError or DamagedError."""
        import tantivy  # noqa: PLC0415

        schema, searcher = self.index.open()
        asked = tantivy.Query.term_query(schema, KEY, key, "basic")
        found = self._stored(asked, max(1, searcher.doc_freq(KEY, key)))
        return {place.paragraph: stems for place, stems in found.items()}

    def _stored(self, asked: "tantivy.Query", most: int) -> dict[ParagraphId, str]:
        found = self.index.documents(address for _, address in self.index.best(asked, most))
        return {place: (one[WORDS] or one[ASIDE_WORDS])[0] for place, one in found}

    def nearer(self, terms: Collection[str], key: str) -> tuple[float, list[str]]:
        """Return how much greater the best BM25 of the paper is than that of others, and the best of these.

        As a share of what holds all `terms`, -1 to 1. Raise SearchError or DamagedError.
        """
        _, searcher = self.index.open()
        asked = self._query(terms, {WORDS: 1.0})
        within = self.index.limited(asked, limits(Filters([key])))
        here = [score for score, _ in self.index.best(within, 1)]
        hits = self.index.best(asked, _OF_ONE_PAPER)  # without a limit, tantivy skips what cannot come first
        places = self.index.documents(address for _, address in hits)
        others = {place.key: score for (score, _), (place, _) in zip(hits[::-1], places[::-1], strict=True)}
        others.pop(key, None)
        least = hits[-1][0] if len(hits) == _OF_ONE_PAPER else 0.0
        holding = (searcher.doc_freq(WORDS, term) for term in terms)
        most = (PARAGRAPHS.k1 + 1) * fsum(idf(searcher.num_docs, count) for count in holding)
        nearer = (sum(here) - max(others.values(), default=least)) / max(1.0, most)
        return nearer, sorted(others, key=lambda other: -others[other])[:_OTHERS]

    def _query(self, terms: Collection[str], fields: Mapping[str, float]) -> "tantivy.Query":
        """Return the query for one of the terms in one of the fields, each with its weight."""
        import tantivy  # noqa: PLC0415

        schema, _ = self.index.open()
        query, should = tantivy.Query, tantivy.Occur.Should
        words = [
            (should, query.boost_query(query.term_query(schema, field, term, "freq"), weight))
            for field, weight in fields.items()
            for term in terms
        ]
        return query.boolean_query(words)

    def statistics(self, terms: Collection[str], filters: Filters) -> Statistics:
        """Return the number of paragraphs that the filters leave and that hold each term, and of all of them.

        Raise SearchError or DamagedError.
        Deleted paragraphs that are still in the index count among those that hold a term, without filters.
        """
        schema, searcher = self.index.open()
        counts = self.index.release.manifest["search"]
        fields = _fields(filters.kinds)
        texts = sum(counts[_PARAGRAPHS_OF[field]] for field in fields)
        mean = sum(counts[field] for field in fields) / max(1, texts)

        def holding_all(query: "tantivy.Query") -> int:
            return self.index.counted(self.index.limited(query, limits(filters)))

        with damage_told(self.index.release):
            if filters:
                import tantivy  # noqa: PLC0415

                from lookup.index.printed_words import any_of  # noqa: PLC0415

                texts = holding_all(tantivy.Query.all_query())
                one_of = tantivy.Query.term_query
                asked = {
                    term: any_of([one_of(schema, field, term, "basic") for field in fields]) for term in terms
                }
                holding = {term: holding_all(query) for term, query in asked.items()}
            else:
                holding = {term: sum(searcher.doc_freq(field, term) for field in fields) for term in terms}
        return Statistics(max([texts, *holding.values()]), max(1.0, mean), holding)


_HELD_PAPERS = 8  # Papers whose stems are kept.

_OF_ONE_PAPER = 50  # Paragraphs of one paper that may be before the first of another one.
_OTHERS = 10  # Other papers that are named, at most.

_DEEPER = 4  # How many times as many as are wanted are looked through for other papers.

TITLE_WEIGHT, SECTION_WEIGHT = 3.0, 1.0
"""What a term in the title of the paper and of the section counts, beside one in the paragraph (BM25F:
Robertson, Zaragoza and Taylor, CIKM 2004), as measured in docs/decisions/0030."""


def heading_weights(filters: Filters) -> dict[str, float]:
    """Return the fields of headings with their weights: within one paper its title tells nothing apart."""
    title = {} if filters.keys is not None and len(filters.keys) == 1 else {TITLE_WORDS: TITLE_WEIGHT}
    return {**title, SECTION_WORDS: SECTION_WEIGHT}


_PARAGRAPHS_OF = {WORDS: "paragraphs", ASIDE_WORDS: "aside_paragraphs"}


def _fields(kinds: Collection[str] | None) -> Sequence[str]:
    """Return the fields that hold the words of these kinds."""
    return (WORDS,) if kinds is None else sorted({words_field(kind) for kind in kinds})


def limits(filters: Filters) -> list[Limit]:
    """Return the limits of the index for filters."""
    import tantivy  # noqa: PLC0415

    must = tantivy.Occur.Must
    return [
        (must, KEY, filters.keys),
        (must, KIND, filters.kinds),
        (must, SECTION, filters.sections),
        (tantivy.Occur.MustNot, KEY, filters.without or None),
    ]
