"""Works that a manuscript cites as a reference manager does, or in words, and the papers that they are."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple, Self

from lookup.corpus import Corpus
from lookup.results.papers import PaperSummary
from pagequote.check.quotation import Name, Quotation


class PaperNames(NamedTuple):
    """A paper whose author a manuscript names."""

    key: str
    title: frozenset[str]
    families: tuple[str, ...]
    year: int | None
    told: bool = True
    """Whether its authors are known; else any word of its title, key or file may be one."""


def _meant(corpus: Corpus, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the keys of the papers that each name means: one, several that it does not part, or none.

    A name has an author and agrees with the year, or with words of the title; or nothing else, and its
    author wrote one paper, or one that was cited before.
    """
    words = sorted({word for name in names for word in words_of(name)})
    candidates = [_candidate(*row) for row in (corpus.sql(_BY_AUTHORS, [words, words]) if words else ())]
    meant: dict[str, tuple[str, ...]] = {}
    cited: list[str] = []
    for name in names:
        said, years = words_of(name), {int(one) for one in _YEAR.findall(name)}
        spaced = f" {' '.join(said)} "
        scored = []
        for one in candidates:
            at = [spaced.find(f" {family} ") for family in one.families]
            if any(place >= 0 for place in at):
                first = at[0] >= 0  # the first author: others are named beside
                scored.append((_score(one, frozenset(said), years, cited) + 0.1 * first, one.key))
        best = max((score for score, _ in scored), default=0.0)
        keys = tuple(key for score, key in scored if score == best >= _LEAST)
        if len(keys) > 1 and (again := [key for key in cited if key in keys]):
            keys = (again[-1],)
        meant[name] = keys if len(keys) <= _MOST else ()
        cited += keys if len(keys) == 1 else ()
    return meant


def _score(one: PaperNames, said: frozenset[str], years: set[int], cited: Sequence[str]) -> float:
    titled = said & one.title
    share = len(titled) / max(1, len(one.title))
    if not one.told:
        return 1.0 + share if share >= _TITLE and len(titled) > 1 else 0.0
    authors = {word for family in one.families for word in family.split()}
    others = any(map(_is_long, said - authors - _EMPTY))
    if years:
        if one.year in years:
            return 2.0 + share
        return 1.0 + share if share >= _TITLE and len(titled) > 1 else 0.0
    if titled:
        return 1.0 + share + 0.5 * (one.key in cited)
    return 1.0 * (not others or one.key in cited)


_LEAST = 1.0
_MOST = 5
"""Papers that a name may leave open: the one that prints the words best decides."""

_TITLE = 0.5
"""Share of the longer words of a title that a name has, that mean this title whatever the year is."""

_LONG_WORD = 4
_YEAR = re.compile(r"\b(?:1[4-9]|20)\d\d(?=[a-z]?\b)")
_WORD = re.compile(r"[^\W\d_]+")
_EMPTY = frozenset(
    """
    and und with from cit loc see also note here wie dans avec hier press verlag passim supra ibid page pages
    seite seiten vgl siehe voir they their this that
    """.split()  # read as words
)
_BY_AUTHORS = r"""
    SELECT key, title, authors, year, regexp_extract(path, '[^/]*$') FROM papers
    WHERE list_has_any(
        list_transform(
            authors, lambda one: regexp_extract(strip_accents(lower(split_part(one, ',', 1))), '\w+$')
        ), ?)
    OR len(authors) = 0 AND list_has_any(
        regexp_extract_all(
            strip_accents(lower(concat_ws(' ', key, title, regexp_extract(path, '[^/]*$')))), '[a-z]{4,}'
        ), ?)
    ORDER BY key
"""


def names_author(paper: PaperSummary, said: str) -> bool:
    """Return whether a text, or a key, names an author of the paper."""
    spaced = f" {' '.join(words_of(said))} "
    families = (" ".join(words_of(author.partition(",")[0])) for author in paper.authors)
    return any(family and f" {family} " in spaced for family in families)


def _candidate(
    key: str, title: str | None, authors: Sequence[str], year: int | None, file: str
) -> PaperNames:
    if not authors:
        # The longer of both: a file may be called by author and title, or scan0007.
        named = max((words_of(one) for one in (title or "", f"{key} {file.removesuffix('.pdf')}")), key=len)
        every = frozenset(filter(_is_long, named))
        return PaperNames(key, every, tuple(every), year, told=False)
    families = tuple(" ".join(words_of(author.partition(",")[0])) for author in authors)
    return PaperNames(key, long_words(title or ""), tuple(filter(None, families)), year)


def long_words(text: str) -> frozenset[str]:
    """Return the words of a text that tell one title from another."""
    return frozenset(filter(_is_long, words_of(text)))


def _is_long(word: str) -> bool:
    return len(word) >= _LONG_WORD


def words_of(text: str) -> list[str]:
    """Return the words of a text without case and accents, as DuckDB's strip_accents does."""
    letters = unicodedata.normalize("NFKD", text.lower())
    return _WORD.findall("".join(char for char in letters if not unicodedata.combining(char)))


_SHOWN = 60  # Characters of a title that are shown.
_ALIKE = 0.5  # Share of the longer words of a title that another has, from which both may be of one work.
_SAME = 0.9  # The same, where their DOIs differ.


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
    cited = (key for one in quotations for key in one.keys)
    if named := list[str](dict.fromkeys(key for key in cited if isinstance(key, Name))):
        files = [name for name in named if name.lower().endswith(".pdf")]
        linked = {name: found for name in files if (found := _keys(corpus, PurePosixPath(name).name))}
        keys |= linked
        named = [name for name in named if name not in linked]
        meant = _meant(corpus, named)
        keys |= {name: found for name in named if (found := meant[name] or _called(corpus, name))}
    made = []
    for one in quotations:
        each = tuple(
            (f"{key}-{locator.part}" if locator and locator.part else key, locator)
            for name, locator in one.each
            for key in keys.get(name, (name,))
        )
        made.append(one if each == one.each else one._replace(each=each, written=one.each))
    return made


def _keys(corpus: Corpus, name: str) -> tuple[str, ...]:
    return tuple(paper.key for paper in corpus.resolve(name))


def _called(corpus: Corpus, name: str) -> tuple[str, ...]:
    """Return the key of the one paper, whose authors nobody has told, that is called so."""
    words = name.split()
    if len(words) > _LONGEST_NAME:
        return ()
    for first in range(min(len(words) - 1, _BEFORE)):  # "As Okafor 2021": a sentence begins with any word
        if found := _keys(corpus, " ".join(words[first:])):
            return found if len(found) == 1 else ()
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
        ours, theirs = long_words(paper.title), long_words(work.title)
        return len(ours & theirs) >= (_SAME if two else _ALIKE) * max(1, min(len(ours), len(theirs)))
    return not two
