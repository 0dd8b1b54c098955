"""PageQuote: verbatim, page-located quotes from a library of PDFs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lookup.corpus import Corpus, get_quote, open  # noqa: A004
from lookup.errors import (
    BuildError,
    CorpusNotFoundError,
    CorpusVersionError,
    LockedError,
    ModelError,
    PageNotFoundError,
    PageQuoteError,
    QueryError,
    SearchError,
    SourceError,
    StorageError,
    UnknownKeyError,
)
from lookup.results.quote_answer import Box, Difference, Elsewhere, Match, QuoteAnswer, Verification

if TYPE_CHECKING:
    from lookup.keywords.document import Document
    from lookup.results.keyword_answer import SearchAnswer, SearchResult
    from lookup.results.papers import Page, PaperSummary, Section
    from lookup.results.search_answer import Hit, RetrievalAnswer
    from lookup.results.sentence_match import SentenceMatch
    from lookup.snippet import SnippetExtractor, extract_relevant_excerpt, extract_snippet, split_paragraphs

_ON_DEMAND = {
    "Document": "lookup.keywords.document",
    "Hit": "lookup.results.search_answer",
    "Page": "lookup.results.papers",
    "PaperSummary": "lookup.results.papers",
    "RetrievalAnswer": "lookup.results.search_answer",
    "SearchAnswer": "lookup.results.keyword_answer",
    "SearchResult": "lookup.results.keyword_answer",
    "SentenceMatch": "lookup.results.sentence_match",
    "Section": "lookup.results.papers",
    "SnippetExtractor": "lookup.snippet",
    "extract_relevant_excerpt": "lookup.snippet",
    "extract_snippet": "lookup.snippet",
    "split_paragraphs": "lookup.snippet",
}
"""Names that a quote does not need, and their modules, which are loaded when a name is first asked for."""

__all__ = [
    "Box",
    "BuildError",
    "Corpus",
    "CorpusNotFoundError",
    "CorpusVersionError",
    "Difference",
    "Document",
    "Elsewhere",
    "Hit",
    "LockedError",
    "Match",
    "ModelError",
    "Page",
    "PageNotFoundError",
    "PageQuoteError",
    "PaperSummary",
    "QueryError",
    "QuoteAnswer",
    "RetrievalAnswer",
    "SearchAnswer",
    "SearchError",
    "SearchResult",
    "Section",
    "SentenceMatch",
    "SnippetExtractor",
    "SourceError",
    "StorageError",
    "UnknownKeyError",
    "Verification",
    "extract_relevant_excerpt",
    "extract_snippet",
    "get_quote",
    "open",
    "split_paragraphs",
]


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        return getattr(import_module(_ON_DEMAND[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
