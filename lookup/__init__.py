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
    from lookup.doors import *  # noqa: F403
    from lookup.errors import *  # noqa: F403
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
    "lookup.errors": "BuildError BusyError ClosedCorpusError CorpusNotFoundError CorpusVersionError "
    "DamagedError LockedError ModelError NextStep PageNotFoundError PageQuoteError QueryError SearchError "
    "SourceError StorageError UnknownKeyError",
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
