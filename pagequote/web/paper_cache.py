"""A cache of papers, their pages and their PDFs: a page of answers needs them again and again."""

from dataclasses import dataclass
from threading import Lock

from cachetools import LRUCache

from lookup.corpus import Corpus
from lookup.papers.original_pdf import Original
from lookup.results.papers import Page, PaperSummary

_HELD = 1000  # Papers in the cache, some 10 kB each.


@dataclass(frozen=True)
class Facts:
    """A paper, its pages in order, and the PDF that it was read from."""

    paper: PaperSummary
    pages: tuple[Page, ...]
    original: Original


class HeldFacts:
    """The facts of the papers used last. Safe to share between threads."""

    def __init__(self) -> None:
        self._held: LRUCache[tuple[str, str], Facts] = LRUCache(_HELD)
        self._lock = Lock()

    def of(self, corpus: Corpus, key: str) -> Facts:
        """Return the facts of the paper `key`. Raise UnknownKeyError."""
        release = corpus.release.name
        with self._lock:
            held = self._held.get((release, key))
        if held is not None:
            return held
        facts = Facts(corpus.paper(key), corpus.pages(key), corpus.original(key))
        if corpus.release.name == release:  # else some of them may be of the next release
            with self._lock:
                self._held[release, key] = facts
        return facts
