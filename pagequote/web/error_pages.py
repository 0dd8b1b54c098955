"""The pages for errors. They show no path of this machine."""

from typing import NamedTuple

from lookup.errors import (
    BusyError,
    CorpusNotFoundError,
    CorpusVersionError,
    DamagedError,
    ModelError,
    PageNotFoundError,
    QueryError,
    SearchError,
    StorageError,
    UnknownKeyError,
)


class ErrorPage(NamedTuple):
    """An HTTP status, a sentence, and the keys that may have been meant."""

    status: int
    sentence: str
    closest: tuple[str, ...] = ()


_BY_FAMILY = (
    (CorpusNotFoundError, 503, "The corpus cannot be read now. Try again in a moment."),
    (
        CorpusVersionError,
        503,
        "Another version of PageQuote wrote the corpus. Build it again, or restart with it.",
    ),
    (DamagedError, 503, "The corpus is damaged. Build it again: the next build makes what is damaged anew."),
    (StorageError, 503, "The storage of the corpus cannot be reached now. Try again in a moment."),
    (SearchError, 501, "The corpus has no index of words that this version can read. Build it again."),
    (ModelError, 501, "This corpus cannot be searched by meaning here: the model of its vectors is missing."),
)


def error_page(error: Exception) -> ErrorPage:
    """Return the page for an error. Only errors about the reader's own words are shown in their own text."""
    if isinstance(error, UnknownKeyError):
        return ErrorPage(404, f"No paper has the key “{error.key}”.", error.closest)
    if isinstance(error, PageNotFoundError):
        return ErrorPage(404, str(error))
    if isinstance(error, QueryError | BusyError):
        return ErrorPage(400 if isinstance(error, QueryError) else 503, str(error))
    for family, status, sentence in _BY_FAMILY:
        if isinstance(error, family):
            return ErrorPage(status, sentence)
    return ErrorPage(500, "Something went wrong. See the terminal of the server.")
