"""PageQuote: verbatim, page-located quotes from a library of PDFs."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

# onnxruntime, which PyMuPDF loads too, writes events and sends them to its makers unless this is set before.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

if TYPE_CHECKING:
    from lookup.corpus import Corpus, open  # noqa: A004
    from lookup.errors import (
        BuildError,
        CorpusNotFoundError,
        CorpusVersionError,
        DamagedError,
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
    from lookup.following_corpus import get_quote, ground
    from lookup.keywords.document import Document
    from lookup.keywords.keyword_answer import SearchAnswer, SearchResult
    from lookup.results.papers import Page, PagePart, PaperSummary, PrintedWord, Section
    from lookup.results.quote_answer import Box, Difference, Elsewhere, Match, QuoteAnswer, Verification
    from lookup.search.search_answer import Hit, RetrievalAnswer, SentenceMatch
    from lookup.snippet import (
        RawParagraph,
        SnippetExtractor,
        extract_relevant_excerpt,
        extract_snippet,
        segment_paragraphs,
        split_paragraphs,
    )
    from lookup.text.cleaning import clean_for_quote

    __version__: str

_NAMES = {
    "lookup.corpus": ("Corpus", "open"),
    "lookup.errors": (
        "BuildError", "CorpusNotFoundError", "CorpusVersionError", "DamagedError",
        "LockedError", "ModelError", "PageNotFoundError",
        "PageQuoteError", "QueryError", "SearchError", "SourceError", "StorageError", "UnknownKeyError",
    ),
    "lookup.following_corpus": ("get_quote", "ground"),
    "lookup.keywords.document": ("Document",),
    "lookup.keywords.keyword_answer": ("SearchAnswer", "SearchResult"),
    "lookup.results.papers": ("Page", "PagePart", "PaperSummary", "PrintedWord", "Section"),
    "lookup.results.quote_answer": ("Box", "Difference", "Elsewhere", "Match", "QuoteAnswer", "Verification"),
    "lookup.search.search_answer": ("Hit", "RetrievalAnswer", "SentenceMatch"),
    "lookup.snippet": (
        "RawParagraph", "SnippetExtractor", "extract_relevant_excerpt", "extract_snippet",
        "segment_paragraphs", "split_paragraphs",
    ),
    "lookup.text.cleaning": ("clean_for_quote",),
}  # fmt: skip
"""Each module and its public names. The first use of a name loads it, so that a command starts at once."""

_MODULES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = [
    "Box",
    "BuildError",
    "Corpus",
    "CorpusNotFoundError",
    "CorpusVersionError",
    "DamagedError",
    "Difference",
    "Document",
    "Elsewhere",
    "Hit",
    "LockedError",
    "Match",
    "ModelError",
    "Page",
    "PageNotFoundError",
    "PagePart",
    "PageQuoteError",
    "PaperSummary",
    "PrintedWord",
    "QueryError",
    "QuoteAnswer",
    "RawParagraph",
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
    "__version__",
    "clean_for_quote",
    "extract_relevant_excerpt",
    "extract_snippet",
    "get_quote",
    "ground",
    "open",
    "segment_paragraphs",
    "split_paragraphs",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        found: Any = import_module("importlib.metadata").version("pagequote")
    elif name in _MODULES:
        found = getattr(import_module(_MODULES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """Return the public names, without the modules that have been loaded."""
    return __all__
