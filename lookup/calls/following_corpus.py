"""A corpus that is asked for as long as a server runs."""

import logging
import os
import threading

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError

_log = logging.getLogger("pagequote")


class NewestCorpus:
    """The corpus at a path, at its newest release whenever it is called. Safe to share between threads.

    It is opened by the first call, which raises what `lookup.open` does; so does the next one, until there is a corpus. From then on
    a release that cannot be read leaves the one before in use.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._corpus: Corpus | None = None
        self._said = ""

    def __call__(self) -> Corpus:
        """The open corpus; raises PageQuoteError where none could be opened yet."""
        with self._lock:
            if self._corpus is None:
                self._corpus = Corpus(self._path)
                return self._corpus
            try:
                self._corpus.refresh()
                self._said = ""
            except (PageQuoteError, OSError) as error:
                self._warn(f"Release {self._corpus.release.name} stays in use. {error}")
            return self._corpus

    def _warn(self, text: str) -> None:
        if text != self._said:
            _log.warning(text)
            self._said = text
