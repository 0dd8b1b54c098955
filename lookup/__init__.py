"""PageQuote: verbatim, page-located quotes from a library of PDFs."""

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
    SourceError,
    UnknownKeyError,
)

__all__ = [
    "Box",
    "BuildError",
    "Corpus",
    "CorpusNotFoundError",
    "CorpusVersionError",
    "Difference",
    "Elsewhere",
    "LockedError",
    "Match",
    "ModelError",
    "PageNotFoundError",
    "PageQuoteError",
    "QueryError",
    "QuoteAnswer",
    "SourceError",
    "UnknownKeyError",
    "Verification",
    "get_quote",
    "open",
]
