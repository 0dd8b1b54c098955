"""Works that a document cites by what a reference manager knows, and the papers that they are."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from lookup.corpus import Corpus
from lookup.results.papers import PaperSummary
from lookup.text.bare import unaccented
from pagequote.check.quotation import Quotation

_SHOWN = 60  # Characters of a title that are shown.
_ALIKE = 0.5  # Share of the longer words of a title that another has, from which both may be of one work.
_SAME = 0.9  # The same, where their DOIs differ.

_LONG_WORD = 4

_BEFORE = 3  # Words with a capital that may stand before the authors of a citation in plain words.


class CitedWork(NamedTuple):
    """A work that is cited. `name` is how it is called where no paper is it; the rest may be ''."""

    name: str
    key: str = ""
    doi: str = ""
    title: str = ""
    author_year: str = ""

    @classmethod
    def of(cls, key: object, doi: object, title: object, author: str, year: str) -> Self:
        """Return a work, named by its author, year and title."""
        its_key, its_doi, its_title = (str(one or "").strip() for one in (key, doi, title))
        author_year = " ".join(filter(None, (author, year)))
        shown = ", ".join(filter(None, (author_year, its_title[:_SHOWN]))) or its_key or its_doi or "a work"
        return cls(shown, its_key, its_doi, its_title, author_year)


def with_keys(
    corpus: Corpus, quotations: Sequence[Quotation], works: Mapping[str, CitedWork]
) -> list[Quotation]:
    """Return the quotations with keys of papers in place of the names of works that they are."""
    keys = {name: key for name, work in works.items() if (key := _paper(corpus, work))}
    if not keys:
        return list(quotations)
    return [
        one._replace(
            keys=tuple(keys.get(name, name) for name in one.keys),
            each=tuple((keys.get(name, name), locator) for name, locator in one.each),
        )
        for one in quotations
    ]


def _paper(corpus: Corpus, work: CitedWork) -> str | None:
    """Return the key of the one paper that a work is: by its key, DOI, title, or author and year."""
    if not any((work.key, work.doi, work.title, work.author_year)):
        words = work.name.split()  # "As Okafor et al. 2021": a sentence begins with any word
        for first in range(min(len(words) - 1, _BEFORE)):
            if named := corpus.resolve(" ".join(words[first:])):
                return named[0].key if len(named) == 1 else None
        return None
    for name in filter(None, (work.key, work.doi, work.title, work.author_year)):
        papers = [one for one in corpus.resolve(name) if _may_be(one, work)]
        if len(papers) == 1:
            return papers[0].key
    return None


def _may_be(paper: PaperSummary, work: CitedWork) -> bool:
    """Return whether nothing that is known of both tells a paper from a work.

    A preprint and its article have two DOIs and one title.
    """
    two = bool(paper.doi and work.doi)
    if two and work.doi.casefold().endswith((paper.doi or "").casefold()):
        return True
    if paper.title and work.title:
        ours, theirs = _telling(paper.title), _telling(work.title)
        return len(ours & theirs) >= (_SAME if two else _ALIKE) * max(1, min(len(ours), len(theirs)))
    return not two


def _telling(title: str) -> set[str]:
    return {word for word in unaccented(title).split() if len(word) >= _LONG_WORD}
