"""Works that a manuscript cites as a reference manager does, or in words, and the papers that they are."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple, Self

from lookup.corpus import Corpus
from lookup.results.papers import PaperSummary
from lookup.text.bare import unaccented
from pagequote.check.named_papers import NamedPapers
from pagequote.check.quotation import Name, Quotation

_SHOWN = 60  # Characters of a title that are shown.
_ALIKE = 0.5  # Share of the longer words of a title that another has, from which both may be of one work.
_SAME = 0.9  # The same, where their DOIs differ.

_LONG_WORD = 4


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
    keys: dict[str, tuple[str, ...]] = {
        name: (key,) for name, work in works.items() if (key := _paper(corpus, work))
    }
    named = list(dict.fromkeys(key for one in quotations for key in one.keys if isinstance(key, Name)))
    if named:
        files = _by_file(corpus, named)
        keys.update(files)
        named = [name for name in named if name not in files]
        papers = NamedPapers.of(corpus, named)
        keys |= {name: found for name in named if (found := papers.meant(name) or _called(corpus, name))}
    return [_with(one, keys) for one in quotations]


def _with(quotation: Quotation, keys: Mapping[str, tuple[str, ...]]) -> Quotation:
    each = quotation.each or tuple((name, quotation.locator) for name in quotation.keys)
    if not any(name in keys or (locator and locator.part) for name, locator in each):
        return quotation
    found = tuple(
        (f"{key}-{locator.part}" if locator and locator.part else key, locator)
        for name, locator in each
        for key in keys.get(name, (name,))
    )
    return quotation._replace(keys=tuple(dict(found)), each=found, written="; ".join(quotation.keys))


def _by_file(corpus: Corpus, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the keys of the papers whose files are named: a link to "papers/okafor.pdf" means its paper."""
    stems = {name: PurePosixPath(name).name.lower() for name in names if name.lower().endswith(".pdf")}
    if not stems:
        return {}
    rows = corpus.sql(
        "SELECT key, lower(regexp_extract(path, '[^/]*$')) AS file FROM papers "
        "WHERE list_contains(?, file) OR list_contains(?, lower(key) || '.pdf')",
        [[*stems.values()], [*stems.values()]],
    )
    found = [(key, {file, f"{key.lower()}.pdf"}) for key, file in rows]
    each = {name: tuple(key for key, files in found if stem in files) for name, stem in stems.items()}
    return {name: keys for name, keys in each.items() if keys}


def _called(corpus: Corpus, name: str) -> tuple[str, ...]:
    """Return the key of the one paper, whose authors nobody has told, that is called so."""
    words = name.split()
    if len(words) > _LONGEST_NAME:
        return ()
    for first in range(min(len(words) - 1, _BEFORE)):  # "As Okafor 2021": a sentence begins with any word
        if found := corpus.resolve(" ".join(words[first:])):
            return (found[0].key,) if len(found) == 1 else ()
    return ()


_BEFORE = 3  # Words with a capital that may stand before the authors of a citation in plain words.
_LONGEST_NAME = 8  # Words of authors and year.


def _paper(corpus: Corpus, work: CitedWork) -> str | None:
    """Return the key of the one paper that a work is: by its key, DOI, title, or author and year."""
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
        ours, theirs = _content_words(paper.title), _content_words(work.title)
        return len(ours & theirs) >= (_SAME if two else _ALIKE) * max(1, min(len(ours), len(theirs)))
    return not two


def _content_words(title: str) -> set[str]:
    return {word for word in unaccented(title).split() if len(word) >= _LONG_WORD}
