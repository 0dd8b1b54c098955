"""The keyword searches of a corpus: those of a `Document`, over one paper, several, or all.

What they need is loaded by the first of them: a quote does without.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from lookup.papers.reader import Reader

if TYPE_CHECKING:
    from lookup.keywords.paper_texts import Papers, PaperShelf
    from lookup.results.keyword_answer import SearchAnswer

Keys = str | Iterable[str] | None
"""The papers to search: a key, several, or None for all."""

Asked = str | Iterable[str]


class CorpusSearches:
    """What a corpus can be searched for with keywords; for what these are, and how they match, see `Document`.

    References and furniture (running heads, page numbers) are named last. With `explain` the answer has the `sql` that ran, with its
    values in place: what reads the papers, and before it, for several papers, what ranks them.
    """

    _reader: Reader
    _searched: "Papers | None" = None

    def search_context(
        self,
        keywords: Asked,
        keys: Keys = None,
        max_results: int = 15,
        context_chars: int = 300,
        *,
        explain: bool = False,
    ) -> "SearchAnswer":
        """The best stretches by TF-IDF, else by the Boolean search, else by the fuzzy one: `answered_by` tells which.

        Raises QueryError or UnknownKeyError.
        """
        from lookup.keywords import searches

        return self._answer(searches.search_context, keywords, keys, max_results, context_chars, explain)

    def search_exact_phrase(
        self,
        keywords: Asked,
        keys: Keys = None,
        max_results: int = 10,
        context_chars: int = 4000,
        *,
        explain: bool = False,
    ) -> "SearchAnswer":
        """The places that print all the words side by side in a paragraph, else those where most of them stand close together.

        Raises QueryError or UnknownKeyError.
        """
        from lookup.keywords import searches

        return self._answer(searches.search_exact_phrase, keywords, keys, max_results, context_chars, explain)

    def search_boolean_and(
        self,
        keywords: Asked,
        keys: Keys = None,
        max_results: int = 15,
        context_chars: int = 3000,
        *,
        explain: bool = False,
    ) -> "SearchAnswer":
        """The stretches of at most `context_chars` characters that hold all keywords, the closest first.

        Raises QueryError or UnknownKeyError.
        """
        from lookup.keywords import searches

        return self._answer(searches.search_boolean_and, keywords, keys, max_results, context_chars, explain)

    def search_fuzzy(
        self,
        keywords: Asked,
        keys: Keys = None,
        max_results: int = 15,
        context_chars: int = 300,
        *,
        explain: bool = False,
    ) -> "SearchAnswer":
        """`search_context` with the words that contain a keyword, are contained in it, or are a typing slip away.

        Raises QueryError or UnknownKeyError.
        """
        from lookup.keywords import searches

        return self._answer(searches.search_fuzzy, keywords, keys, max_results, context_chars, explain)

    def context(self, key: str, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """The text of the paper `key` around a cursor, clipped at its ends and shortened to whole words.

        Raises UnknownKeyError, or QueryError for a cursor outside the paper's document text.
        """
        from lookup.keywords.around import around
        from lookup.keywords.statements import Statements

        papers = self._papers()
        (paper,) = papers.texts([key], Statements(papers.reader))
        start, end = around(paper.text, cursor, chars_before, chars_after)
        return paper.text[start:end]

    def _papers(self) -> "Papers":
        """The texts of the release that is read now."""
        from lookup.keywords.paper_texts import Papers

        if self._searched is None or self._searched.reader is not self._reader:
            self._searched = Papers(self._reader)
        return self._searched

    def _answer(
        self,
        search: "Callable[[PaperShelf, Asked, int, int], SearchAnswer]",
        keywords: Asked,
        keys: Keys,
        max_results: int,
        context_chars: int,
        explain: bool,  # noqa: FBT001  # handed on
    ) -> "SearchAnswer":
        from lookup.keywords.paper_texts import Papers, PaperShelf

        papers = Papers(self._reader) if explain else self._papers()  # what is held needs no SQL to show
        wanted = None if keys is None else list(dict.fromkeys([keys] if isinstance(keys, str) else keys))
        for key in wanted or ():
            papers.reader.page_count(key)
        shelf = PaperShelf(papers, wanted)
        answer = search(shelf, keywords, max_results, context_chars)
        return answer.with_sql(tuple(map(str, shelf.statements.ran))) if explain else answer
