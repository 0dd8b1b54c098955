"""A plain text, searched as a paper is."""

import re
from functools import cached_property

from lookup.keywords import searches
from lookup.keywords.around import around
from lookup.keywords.searches import Asked
from lookup.keywords.shelf import OneText
from lookup.keywords.text import SearchText
from lookup.results.keyword_answer import SearchAnswer

_PARAGRAPH = re.compile(r"(?:\A|\n[^\S\n]*\n)\s*(?=\S)")


class Document:
    """A text with the searches of a corpus; its paragraphs are parted by blank lines. What it was searched for makes later searches faster.

    Its cursors are offsets in the text. Keywords are a string (its words; several in quotation marks are one keyword) or strings
    (one keyword each). They match whole words, whatever their case, accents and hyphens are; the words of one keyword
    stand side by side in a paragraph. Results do not overlap; each holds some `context_chars` characters, the matched words always.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _shelf(self) -> OneText:
        borders = [match.end() for match in _PARAGRAPH.finditer(self.text)]
        return OneText(SearchText(self.text, borders or [0]))

    def search_context(
        self, keywords: Asked, max_results: int = 15, context_chars: int = 300
    ) -> SearchAnswer:
        """The best stretches by TF-IDF; where no keyword stands anywhere, or only words such as "the" are asked for, by the Boolean search, then the fuzzy one.

        `answered_by` tells which. Raises QueryError.
        """
        return searches.search_context(self._shelf, keywords, max_results, context_chars)

    def search_exact_phrase(
        self, keywords: Asked, max_results: int = 10, context_chars: int = 4000
    ) -> SearchAnswer:
        """The places that print all the words side by side in a paragraph; where there is none, those where most of them stand close together.

        `answered_by` tells which. Raises QueryError.
        """
        return searches.search_exact_phrase(self._shelf, keywords, max_results, context_chars)

    def search_boolean_and(
        self, keywords: Asked, max_results: int = 15, context_chars: int = 3000
    ) -> SearchAnswer:
        """The stretches of at most `context_chars` characters that hold all keywords, the closest first. Raises QueryError."""
        return searches.search_boolean_and(self._shelf, keywords, max_results, context_chars)

    def search_fuzzy(self, keywords: Asked, max_results: int = 15, context_chars: int = 300) -> SearchAnswer:
        """`search_context` with the words that contain a keyword, are contained in it, or are a typing slip away. Raises QueryError."""
        return searches.search_fuzzy(self._shelf, keywords, max_results, context_chars)

    def context(self, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """The text around a cursor, clipped at its ends and shortened to whole words. Raises QueryError for a cursor outside it."""
        start, end = around(self.text, cursor, chars_before, chars_after)
        return self.text[start:end]
