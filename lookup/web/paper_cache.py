"""What is known of a paper, held for a release: a page of answers needs it again and again."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

from lookup.corpus import Corpus
from lookup.papers.original_pdf import Original
from lookup.results.papers import Page, PaperSummary

_HELD = 1000
"""Papers of which the facts are held, some 10 kB each."""


@dataclass(frozen=True)
class Facts:
    """A paper, its pages in order, and the PDF that it was read from."""

    paper: PaperSummary
    pages: tuple[Page, ...]
    original: Original


class HeldFacts:
    """The facts of the papers that were asked for last."""

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, str], Facts] = OrderedDict()
        self._lock = Lock()

    def of(self, corpus: Corpus, key: str) -> Facts:
        """Those of the paper `key`; raises UnknownKeyError."""
        place = (corpus.release.name, key)
        with self._lock:
            if place in self._held:
                self._held.move_to_end(place)
                return self._held[place]
        facts = Facts(corpus.paper(key), corpus.pages(key), corpus.original(key))
        if corpus.release.name == place[0]:  # else some of them may be of the next release
            with self._lock:
                self._held[place] = facts
                if len(self._held) > _HELD:
                    self._held.popitem(last=False)
        return facts
