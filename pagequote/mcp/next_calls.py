"""What to call after an error: each names a tool."""

from lookup.errors import (
    CorpusNotFoundError,
    CorpusVersionError,
    ModelError,
    PageNotFoundError,
    PageQuoteError,
    SearchError,
    SourceError,
    UnknownKeyError,
)

_AFTER: tuple[tuple[type[PageQuoteError], str], ...] = (
    (UnknownKeyError, "Call list_papers with an author, a year or words of the title."),
    (PageNotFoundError, "Call {tool} again with one of these pages."),
    (ModelError, "Call search with mode 'lexical', or find."),
    (SearchError, "Call find."),
    (SourceError, "Call get_page for the text of a paper, list_papers for the papers that there are."),
    (CorpusNotFoundError, "Tell your user; then call {tool} again."),
    (CorpusVersionError, "Tell your user; then call {tool} again."),
    (PageQuoteError, "Mend that, and call {tool} again."),
)
"""The first that fits an error is what to do."""


def next_call_after(error: PageQuoteError, tool: str) -> str:
    """Return what to call after `tool` failed."""
    return next(text for kind, text in _AFTER if isinstance(error, kind)).format(tool=tool)
