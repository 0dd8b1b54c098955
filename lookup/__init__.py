"""PageQuote: verbatim, page-located quotes from a library of PDFs."""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from lookup.doors import NAMES

# onnxruntime, which PyMuPDF loads too, writes events and sends them to its makers unless this is set before.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

if TYPE_CHECKING:
    from lookup.corpus import Corpus as Corpus
    from lookup.corpus import open as open  # noqa: A004
    from lookup.default_corpus import get_quote as get_quote
    from lookup.default_corpus import ground as ground
    from lookup.default_corpus import search as search
    from lookup.default_corpus import verify as verify
    from lookup.doors import Document as Document
    from lookup.doors import Hit as Hit
    from lookup.doors import KeywordAnswer as KeywordAnswer
    from lookup.doors import KeywordPlace as KeywordPlace
    from lookup.doors import RawParagraph as RawParagraph
    from lookup.doors import RelevantSpan as RelevantSpan
    from lookup.doors import SearchAnswer as SearchAnswer
    from lookup.doors import SentenceMatch as SentenceMatch
    from lookup.doors import SnippetExtractor as SnippetExtractor
    from lookup.doors import clean_for_quote as clean_for_quote
    from lookup.doors import extract_relevant_excerpt as extract_relevant_excerpt
    from lookup.doors import extract_snippet as extract_snippet
    from lookup.doors import relevant_spans as relevant_spans
    from lookup.doors import segment_paragraphs as segment_paragraphs
    from lookup.doors import split_paragraphs as split_paragraphs
    from lookup.errors import BuildError as BuildError
    from lookup.errors import CorpusNotFoundError as CorpusNotFoundError
    from lookup.errors import CorpusVersionError as CorpusVersionError
    from lookup.errors import DamagedError as DamagedError
    from lookup.errors import LockedError as LockedError
    from lookup.errors import ModelError as ModelError
    from lookup.errors import PageNotFoundError as PageNotFoundError
    from lookup.errors import PageQuoteError as PageQuoteError
    from lookup.errors import QueryError as QueryError
    from lookup.errors import SearchError as SearchError
    from lookup.errors import SourceError as SourceError
    from lookup.errors import StorageError as StorageError
    from lookup.errors import UnknownKeyError as UnknownKeyError
    from lookup.results.difference import Difference as Difference
    from lookup.results.papers import Page as Page
    from lookup.results.papers import PagePart as PagePart
    from lookup.results.papers import PaperSummary as PaperSummary
    from lookup.results.papers import PrintedWord as PrintedWord
    from lookup.results.papers import Section as Section
    from lookup.results.quote_answer import Box as Box
    from lookup.results.quote_answer import Elsewhere as Elsewhere
    from lookup.results.quote_answer import Match as Match
    from lookup.results.quote_answer import QuoteAnswer as QuoteAnswer
    from lookup.results.quote_answer import Verification as Verification

    __version__: str

_NAMES = {
    "lookup.corpus": "Corpus open",
    "lookup.errors": "BuildError CorpusNotFoundError CorpusVersionError DamagedError LockedError ModelError "
    "PageNotFoundError PageQuoteError QueryError SearchError SourceError StorageError UnknownKeyError",
    "lookup.default_corpus": "get_quote ground search verify",
    "lookup.results.papers": "Page PagePart PaperSummary PrintedWord Section",
    "lookup.results.difference": "Difference",
    "lookup.results.quote_answer": "Box Elsewhere Match QuoteAnswer Verification",
}
"""Each module and its public names. The first use of a name loads it, so that a command starts at once."""

_MODULES = {name: module for module, names in (_NAMES | NAMES).items() for name in names.split()}

__all__ = [*sorted(_MODULES), "__version__"]  # noqa: PLE0604  # each name stands once above


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
