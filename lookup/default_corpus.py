"""Questions to a corpus in one call: it is opened once, and its newest release answers."""

from collections.abc import Mapping
from functools import cache
from os import PathLike
from time import monotonic
from typing import TYPE_CHECKING, Any

from lookup.corpus import Corpus
from lookup.limits import PageName, with_limit
from lookup.quote.match import Context
from lookup.release.current import default_corpus
from lookup.results.quote_answer import QuoteAnswer, Verification
from lookup.storage.object_path import ObjectPath, place

if TYPE_CHECKING:
    from lookup.doors import SearchAnswer


@with_limit
def get_quote(
    key: str,
    query: str,
    page: PageName = 0,
    limit: int = 1,
    context: Context = "paragraph",
    context_chars: int = 400,
    paragraphs: int = 1,
    *,
    corpus: str | PathLike[str] | None = None,
) -> QuoteAnswer:
    """Return `Corpus.quote` of the corpus at `corpus`, else of the default one.

    It is opened once, and follows the newest release. Raise CorpusNotFoundError, too.
    """
    return _opened(corpus).quote(key, query, page, limit, context, context_chars, paragraphs)


@with_limit
def ground(
    key: str, values: Mapping[str, str], limit: int = 20, *, corpus: str | PathLike[str] | None = None
) -> dict[str, QuoteAnswer]:
    """Return `Corpus.ground` of the corpus at `corpus`, else of the default one, as `get_quote` does."""
    return _opened(corpus).ground(key, values, limit)


def verify(
    key: str, quote: str = "", page: PageName = 0, *, corpus: str | PathLike[str] | None = None
) -> Verification:
    """Return `Corpus.verify` of the corpus at `corpus`, else of the default one, as `get_quote` does."""
    return _opened(corpus).verify(key, quote, page)


def search(query: str, *, corpus: str | PathLike[str] | None = None, **given: Any) -> "SearchAnswer":
    """Return `Corpus.search`, with filters as `given`, of the corpus at `corpus`, else of the default one."""
    return _opened(corpus).search(query, **given)


def _opened(path: str | PathLike[str] | None) -> Corpus:
    """Return the corpus at its newest release; in object storage, at that of _MOMENT ago at the earliest."""
    corpus = _corpus((default_corpus() if path is None else place(path)).absolute())
    looked = _looked.get(corpus, 0.0)
    if not isinstance(corpus.release.folder, ObjectPath) or monotonic() - looked > _MOMENT:
        corpus.refresh()
        _looked[corpus] = monotonic()
    return corpus


_MOMENT = 2.0
"""Seconds between two looks for a newer release in object storage: a look takes longer than most answers."""

_looked: dict[Corpus, float] = {}
"""When a newer release of each corpus was last looked for."""


_corpus = cache(Corpus)
"""The corpus at a path, opened once."""
