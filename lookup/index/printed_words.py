"""Where the papers of a release print words and phrases, by the index of words.

Words stand in the index without case and accents, so a paragraph that is named here may print them otherwise:
callers look. One that is not named does not print them.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import tantivy

from lookup.index.layout import ASIDE, JOINED, KEY, KIND, PARAGRAPH, PRINTED
from lookup.index.release_index import ParagraphId, ReleaseIndex, damage_told

_MOST_PAPERS = 60_000
"""Papers of which the index makes a list, at most: it counts in no more than 65,000 classes."""

_TIES = 0.25
"""What BM25 counts beside the weights of the keywords that a paragraph holds: it prefers repetitions and
short paragraphs. Over 57 papers fuzzy searches had 1.018 times the scores of a walk through all papers with
0.25, 1.016 with 0.5 and 1.015 with 1 (docs/decisions/0040)."""


class AdjacentWords(Protocol):
    """Words side by side: `joined` holds for each two neighbours whether they may be printed as one."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words."""

    @property
    def joined(self) -> tuple[bool, ...]:
        """Whether neighbours may be one."""

    @property
    def weight(self) -> float:
        """What it counts, from 0 to 1."""


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

    def form(self, form: AdjacentWords) -> tantivy.Query:
        """Return a query for the paragraphs that may hold the form, whatever hyphens are printed in it."""
        found = [self.phrase(form.words)]
        variants = [self._joined(form, at) for at in range(len(form.words))]
        if any(variants):  # a word is printed with a hyphen in it, or two as one: their order is not known
            words = zip(form.words, variants, strict=True)
            found.append(all_of([any_of([self.phrase([word]), *others]) for word, others in words]))
        return any_of(found)

    def keyword(self, forms: Sequence[AdjacentWords]) -> tantivy.Query:
        """Return a query for the paragraphs that may hold one of the forms."""
        return any_of([self.form(form) for form in forms])

    def _joined(self, form: AdjacentWords, at: int) -> list[tantivy.Query]:
        """Return what else may stand for a word: it with a hyphen inside, or one word with its neighbours."""
        schema, searcher = self._index.open()
        first = last = at
        while first > 0 and form.joined[first - 1]:
            first -= 1
        while last + 1 < len(form.words) and form.joined[last]:
            last += 1
        runs = {
            "".join(form.words[begin : end + 1])
            for begin in range(first, at + 1)
            for end in range(at, last + 1)
        }
        return [
            tantivy.Query.term_query(schema, field, word, "basic")
            for word in sorted(runs)
            for field in (PRINTED, JOINED)
            if (field, word) != (PRINTED, form.words[at]) and searcher.doc_freq(field, word)
        ]

    def count(self, query: tantivy.Query, keys: Collection[str] | None = None) -> int:
        """Return how many paragraphs the query names, in the papers with these keys (None: all)."""
        return self._index.counted(self._of(query, keys), {"value_count": {"field": PARAGRAPH}})

    def held(self, query: tantivy.Query, keys: Collection[str] | None = None) -> MatchCounts:
        """Return how many paragraphs the query names, and of about how many papers."""
        papers = self._index.counted(self._of(query, keys), {"cardinality": {"field": KEY}})
        return MatchCounts(self.count(query, keys), papers)

    def papers(
        self, query: tantivy.Query, keys: Collection[str] | None = None, limit: int = _MOST_PAPERS
    ) -> dict[str, int]:
        """Return the first `limit` papers by key, with the number of paragraphs that the query names."""
        _, searcher = self._index.open()
        classes = {"field": KEY, "size": min(limit, _MOST_PAPERS), "order": {"_key": "asc"}}
        with damage_told(self._index.release):
            found = searcher.aggregate(self._of(query, keys), {"papers": {"terms": classes}})
        return {one["key"]: one["doc_count"] for one in found["papers"]["buckets"]}

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

    def best(
        self,
        weighted: Sequence[tuple[Sequence[AdjacentWords], float]],
        keys: Collection[str] | None,
        limit: int,
        needed: int,
        *,
        aside: bool,
    ) -> list[ParagraphId]:
        """Return the `limit` paragraphs with the weightiest keywords: each has its forms and a weight.

        Only those that hold so many keywords as are `needed`. With `aside` those that a search shows last,
        else the others.
        """
        asked = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, self._scored(forms, weight)) for forms, weight in weighted], needed
        )
        return self.ranked(asked, keys, limit, aside=aside)

    def ranked(
        self,
        query: tantivy.Query,
        keys: Collection[str] | None,
        limit: int,
        *,
        aside: bool | None = None,
    ) -> list[ParagraphId]:
        """Return the `limit` paragraphs that the query names and scores highest; `aside` as in `in_order`."""
        _, searcher = self._index.open()
        with damage_told(self._index.release):
            hits = searcher.search(self._of(query, keys, aside=aside), limit, count=False).hits
        return self._index.places([address for _, address in hits])

    def _scored(self, forms: Sequence[AdjacentWords], weight: float) -> tantivy.Query:
        """Return the query for a keyword: a paragraph scores by the form that counts most, and by BM25."""
        asked = [self.form(form) for form in forms]
        scored = [
            tantivy.Query.const_score_query(one, weight * form.weight)
            for one, form in zip(asked, forms, strict=True)
        ]
        best = scored[0] if len(scored) == 1 else tantivy.Query.disjunction_max_query(scored)
        ties = tantivy.Query.boost_query(any_of(asked), _TIES)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, best), (tantivy.Occur.Should, ties)])

    def having(
        self, keywords: Sequence[Sequence[AdjacentWords]], keys: Collection[str] | None, needed: int
    ) -> int:
        """Return how many paragraphs hold so many of the keywords, each given by its forms, as are needed."""
        asked = [(tantivy.Occur.Should, self.keyword(forms)) for forms in keywords]
        return self.count(tantivy.Query.boolean_query(asked, needed), keys)

    def in_one_paper(self, queries: Sequence[tantivy.Query], keys: Collection[str] | None) -> Collection[str]:
        """Return the papers of which each query names a paragraph."""
        counted = sorted(queries, key=lambda one: self.count(one, keys))
        for query in counted:
            keys = self.papers(query, keys)
        return keys or ()

    def vocabulary(self, pieces: Sequence[str], keys: Collection[str] | None = None) -> list[str]:
        """Return the words that hold one of the pieces, those joined by hyphens among them, each once.

        Of the papers with these keys (None: all). They stand side by side in the memory: to compare those of
        a set takes ten times as long.
        """
        text = self._vocabulary if keys is None else self._words(keys)
        begins: set[int] = set()
        for piece in pieces:
            at = text.find(piece)
            while at >= 0:
                begins.add(text.rindex("\n", 0, at) + 1)
                at = text.find(piece, text.index("\n", at))
        return [text[begin : text.index("\n", begin)] for begin in sorted(begins)]

    @cached_property
    def _vocabulary(self) -> str:
        return self._words(None)

    def _words(self, keys: Collection[str] | None) -> str:
        """Return all words of these papers, a line each, between two empty lines."""
        _, searcher = self._index.open()
        papers = None if keys is None else self._of(tantivy.Query.all_query(), keys)
        with damage_told(self._index.release):
            words = {
                word
                for field in (PRINTED, JOINED)
                for word, _ in searcher.terms_with_prefix(field, "", papers)
            }
        return "\n".join(["", *words, ""])

    def _of(
        self, query: tantivy.Query, keys: Collection[str] | None, *, aside: bool | None = None
    ) -> tantivy.Query:
        """Return the query for papers with these keys (None: all) and one half of the paragraphs, or both."""
        occur = tantivy.Occur.Must if aside else tantivy.Occur.MustNot
        limits = ((tantivy.Occur.Must, KEY, keys), (occur, KIND, None if aside is None else ASIDE))
        return self._index.limited(query, limits)


def all_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    """Return a query for what all of the queries name."""
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, one) for one in queries])


def any_of(queries: Sequence[tantivy.Query]) -> tantivy.Query:
    """Return a query for what one of the queries names."""
    if len(queries) == 1:
        return queries[0]
    return tantivy.Query.boolean_query([(tantivy.Occur.Should, one) for one in queries])
