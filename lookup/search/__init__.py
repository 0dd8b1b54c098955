"""Keyword search with cursors, over papers and over plain text."""

from lookup.search.document import Document
from lookup.search.results import SearchAnswer, SearchResult

__all__ = ["Document", "SearchAnswer", "SearchResult"]
