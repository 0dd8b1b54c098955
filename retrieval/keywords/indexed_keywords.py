"""The paragraphs that hold keywords, by the index of words."""

from collections.abc import Collection, Sequence
from functools import cached_property

import tantivy

from lookup.index.printed_words import PrintedWords, all_of, any_of
from lookup.index.release_index import JOINED, PRINTED, ParagraphId, damage_told
from retrieval.keywords.parse import Form

_TIES = 0.25
"""What BM25 counts beside the weights of the keywords that a paragraph holds: it prefers repetitions and
short paragraphs. Over 57 papers fuzzy searches had 1.018 times the scores of a walk through all papers with
0.25, 1.016 with 0.5 and 1.015 with 1 (docs/decisions/0040)."""


class IndexedKeywords(PrintedWords):
    """Where the papers of a release hold keywords. Safe to share between threads."""

    def form(self, form: Form) -> tantivy.Query:
        """Return a query for the paragraphs that may hold the form, whatever hyphens are printed in it."""
        found = [self.phrase(form.words)]
        variants = [self._joined(form, at) for at in range(len(form.words))]
        if any(variants):  # a word is printed with a hyphen in it, or two as one: their order is not known
            words = zip(form.words, variants, strict=True)
            found.append(all_of([any_of([self.phrase([word]), *others]) for word, others in words]))
        return any_of(found)

    def keyword(self, forms: Sequence[Form]) -> tantivy.Query:
        """Return a query for the paragraphs that may hold one of the forms."""
        return any_of([self.form(form) for form in forms])

    def _joined(self, form: Form, at: int) -> list[tantivy.Query]:
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

    def best(
        self,
        weighted: Sequence[tuple[Sequence[Form], float]],
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

    def _scored(self, forms: Sequence[Form], weight: float) -> tantivy.Query:
        """Return the query for a keyword: a paragraph scores by the form that counts most, and by BM25."""
        asked = [self.form(form) for form in forms]
        scored = [
            tantivy.Query.const_score_query(one, weight * form.weight)
            for one, form in zip(asked, forms, strict=True)
        ]
        best = scored[0] if len(scored) == 1 else tantivy.Query.disjunction_max_query(scored)
        ties = tantivy.Query.boost_query(any_of(asked), _TIES)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, best), (tantivy.Occur.Should, ties)])

    def having(self, keywords: Sequence[Sequence[Form]], keys: Collection[str] | None, needed: int) -> int:
        """Return how many paragraphs hold so many of the keywords, each given by its forms, as are needed."""
        asked = [(tantivy.Occur.Should, self.keyword(forms)) for forms in keywords]
        return self.count(tantivy.Query.boolean_query(asked, needed), keys)

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
