"""Which papers a name means: a key in another case, a DOI, a file, authors and year, a title."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import unquote

from lookup.text import words
from lookup.text.bare import unaccented

_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?:([a-z])(?![a-z]))?(?!\d)")
_DOI = re.compile(r"10\.\d{4,9}/\S+")
_WORD = re.compile(r"[^\W\d_]+|\d+")
KEY_BY_AUTHOR = re.compile(r"([^\W\d_]+)[ _-]?\d{4}[a-z]?")
"""A key that begins with an author, for papers whose authors are not known."""

_PLAIN = re.compile(r"[\w\s.,()&'’-]+")  # Authors and a year, and no path or code.
_MARKS = re.compile(r"^(?:\\\w+\{|\[?@)|[\]}]+$")  # What surrounds a key in LaTeX, Pandoc and Typst.
_LETTERS = str.maketrans("łøđı", "lodi")  # Letters that have no accent to take off.

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

_SMALL = frozenset(words.words_of("between_names"))
"""Words between the names of authors, and particles of names, which are written or not."""

_LEAST_TITLE = 15
"""Letters of a part of a title that may name it, in three words or more: shorter ones stand in several."""

_WHOLE_TITLE = 25  # Letters of a title that may stand in a longer reference.
_MOST = 10  # Papers that a name may mean: more are none that could be listed.

_TELLING = 8
"""Words of a name, the longest, of which a paper that it may mean has one: not all papers are read."""

_NEAREST = 3  # Papers named, at most, where a name means none.
_CLOSE_KEY = 70.0  # Likeness of letters, to 100, from which a key may be meant: "leal" and "bilal" have 67.
_CLOSE_NAME = 60.0
_LETTERS_ALONE = partial(re.sub, r"[\W\d_]", "")  # Of a key: a year that two share makes them no more alike.

_AUTHORS = "array_to_string(authors, ' ')"
_CALLED = (
    f"strip_accents(translate(lower(concat_ws(' ', key, title, {_AUTHORS}, year, doi, path, "
    f"replace(replace(replace(lower({_AUTHORS}), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'))), 'łøđı', 'lodi'))"
)
"""All that a paper may be called by, folded as `words_of` folds a name."""


class NamedPaper(NamedTuple):
    """A paper, and all that it may be called by."""

    key: str
    title: str | None
    authors: Sequence[str]
    year: int | None
    doi: str | None
    path: str


class _Name(NamedTuple):
    """A name, read as authors and a year."""

    text: str
    words: Sequence[set[str]]
    plain: str
    year: int | None
    suffix: str


def words_of(name: str) -> list[str]:
    """Return the words of a name, folded, as `NAMED` in SQL holds them."""
    return _WORD.findall(unaccented(name).translate(_LETTERS))


def letters(text: str) -> str:
    """Return the letters and digits of a text, without case and accents."""
    return "".join(words_of(text))


def meant(papers: Sequence[NamedPaper], name: str) -> list[str]:
    """Return the keys of the papers that `name` may mean: one, where it is clear which.

    Each reading of the name is tried in turn, and the first that a paper answers decides. Nothing is guessed:
    a misspelt name means none.
    """
    name = _MARKS.sub("", unicodedata.normalize("NFC", unquote(name)).strip())
    if not letters(name):
        return []
    if doi := _DOI.search(name.casefold()):
        wanted = doi[0].rstrip(".,;)]}>\"'")
        return [one.key for one in papers if (one.doi or "").casefold() == wanted]
    asked = _read(name)
    for answers in zip(*(_readings(one, asked) for one in papers), strict=True):
        if found := [one.key for one, answered in zip(papers, answers, strict=True) if answered]:
            return found if len(found) <= _MOST else []
    return []


def _read(name: str) -> _Name:
    year = _YEAR.search(name.casefold())
    rest = name[: year.start()] + " " + name[year.end() :] if year else name
    rest = re.sub(r"['’]s\b", "", rest)
    written = _WORD.findall(unicodedata.normalize("NFC", rest))
    written = [one for one in written if unaccented(one) not in _SMALL] or written
    suffix = (year[2] or "") if year else ""
    plain = letters("".join(written)) + (year[1] + suffix if year else "")
    return _Name(name, [_forms(one) for one in written], plain, int(year[1]) if year else None, suffix)


def _readings(paper: NamedPaper, name: _Name) -> Iterator[bool]:
    """Yield whether the name is that of the paper, in each way to read it; the surest comes first."""
    asked = letters(name.text)
    yield paper.key.casefold() == name.text.casefold().removesuffix(".pdf")
    path, file = (unicodedata.normalize("NFC", text).casefold() for text in (paper.path, name.text))
    file = file.replace("\\", "/")
    yield f"/{path}".endswith((f"/{file}", f"/{file}.pdf")) or file.endswith(f"/{path}")
    # The first authors, in their order, with the paper's year, and no other words; the key with spaces.
    # The year of the paper, and the one in its key: an article may appear in two.
    own = {int(year) for year, _ in _YEAR.findall(paper.key)} | ({paper.year} if paper.year else set())
    lettered = not name.suffix or paper.key.casefold().endswith(f"{name.year}{name.suffix}")
    fits = lettered and (name.year is None or name.year in own)
    left = _authors_left(paper, name) if fits else None
    yield left == []
    yield bool(_PLAIN.fullmatch(name.text)) and letters(paper.key) in (name.plain, asked)
    # The first authors with words of the title; the whole title.
    words, title = _forms(paper.title or ""), letters(paper.title or "")
    yield bool(left) and all(not one.isdisjoint(words) for one in left or ())
    yield bool(title) and title == asked
    # A reference: the title stands in it, and no other year than the paper's. A part of the title.
    years = {int(year) for year, _ in _YEAR.findall(name.text.casefold())}
    of_year = not years or not own or not years.isdisjoint(own)
    yield len(title) >= _WHOLE_TITLE and title in asked and of_year
    yield len(words_of(name.text)) > 2 and len(asked) >= _LEAST_TITLE and asked in title


def _authors_left(paper: NamedPaper, name: _Name) -> list[set[str]] | None:
    """Return the words that name no author; None, unless the paper's first authors are named, in order."""
    families = [_forms(_split(author)[0]) for author in paper.authors]
    families = [(forms - _SMALL) or forms for forms in families]
    if not families and (key := KEY_BY_AUTHOR.fullmatch(paper.key)):
        families = [_forms(key[1])]
    given = {form for author in paper.authors for form in _forms(_split(author)[1])}
    given |= {name[0] for name in given}  # their initials
    named, left = set(), []
    for word in name.words:
        of = next((i for i, family in enumerate(families) if not family.isdisjoint(word)), None)
        if of is not None:
            named.add(of)
        elif word.isdisjoint(given):
            left.append(word)
    return left if named and named == set(range(len(named))) else None


