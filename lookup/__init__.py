"""PageQuote: verbatim, page-located quotes from a library of PDFs."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from lookup.answer import Box, Difference, Elsewhere, Match, QuoteAnswer, Verification
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

if TYPE_CHECKING:
    from lookup.neighbours import SentenceMatch
    from lookup.papers import Page, PaperSummary, Section
    from lookup.retrieval.answer import Hit, RetrievalAnswer
    from lookup.search.document import Document
    from lookup.search.results import SearchAnswer, SearchResult
    from lookup.snippet import SnippetExtractor, extract_relevant_excerpt, extract_snippet, split_paragraphs

_ON_DEMAND = {
    "Document": "lookup.search.document",
    "Hit": "lookup.retrieval.answer",
    "Page": "lookup.papers",
    "PaperSummary": "lookup.papers",
    "RetrievalAnswer": "lookup.retrieval.answer",
    "SearchAnswer": "lookup.search.results",
    "SearchResult": "lookup.search.results",
    "SentenceMatch": "lookup.neighbours",
    "Section": "lookup.papers",
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
