"""What a reader is told when something cannot be answered: never where things are on this machine."""

from dataclasses import dataclass

from lookup.errors import (
    CorpusNotFoundError,
    CorpusVersionError,
    ModelError,
    PageNotFoundError,
    PageQuoteError,
    QueryError,
    SearchError,
    StorageError,
    UnknownKeyError,
)


@dataclass(frozen=True)
class Refusal:
    """A status of HTTP, a sentence, and keys that may have been meant."""

    status: int
    sentence: str
    closest: tuple[str, ...] = ()


_FIXED: tuple[tuple[type[PageQuoteError], Refusal], ...] = (
    (CorpusNotFoundError, Refusal(503, "The corpus cannot be read now. Try again in a moment.")),
    (CorpusVersionError, Refusal(503, "The corpus was written by another version of PageQuote. Build it again, or restart with that version.")),
    (StorageError, Refusal(503, "The place where the corpus is kept cannot be reached now. Try again in a moment.")),
    (SearchError, Refusal(501, "This corpus cannot be searched by words here: it needs pip install 'pagequote[search]' and a corpus built with it. Search for exact words instead.")),
    (ModelError, Refusal(501, "This corpus cannot be searched by meaning here: the model of its vectors is not on this machine.")),
)  # fmt: skip


def refusal(error: PageQuoteError) -> Refusal:
    """What to say of an error. Only what is made of the reader's own words is said in the error's."""
    if isinstance(error, UnknownKeyError):
        return Refusal(404, f"No paper has the key “{error.key}”.", error.closest)
    if isinstance(error, PageNotFoundError):
        return Refusal(404, str(error))
    if isinstance(error, QueryError):
        return Refusal(400, str(error))
    for family, said in _FIXED:
        if isinstance(error, family):
            return said
    return Refusal(500, "Something went wrong. The terminal of the server says what.")