def _split(author: str) -> tuple[str, str]:
    """Return the family name and the given names of "Fan, Jing" or "Jing Fan"."""
    family, comma, given = author.partition(",")
    if comma:
        return family, given
    words = author.split()
    first = len(words) - 1
    while first > 1 and unaccented(words[first - 1]) in _SMALL:
        first -= 1
    return " ".join(words[first:]), " ".join(words[:first])


def _forms(text: str) -> set[str]:
    """Return the words of a text, with and without the e of umlauts, in parts and with hyphens closed."""
    text = unicodedata.normalize("NFC", text)
    spelt = (text, text.casefold().translate(_UMLAUTS))
    closed = (re.sub(r"(?<=\w)[-‐‑'’](?=\w)", "", one) for one in spelt)
    return {word for one in (*spelt, *closed) for word in words_of(one)}


Select = Callable[..., list[tuple[Any, ...]]]
"""Returns the rows of a query with parameters over a release: `Database.select`."""


def named(select: Select, name: str) -> list[NamedPaper]:
    """Return the papers that have one of the long words of a name in what they may be called by."""
    telling = sorted(set(words_of(unquote(name))), key=len, reverse=True)[:_TELLING]
    if not telling:
        return []
    where = " OR ".join(["contains(called, ?)"] * len(telling))
    rows = select(
        f"SELECT key, title, authors, year, doi, path FROM (FROM papers SELECT *, {_CALLED} AS called) "
        f"WHERE {where} ORDER BY key",
        telling,
    )
    return [NamedPaper(key, title, tuple(authors or ()), *rest) for key, title, authors, *rest in rows]


def nearest(select: Select, name: str) -> list[str]:
    """Return the keys of papers with authors, title or year of a name, else keys spelt like it."""
    from rapidfuzz import fuzz, process  # for a name that means no paper  # noqa: PLC0415

    called = {
        one.key: " ".join(words_of(" ".join([*one.authors, str(one.year or ""), one.title or ""])))
        for one in named(select, name)
    }
    asked, scorer = " ".join(words_of(name)), fuzz.token_set_ratio
    near = process.extract(asked, called, scorer=scorer, limit=_NEAREST, score_cutoff=_CLOSE_NAME)
    if not near:
        keys = {key: key for (key,) in select("SELECT key FROM papers ORDER BY key")}
        near = process.extract(
            name.lower(),
            keys,
            scorer=fuzz.ratio,
            processor=_LETTERS_ALONE,
            limit=_NEAREST,
            score_cutoff=_CLOSE_KEY,
        )
    return [key for *_, key in near]
