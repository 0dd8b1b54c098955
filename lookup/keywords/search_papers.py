"""Run a keyword search over papers of a corpus: one, several, or all."""

from collections.abc import Callable, Iterable, Sequence

from lookup.keywords.around import around
from lookup.keywords.keyword_answer import SearchAnswer
from lookup.keywords.paper_sql import StatementLog
from lookup.keywords.paper_texts import Papers, PaperShelf
from lookup.keywords.searches import Keywords
from lookup.papers.library import Library

Keys = str | Iterable[str] | None
"""The papers to search: a key, several, or None for all."""

Search = Callable[[PaperShelf, Keywords, int, int], SearchAnswer]
"""One of the searches of lookup.keywords.searches."""


class KeywordSearch:
    """Keyword searches over the papers of a release. Safe to share between threads.

    It keeps the texts that it searched last.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._papers = Papers(library)

    def run(
        self,
        search: Search,
        keywords: Keywords,
        keys: Sequence[str] | None,
        max_results: int,
        context_chars: int,
        *,
        explain: bool,
    ) -> SearchAnswer:
        """Return what `search` finds, with `explain` its SQL too; raise QueryError or UnknownKeyError."""
        papers = Papers(self._library) if explain else self._papers  # texts that are kept need no SQL to show
        for key in keys or ():
            self._library.page_count(key)
        shelf = PaperShelf(papers, keys)
        answer = search(shelf, keywords, max_results, context_chars)
        return answer.with_sql(tuple(map(str, shelf.statements.ran))) if explain else answer

    def around(self, key: str, cursor: int, chars_before: int, chars_after: int) -> str:
        """Return the text of a paper around a cursor: see `Corpus.context`."""
        paper = self._papers.text(key, StatementLog(self._library))
        start, end = around(paper.text, cursor, chars_before, chars_after)
        return paper.text[start:end]
