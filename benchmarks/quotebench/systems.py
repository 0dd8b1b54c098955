"""What is compared. To add a system: a class with `name` and `ask`, listed in `systems`; see README.md."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import accumulate
from pathlib import Path
from typing import Any

import pymupdf

from quotebench.cases import Case, Expected
from quotebench.papers import Paper, Rect

_SAME, _LIKE = 99.0, 80.0
"""rapidfuzz's partial ratio from which words count as printed, and as printed otherwise."""


@dataclass(frozen=True)
class Answer:
    """What a system says: whether the words are printed, on which page (0: none), and where (None: it tells
    no place).
    """

    verdict: Expected
    page: int = 0
    boxes: Sequence[Rect] | None = None


class System(ABC):
    """A system that is asked for quotes in one paper after the other."""

    name: str

    @abstractmethod
    def ask(self, paper: Paper, case: Case) -> Answer:
        """Return what the system says of a case. What it keeps of a paper it may keep between calls."""


class PageQuote(System):
    """This project, over a corpus of the papers."""

    def __init__(self, corpus: Path) -> None:
        import lookup

        self.name = f"pagequote {version('pagequote')}"
        self._corpus = lookup.open(corpus)

    def ask(self, paper: Paper, case: Case) -> Answer:
        judged = self._corpus.verify(case.words, paper.key, case.page)
        if judged.match is None or judged.verdict not in ("verbatim", "abridged"):
            return Answer("not printed", judged.match.page if judged.match else 0)
        boxes = [(one.x0, one.y0, one.x1, one.y1) for one in judged.match.boxes]
        verdict: Expected = "abridged" if judged.verdict == "abridged" else "printed"
        return Answer(verdict, judged.match.page, boxes)


class PlainSearch(System):
    """What a viewer's search finds: MuPDF's own."""

    name = f"PyMuPDF {pymupdf.VersionBind} search_for"

    def ask(self, paper: Paper, case: Case) -> Answer:
        opened = _opened(paper.pdf)
        for number in range(len(opened)):
            found = opened[number].search_for(case.words)
            if found:
                turned = [one * opened[number].rotation_matrix for one in found]
                return Answer("printed", number + 1, [(one.x0, one.y0, one.x1, one.y1) for one in turned])
        return Answer("not printed")


class RapidFuzz(System):
    """The best alignment in each page's text."""

    def __init__(self) -> None:
        from rapidfuzz import fuzz

        self.name = f"rapidfuzz {version('rapidfuzz')}, partial ratio {_SAME:.0f}"
        self._ratio = fuzz.partial_ratio

    def ask(self, paper: Paper, case: Case) -> Answer:
        asked = " ".join(case.words.split()).casefold()
        scores = [self._ratio(asked, " ".join(text.split()).casefold()) for text in page_texts(paper.pdf)]
        best = max(range(len(scores)), key=scores.__getitem__)
        return Answer(
            "printed" if scores[best] >= _SAME else "not printed", best + 1 if scores[best] >= _LIKE else 0
        )


class _OverText(System):
    """A system that reads a text and gives an offset."""

    @abstractmethod
    def offset(self, words: str, text: str) -> tuple[bool, int | None]:
        """Return whether the words count as printed, and where."""

    def ask(self, paper: Paper, case: Case) -> Answer:
        texts = page_texts(paper.pdf)
        printed, at = self.offset(case.words, "\n".join(texts))
        borders = list(accumulate(len(text) + 1 for text in texts))
        page = 0 if at is None or at < 0 else bisect_right(borders, at) + 1
        return Answer("printed" if printed else "not printed", page)


class Gtrex(_OverText):
    """gtrex, with its default policy."""

    def __init__(self) -> None:
        gtrex = import_module("gtrex")
        self.name = f"gtrex {version('gtrex')}"
        self._verifier = lru_cache(4)(gtrex.Verifier)

    def offset(self, words: str, text: str) -> tuple[bool, int | None]:
        certificate = self._verifier(text).verify(words)
        return bool(certificate.grounded), certificate.start


class QuoteCheck(_OverText):
    """quotecheck: found, drift or absent."""

    def __init__(self) -> None:
        self._check = import_module("quotecheck").check
        self.name = f"quotecheck {version('quotecheck')}"

    def offset(self, words: str, text: str) -> tuple[bool, int | None]:
        match = self._check(words, text)
        return bool(match.ok), match.offset


class Citations(System):
    """citations: one quotation against a file, which it reads itself."""

    def __init__(self) -> None:
        self._check = import_module("citations").check_one
        self.name = f"citations {version('citations')}"

    def ask(self, paper: Paper, case: Case) -> Answer:
        result = self._check(case.words, paper.pdf, case.page or None)
        state = str(getattr(result.state, "value", result.state))
        if state == "unchecked":
            raise SystemExit(f"{self.name} cannot read {paper.pdf}: {result.detail}")
        found = state == "found"
        return Answer("printed" if found else "not printed", result.page_found or 0)


class CiteFact(_OverText):
    """citefact: its search of a quotation in a source; what is only like it counts as modified."""

    def __init__(self) -> None:
        quotes = import_module("citefact.checks.quotes")
        self.name = f"citefact {version('citefact')}"
        self._quote, self._source = quotes.normalize, lru_cache(4)(quotes.normalize_with_map)

    def offset(self, words: str, text: str) -> tuple[bool, int | None]:
        normal, origin = self._source(text)
        at = normal.find(self._quote(words))
        return at >= 0, origin[at] if at >= 0 else None


class PageCite(System):
    """pagecite: a quotation on the cited page, else on the page where it says that it is."""

    def __init__(self) -> None:
        self._check = import_module("pagecite.verify").check_quote
        self.name = f"pagecite {version('pagecite')}"

    def ask(self, paper: Paper, case: Case) -> Answer:
        check = self._check(case.words, [case.page] if case.page else [], page_texts(paper.pdf))
        pages = [case.page] if check.status == "verified" else check.found_on
        return Answer("printed" if pages else "not printed", pages[0] if pages else 0)


def systems(corpus: Path, only: str = "") -> Iterator[System]:
    """Return this project and the others that are installed, or those alone whose class is called so."""
    others = (PlainSearch, RapidFuzz, Gtrex, QuoteCheck, Citations, CiteFact, PageCite)
    makers: tuple[Callable[[], System], ...] = (partial(PageQuote, corpus), *others)
    for make in makers:
        if only.casefold() not in getattr(make, "__name__", "PageQuote").casefold():
            continue
        try:
            yield make()
        except (ModuleNotFoundError, PackageNotFoundError):
            continue


@lru_cache(2)
def _opened(pdf: Path) -> Any:
    opened: Any = pymupdf.open
    return opened(pdf)


@lru_cache(2)
def page_texts(pdf: Path) -> list[str]:
    """Return the text of each page, as MuPDF gives it."""
    return [page.get_text() for page in _opened(pdf)]
