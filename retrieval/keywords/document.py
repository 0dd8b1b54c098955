"""Search a plain text as a paper is searched."""

import re
from collections.abc import Callable
from functools import cached_property

from lookup.limits import with_limit
from retrieval.keywords import searches
from retrieval.keywords.keyword_answer import KeywordAnswer
from retrieval.keywords.searched_text import SearchText
from retrieval.keywords.searches import Keywords
from retrieval.raw_text.graphemes import around

_PARAGRAPH = re.compile(r"(?:\A|\n[^\S\n]*\n)\s*(?=\S)")


def _keyword_search(mode: str, most: int, chars: int) -> Callable[..., KeywordAnswer]:
    """Return a method of Document: one of the searches, with its defaults and help."""

    def search(
        self: "Document",
        keywords: Keywords,
        limit: int = most,
        context_chars: int = chars,
    ) -> KeywordAnswer:
        found: KeywordAnswer = getattr(searches, mode)(self._searched, keywords, limit, context_chars)
        return found

    search.__name__ = mode
    search.__doc__ = getattr(searches, mode).__doc__
    return with_limit(search)


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
    def _searched(self) -> SearchText:
        borders = [match.end() for match in _PARAGRAPH.finditer(self.text)]
        return SearchText(self.text, borders or [0])

    search_context = _keyword_search("search_context", 15, 300)
    search_exact_phrase = _keyword_search("search_exact_phrase", 10, 4000)
    search_boolean_and = _keyword_search("search_boolean_and", 15, 3000)
    search_fuzzy = _keyword_search("search_fuzzy", 15, 300)

    def context(self, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """Return the text around a cursor, clipped at its ends and shortened to whole words.

        Raise QueryError for a cursor outside the text.
        """
        start, end = around(self.text, cursor, chars_before, chars_after)
        return self.text[start:end]
