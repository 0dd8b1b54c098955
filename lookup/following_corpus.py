"""A corpus that follows its newest release, for processes that run for long."""

import logging
import threading
from collections.abc import Callable, Mapping
from functools import cache, partial
from os import PathLike
from pathlib import Path
from time import monotonic

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.limits import with_limit
from lookup.quote.context import Context
from lookup.release.current import default_corpus
from lookup.results.papers import PageName
from lookup.results.quote_answer import QuoteAnswer
from lookup.storage.object_path import ObjectPath, place

_log = logging.getLogger("pagequote")

_MOMENT = 2.0
"""Seconds between two looks for a newer release in object storage: a look takes longer than most answers."""


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


def _opened(path: str | PathLike[str] | None) -> Corpus:
    return _following((default_corpus() if path is None else place(path)).absolute())()


class FollowingCorpus:
    """Returns a corpus at its newest release with each call. Safe to share between threads.

    It opens the corpus with the first call. Raise PageQuoteError if the newest release cannot be read;
    with `keep`, the one before stays in use.
    """

    def __init__(self, opened: Callable[[], Corpus], *, keep: bool = False) -> None:
        self._opened = opened
        self._keep = keep
        self._lock = threading.Lock()
        self._corpus: Corpus | None = None
        self._refreshed = 0.0
        self._warning = ""

    def __call__(self) -> Corpus:
        """Return the open corpus."""
        with self._lock:
            if self._corpus is None:
                self._corpus = self._opened()
            stored_far = isinstance(self._corpus.release.folder, ObjectPath)
            if not stored_far or monotonic() - self._refreshed > _MOMENT:
                self._refresh(self._corpus)
            return self._corpus

    def _refresh(self, corpus: Corpus) -> None:
        try:
            corpus.refresh()
            self._refreshed, self._warning = monotonic(), ""
        except (PageQuoteError, OSError) as error:
            if not self._keep:
                raise
            warning = f"Release {corpus.release.name} stays in use. {error}"
            if warning != self._warning:
                _log.warning(warning)
            self._warning = warning


@cache
def _following(path: Path) -> FollowingCorpus:
    return FollowingCorpus(partial(Corpus, path))
