"""The searches over an open release. What one does not need is loaded and made when another first does."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

from lookup.errors import QueryError
from lookup.limits import check_numbers, check_text, texts
from retrieval.passages.release_evidence import ReleaseEvidence

if TYPE_CHECKING:
    from lookup.papers.paper import Paper
    from lookup.quote.cascade import NearestPassages
    from lookup.quote.certify import Candidate
    from lookup.quote.query import Query
    from retrieval.keywords.keyword_answer import KeywordAnswer
    from retrieval.keywords.paper_texts import Keys, KeywordSearch
    from retrieval.keywords.searches import Keywords
    from retrieval.topics.filters import Asked
    from retrieval.topics.ranked_search import SearchParts
    from retrieval.topics.search_answer import Mode, SearchAnswer, SentenceMatch


class ReleaseSearches(ReleaseEvidence):
    """What `Corpus` has of searches: see its methods of the same names. Safe to share between threads."""

    @cached_property
    def parts(self) -> "SearchParts":
        """What a search by topic reads."""
        from retrieval.topics.candidates import ParagraphRows
        from retrieval.topics.ranked_search import SearchParts

        rows = ParagraphRows(self.library, self.vectors, self.lexical)
        return SearchParts(self.library, self.vectors, self.lexical, self.expanded, rows)

    @cached_property
    def keywords(self) -> "KeywordSearch":
        """The papers as texts for keyword searches."""
        from retrieval.keywords.paper_texts import KeywordSearch

        return KeywordSearch(self.library)

    def nearest(
        self, paper: "Paper", query: "Query", page: int, found: "Sequence[Candidate]", wanted: int
    ) -> "NearestPassages":
        """Return the passages of the paper nearest to a query: see `nearest_passages`."""
        from retrieval.passages.passage_ranking import nearest_passages

        return nearest_passages(self, paper, query, page, found, wanted)

    def search(
        self, query: str | Sequence[str], limit: int, mode: "Mode", per_paper: int, *asked: "Unpack[Asked]"
    ) -> "SearchAnswer":
        """Return the answer to one query, or to several phrasings of it together."""
        from retrieval.topics.filters import resolve
        from retrieval.topics.ranked_search import fused, search

        filters = resolve(self.library, *asked)
        phrasings = texts("query", query)
        found = [search(self.parts, one, limit, mode, filters, per_paper) for one in phrasings]
        if not found:
            raise QueryError("There is no query. Give a question or topic.")
        return found[0] if len(found) == 1 else fused(found, limit)

    def similar(
        self, key: str, paragraph: int, limit: int, per_paper: int, *asked: "Unpack[Asked]"
    ) -> "SearchAnswer":
        """Return the paragraphs of other papers nearest to this one."""
        from lookup.index.release_index import ParagraphId
        from retrieval.topics.filters import resolve
        from retrieval.topics.ranked_search import similar

        check_numbers(paragraph=paragraph)
        filters = resolve(self.library, *asked)
        place = ParagraphId(self.library.key_of(key), paragraph)
        return similar(self.parts, place, limit, filters, per_paper)

    def sentences(
        self,
        query: str,
        limit: int,
        threshold: float,
        keys: Iterable[str] | None,
        section: str | None,
        offset: int,
        title: str,
        exclude: Iterable[str],
    ) -> "tuple[SentenceMatch, ...]":
        """Return the sentences nearest to the query."""
        from retrieval.topics.similar_sentences import sentences

        check_text(query)
        check_numbers(offset=offset)
        asked = query, limit, threshold, keys, section, offset, title, exclude
        return sentences(self.library, self.vectors, *asked)

    def neighbours(self, sentence: str, offset: int) -> "SentenceMatch | None":
        """Return the sentence `offset` further on than the one with this id."""
        from retrieval.topics.similar_sentences import neighbours

        check_numbers(offset=offset)
        return neighbours(self.library, sentence, offset)

    def excerpt(self, key: str, query: str, max_chars: int) -> str:
        """Return the sentences of a paper nearest to the query."""
        from retrieval.snippets.excerpt import paper_excerpt

        check_text(query)
        return paper_excerpt(self, self.library.key_of(key), query, max_chars)

    def by_keywords(
        self, mode: str, keywords: "Keywords", keys: "Keys", limit: int, context_chars: int, *, explain: bool
    ) -> "KeywordAnswer":
        """Return what the keyword search of this name finds."""
        from retrieval.keywords import searches

        keywords = keywords if isinstance(keywords, str) else texts("keywords", keywords)
        run, among = getattr(searches, mode), self.library.keys_of(keys)
        return self.keywords.run(run, keywords, among, limit, context_chars, explain=explain)

    def around(self, key: str, cursor: int, chars_before: int, chars_after: int) -> str:
        """Return the text of a paper around a cursor."""
        check_numbers(cursor=cursor, chars_before=chars_before, chars_after=chars_after)
        return self.keywords.around(self.library.key_of(key), cursor, chars_before, chars_after)
