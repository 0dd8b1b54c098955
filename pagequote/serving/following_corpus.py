"""A corpus that follows its newest release, for processes that run for long."""

import logging
import threading
from collections.abc import Callable
from time import monotonic

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.storage.object_path import ObjectPath

_log = logging.getLogger("pagequote")

_MOMENT = 2.0
"""Seconds between two looks for a newer release in object storage: a look takes longer than most answers."""


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
            if stored_far and monotonic() - self._refreshed <= _MOMENT:
                return self._corpus
            try:
                self._corpus.refresh()
                self._refreshed, self._warning = monotonic(), ""
            except (PageQuoteError, OSError) as error:
                if not self._keep:
                    raise
                warning = f"Release {self._corpus.release.name} stays in use. {error}"
                if warning != self._warning:
                    _log.warning(warning)
                self._warning = warning
            return self._corpus
