"""Search a plain text as a paper is searched."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from lookup.keywords import searches
from lookup.keywords.around import around
from lookup.keywords.keyword_answer import SearchAnswer
from lookup.keywords.parse import Keyword
from lookup.keywords.searched_text import SearchText
from lookup.keywords.searches import Keywords, Pool, Reach

_PARAGRAPH = re.compile(r"(?:\A|\n[^\S\n]*\n)\s*(?=\S)")


class Document:
    """A text with the keyword searches of a corpus. Blank lines part its paragraphs.

    Its cursors are offsets in the text. Keywords are a string (its words; several in quotation marks are one
    keyword) or strings (one keyword each). They match whole words, whatever their case, accents and hyphens
    are; the words of one keyword stand side by side in a paragraph. Results do not overlap; each holds some
    `context_chars` characters, the matched words always.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _shelf(self) -> "OneText":
        borders = [match.end() for match in _PARAGRAPH.finditer(self.text)]
        return OneText(SearchText(self.text, borders or [0]))

    def search_context(
        self, keywords: Keywords, max_results: int = 15, context_chars: int = 300
    ) -> SearchAnswer:
        """Find the best stretches by TF-IDF, else by the Boolean search, else by the fuzzy one.

        The others answer where no keyword but stop words is found; `answered_by` names the search. Raise
        QueryError.
        """
        return searches.search_context(self._shelf, keywords, max_results, context_chars)

    def search_exact_phrase(
        self, keywords: Keywords, max_results: int = 10, context_chars: int = 4000
    ) -> SearchAnswer:
        """Find the places that print all the words side by side in a paragraph.

        Where there are none, those where most of the words stand close together; `answered_by` names the
        search. Raise QueryError.
        """
        return searches.search_exact_phrase(self._shelf, keywords, max_results, context_chars)

    def search_boolean_and(
        self, keywords: Keywords, max_results: int = 15, context_chars: int = 3000
    ) -> SearchAnswer:
        """Find the stretches of at most `context_chars` characters that hold all keywords, the closest first.

        Raise QueryError.
        """
        return searches.search_boolean_and(self._shelf, keywords, max_results, context_chars)

    def search_fuzzy(
        self, keywords: Keywords, max_results: int = 15, context_chars: int = 300
    ) -> SearchAnswer:
        """Run `search_context` with words that contain a keyword, are part of it, or are a typing slip away.

        Raise QueryError.
        """
        return searches.search_fuzzy(self._shelf, keywords, max_results, context_chars)

    def context(self, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """Return the text around a cursor, clipped at its ends and shortened to whole words.

        Raise QueryError for a cursor outside the text.
        """
        start, end = around(self.text, cursor, chars_before, chars_after)
        return self.text[start:end]


@dataclass(frozen=True)
class OneText:
    """A shelf with a single text."""

    text: SearchText

    def pool(self, keywords: Sequence[Keyword], reach: Reach, wanted: int, needed: int) -> Pool:
        """Return the text."""
        del keywords, reach, wanted, needed
        return Pool((self.text,), len(self.text.borders))

    def vocabulary(self, words: Sequence[str]) -> Collection[str]:
        """Return all its words."""
        del words
        return self.text.vocabulary
