"""Which entry of a library each file is, and which key it gets: tables of both, joined by DuckDB.

The rules, in order; what one settles, those after it leave. An entry of a library is the file

1. at a path that it names;
2. that has a name which it names, where nothing is at its paths; of several, that whose path ends most like;
3. whose own key (`own_key`) is the entry's, where the entry names no path;
4. that prints its DOI, its identifier at arXiv, its title and an author, or these two on its first pages.

The first file of an entry has its key, further ones KEY-S1, KEY-S2. Of two entries that of a library which is
a source counts, then the smaller key. A file that is no entry has the key

5. of its name, where such keys are asked for, or where it can be cited in LaTeX, Pandoc and Typst;
6. of the last build, at its path, else of its content, if it would be made so again: they stay;
7. of author and year, else of its name made fit, with the first ending that is free.

Of files with one key the first counts, and a copy that PageQuote marked never does.
"""

import os
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, count, product
from operator import attrgetter
from pathlib import Path
from string import ascii_lowercase
from typing import Any, Literal

import duckdb
import pyarrow as pa

from lookup.text.bare import unaccented
from lookup.text.folding import blind, fold
from pipeline.libraries.entries import LibraryEntry, Metadata
from pipeline.sources.files import is_marked_copy, real_path
from pipeline.sources.source import GENERIC_STEMS, Rejected, Source, told_in_order

Keys = Literal["auto", "author-year", "file"]
"""The kinds of keys: 'auto' takes the file's name where it is fit, else author and year."""

_FIT = re.compile(r"[^\W\d_]\w*(?:[:.+-]\w+)*")
"""A name that all citation syntaxes take without braces, and that begins with a letter."""

_MACROS = r"""
    CREATE MACRO endings(path) AS list_transform(
        range(1, len(regexp_split_to_array(path, '[/\\]')) + 1),
        lambda first: array_to_string(regexp_split_to_array(path, '[/\\]')[first:], '/'));
    CREATE MACRO begins(whole, words) AS len(string_split(words, ' ')) >= 5 AND starts_with(
        whole || ' ', words || if(length(string_split(words, ' ')[-1]) < 3, ' ', ''))"""
"""The ends of a path, each of whole names; and whether a title begins with some words.

The last of the words may have been cut: subtitles are often left out. A word of one or two letters is whole:
"I" is not the beginning of "II".
"""


_OWNERS = """
    WITH at_path AS (SELECT entry, file, min(place) AS place FROM paths WHERE file IS NOT NULL GROUP BY ALL),
    lost AS (FROM entries ANTI JOIN at_path USING (entry) WHERE NOT there),
    ends AS (
        SELECT ending, count(*) AS files, min(file) AS file
        FROM (SELECT file, unnest(endings(path)) AS ending FROM files SEMI JOIN paths USING (name))
        GROUP BY ending),
    named AS (
        SELECT entry, arg_max(file, length(ending)) AS file, arg_max(files, length(ending)) AS files
        FROM (SELECT entry, path, unnest(endings(path)) AS ending FROM paths SEMI JOIN lost USING (entry))
        JOIN ends USING (ending) GROUP BY entry, path
        UNION ALL SELECT entry, min(file), count(*) FROM (FROM lost ANTI JOIN paths USING (entry))
        JOIN files ON own = key GROUP BY entry),
    owners AS (
        SELECT file, entry, place FROM at_path JOIN entries USING (entry)
        QUALIFY row_number() OVER (PARTITION BY file, key ORDER BY entry) = 1
        UNION ALL SELECT file, min(entry), NULL
        FROM named ANTI JOIN at_path USING (file) JOIN entries USING (entry) WHERE files = 1
        GROUP BY file HAVING count(DISTINCT key) = 1),
    places AS (
        SELECT o.file, entry, least(any_value(o.place), min(p.place)) AS place
        FROM owners o JOIN files f USING (file) LEFT JOIN paths p USING (entry, name) GROUP BY ALL)
    SELECT file, list(entry ORDER BY entry), coalesce(arg_min(place, entry), 0) FROM places GROUP BY file
"""
"""The entries of each file by the rules 1 to 3, and its place in the first.

An entry whose name leads to several files alike is none of them; a file that two keys claim by its name is of
none.
"""


def owners_of(
    entries: Sequence[LibraryEntry],
    files: Mapping[str, Path],
    own_keys: Mapping[str, str],
    there: Container[Path],
) -> dict[str, tuple[list[LibraryEntry], int]]:
    """Return by real path the entries that each file is, and its place among the paths of the first of them.

    That gives the key; the others name the file, too. `files` and `own_keys` are by real path, `there` is
    what exists of what the entries name.
    """
    if not (entries and files):
        return {}
    numbers = {file: number for number, file in enumerate(files)}
    rows = _joined(
        _OWNERS,
        entries=((row, one.key, any(map(there.__contains__, one.files))) for row, one in enumerate(entries)),
        paths=(
            (row, place, numbers.get(real_path(file)), path, file_name(path))
            for row, one in enumerate(entries)
            for place, file in enumerate(one.files)
            for path in spellings(file)
        ),
        files=(
            (number, _normal(files[file]), file_name(files[file]), own_keys[file])
            for file, number in numbers.items()
        ),
    )
    names = list(files)
    return {names[file]: ([entries[one] for one in found], place) for file, found, place in rows}


def spellings(file: Path) -> set[str]:
    """Return a path as an entry writes it, and without LaTeX."""
    from pipeline.libraries.bibtex import plain_name  # noqa: PLC0415  # a folder of PDFs does without

    return {_normal(file), _normal(plain_name(str(file)))}


def file_name(path: Path | str) -> str:
    """Return the name of a file, whatever slashes and normal form its path has."""
    return re.split(r"[/\\]", _normal(path))[-1]


def _normal(path: Path | str) -> str:
    """Return a path in characters that a table can hold."""
    return unicodedata.normalize("NFC", os.fsencode(str(path)).decode(errors="replace"))


def precedence(entry: LibraryEntry) -> tuple[bool, str, Path]:
    """Return where an entry comes among others: those of sources are first."""
    return not entry.adds, entry.key, entry.library


_NUMBERS = dict.fromkeys(("row", "entry", "file", "place", "year", "pages"), pa.int64())
_LISTS = dict.fromkeys(("first", "families", "begun"), pa.list_(pa.string()))
_WORK = "row", "doi", "arxiv", "title", "words", "first", "families", "year", "pages", "front", "begun"
_COLUMNS = {
    "entries": ("entry", "key", "there"),
    "paths": ("entry", "place", "file", "path", "name"),
    "files": ("file", "path", "name", "own"),
    "lost": _WORK,
    "pdfs": _WORK,
}
"""The tables of entries, of the paths they name, and of files; and of works, as cited and as printed."""


@cache
def _database() -> duckdb.DuckDBPyConnection:
    """Return the database of this process, empty but for the macros: to open one takes longer than a join."""
    database = duckdb.connect(config={"threads": 1})
    database.execute(_MACROS)
    return database


def _joined(query: str, **tables: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Return the rows of a query of these tables."""
    types = {**_NUMBERS, **_LISTS, "there": pa.bool_()}
    with _database().cursor() as connection:
        for name, rows in tables.items():
            shape = pa.schema([(column, types.get(column, pa.string())) for column in _COLUMNS[name]])
            held = [dict(zip(shape.names, row, strict=True)) for row in rows]
            connection.register(name, pa.Table.from_pylist(held, shape))
        return connection.execute(query).fetchall()


@dataclass(frozen=True)
class Printed:
    """What a PDF says of itself: its metadata, the identifier in arXiv's stamp, and its number of pages.

    `front` are the letters and digits (`blind`) of its first pages, where title or authors are not known.
    """

    metadata: Metadata
    arxiv: str | None = None
    pages: int = 0
    front: str = ""


@dataclass(frozen=True)
class NamedSources:
    """The sources by key, the rejects by path; entries with and without a PDF, PDFs without an entry."""

    sources: list[Source] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    with_pdf: int = 0
    without_pdf: tuple[str, ...] = ()
    without_entry: tuple[str, ...] = ()


def name_sources(
    candidates: Sequence[Source],
    rejected: Sequence[Rejected],
    printed: Mapping[str, Printed],
    keys: Keys,
    before: Mapping[str, str],
    unread: Collection[str] = (),
    own_library: Path | None = None,
) -> NamedSources:
    """Return the sources with their entries and keys, no key twice, by the rules 4 to 7.

    `printed` is by SHA-256, the keys of the last build by path and by SHA-256. Sources that are still
    `unread` have the keys of the last build or of their names for now, twice or not. `own_library` is that of
    added papers, which says nothing of other PDFs.
    """
    lost = [one.entry for one in rejected if one.entry is not None]
    free = {one.path: printed[one.sha256] for one in candidates if not one.library and one.sha256 in printed}
    matched = matches(lost, free)
    settled = [
        replace(one, key=entry.key, metadata=entry.metadata, library=entry.library)
        if (entry := matched.get(one.path))
        else one
        for one in candidates
    ]
    settled.sort(key=lambda one: one.library is None)
    served = {entry.key for entry in matched.values()}
    refused = [one for one in rejected if one.entry is None or one.entry.key not in served]
    named = _with_keys(settled, printed, keys, before)
    waiting = {one.path for one in named if not one.library and one.sha256 in unread}
    later = [replace(one, key=_before(one, before) or one.key) for one in named if one.path in waiting]
    kept, refused = without_doubles((one for one in named if one.path not in waiting), refused)
    without = tuple(sorted({one.entry.key for one in refused if one.entry is not None}))
    of_library = [one for one in kept if one.library not in (None, own_library)]
    strangers = [one.key for one in kept if not one.library] if of_library or without else []
    return NamedSources(
        sorted([*kept, *later], key=attrgetter("key", "path")),
        told_in_order(refused),
        len(of_library),
        without,
        tuple(strangers),
    )


def without_doubles(
    sources: Iterable[Source], rejected: Iterable[Rejected]
) -> tuple[list[Source], list[Rejected]]:
    """Return the sources by key, of each key the first, without copies of entries' files; and all rejects.

    Further PDFs of a library's entry are its supplements: KEY-S1, KEY-S2.
    """
    refused, sources = set(rejected), list(sources)
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(1))
    taken = {source.key for source in sources}
    of_entries = {source.sha256 for source in sources if source.library is not None}
    kept: dict[str, Source] = {}
    for source in sources:
        if source.library is None and source.sha256 in of_entries:
            continue  # a copy of a file that is an entry's
        first = kept.setdefault(source.key, source)
        if first is source:
            continue
        if is_marked_copy(first.path) and not is_marked_copy(source.path):
            kept[source.key], source, first = source, first, source  # noqa: PLW2901
        same_entry = source.library and (source.library, source.metadata) == (first.library, first.metadata)
        if same_entry and source.sha256 != first.sha256 and not is_marked_copy(source.path):
            number = next(number for number in numbers[source.key] if f"{source.key}-S{number}" not in taken)
            title = f"{source.metadata.title or source.key}, supplement {number}"
            metadata = replace(source.metadata, title=title, doi=None, abstract=None)
            supplement = replace(source, key=f"{source.key}-S{number}", metadata=metadata)
            taken.add(supplement.key)
            kept[supplement.key] = supplement
        else:
            detail = f"{str(first.path)!r} has the same key and was kept. "
            detail += "Rename one, or give each its own key in a .bib."
            refused.add(Rejected(source.path, source.key, source.sha256, "duplicate key", detail))
    return [kept[key] for key in sorted(kept)], told_in_order(refused)


_BEGUN = 20  # Letters and digits of a title, which as many others do not hold by chance.

_MATCHES = f"""
    WITH leads AS (SELECT *, unnest(first) AS family, string_split(words, ' ')[:4] AS head FROM lost),
    named AS (SELECT *, unnest(families) AS family, string_split(words, ' ')[:4] AS head FROM pdfs),
    pairs AS (
        SELECT 1 AS proof, e.row AS entry, p.row AS pdf FROM lost e JOIN pdfs p USING (doi)
        UNION SELECT 2, e.row, p.row FROM lost e JOIN pdfs p USING (arxiv)
        UNION SELECT 3, e.row, p.row FROM leads e JOIN named p USING (family, title)
        UNION SELECT 3, e.row, p.row FROM leads e JOIN named p USING (family, head)
        WHERE (e.doi = p.doi) IS NOT FALSE AND if(
            length(e.words) - length(replace(e.words, ' ', ''))
                <= length(p.words) - length(replace(p.words, ' ', '')),
            begins(p.words, e.words), begins(e.words, p.words))
        UNION SELECT 4, e.row, p.row FROM leads e JOIN (SELECT *, unnest(begun) AS start FROM pdfs) p
        ON left(e.title, {_BEGUN}) = start WHERE contains(p.front, e.title) AND contains(p.front, e.family))
    SELECT entry, pdf FROM pairs JOIN lost e ON e.row = entry JOIN pdfs p ON p.row = pdf
    ORDER BY proof, entry, (e.title = p.title) IS NOT TRUE, p.year IS DISTINCT FROM e.year, p.pages DESC, pdf
"""
"""The pairs of an entry and a PDF that may be its own, the best proof first: the same DOI, arXiv identifier,
title and first author, and these two anywhere on the first pages of a PDF whose own are not known.

Titles are looked for on first pages by their first letters: each on each would take hours.
"""


def matches(entries: Iterable[LibraryEntry], printed: Mapping[Path, Printed]) -> dict[Path, LibraryEntry]:
    """Return the entry of each PDF that has one, no entry, key or PDF twice.

    See _MATCHES. Of several PDFs that fit an entry, such as a paper and its supplement, it is that with the
    entry's title, then that of its year, then the longest.
    """
    by_key = {one.key: one for one in sorted(entries, key=precedence, reverse=True)}
    lost, paths = [by_key[key] for key in sorted(by_key)], sorted(printed)
    if not (lost and paths):
        return {}
    cited = [_row(row, Printed(one.metadata, one.arxiv)) for row, one in enumerate(lost)]
    titles = {title[:_BEGUN] for _, _, _, title, *_ in cited if len(title or "") >= _BEGUN}
    known = (_row(row, printed[path], titles) for row, path in enumerate(paths))
    pairs = _joined(_MATCHES, lost=cited, pdfs=known)
    found: dict[int, int] = {}
    served: set[int] = set()
    for entry, pdf in pairs:
        if pdf not in found and entry not in served:
            found[pdf] = entry
            served.add(entry)
    return {paths[pdf]: lost[entry] for pdf, entry in found.items()}


def _row(row: int, one: Printed, titles: Container[str] = ()) -> tuple[Any, ...]:
    """Return a row of the table; families are there with and without their particles, 'van der Berg'.

    `titles` are the beginnings of those that its front is searched for.
    """
    title, authors = fold(one.metadata.title or ""), one.metadata.authors
    names = [author.partition(",")[0] for author in authors]
    families = [
        list(filter(None, (blind(fold(part)) for part in (name, *name.split()[-1:])))) for name in names
    ]
    words = " ".join(filter(None, map(blind, title.replace("-", " ").split())))
    first, all_ = list(chain(*families[:1])), list(chain(*families))
    arxiv, known = one.arxiv and one.arxiv.lower(), one.metadata
    windows = (one.front[at : at + _BEGUN] for at in range(len(one.front)))
    begun = [window for window in windows if window in titles]
    sized = known.year, one.pages, one.front, begun
    return row, known.doi, arxiv, blind(title) or None, words, first, all_, *sized


def _with_keys(
    sources: Sequence[Source], printed: Mapping[str, Printed], keys: Keys, before: Mapping[str, str]
) -> list[Source]:
    """Return the sources; those that no library names have the keys that `keys` says."""
    if keys == "file":
        return list(sources)
    stay = {one.path for one in sources if one.library or one.sha256 not in printed or _stays(one, keys)}
    named = [one for one in sources if one.path in stay]
    taken = {one.key for one in named}
    free: dict[str, Iterator[str]] = {}
    made = []
    for one in sources:
        if one.path not in stay:
            base = _made_key(completed(one.metadata, printed[one.sha256].metadata), one.key)
            was = _before(one, before)
            ending = r"[a-z]*" if base[-1:].isdigit() else r"(?:-\d+)?"  # as `with_endings` gives one
            made.append((was if re.fullmatch(re.escape(base) + ending, was) else "", base, one))
    for was, base, one in sorted(made, key=lambda each: (not each[0], each[1], each[2].sha256, each[2].path)):
        fresh = free.setdefault(base, with_endings(base))
        key = was if was and was not in taken else next(one for one in fresh if one not in taken)
        taken.add(key)
        named.append(replace(one, key=key))
    return named


def _before(source: Source, before: Mapping[str, str]) -> str:
    return before.get(str(source.path)) or before.get(source.sha256, "")


def to_look_into(candidates: Sequence[Source], rejected: Sequence[Rejected], keys: Keys) -> set[str]:
    """Return the SHA-256 of the sources whose PDF decides their key."""
    lost = any(one.entry is not None for one in rejected)
    return {
        one.sha256
        for one in candidates
        if not one.library and (lost or (keys != "file" and not _stays(one, keys)))
    }


def _stays(source: Source, keys: Keys) -> bool:
    """Return whether the name of the file is the key."""
    return keys == "auto" and bool(_FIT.fullmatch(source.key)) and source.key.lower() not in GENERIC_STEMS


def _made_key(metadata: Metadata, name: str) -> str:
    """Return 'szeto2024' for Szeto et al., 2024; without author or year, the file's name made fit."""
    first = metadata.authors[0] if metadata.authors else ""
    family = "".join(filter(str.isalpha, unaccented(first.partition(",")[0])))
    if family and metadata.year:
        return f"{family}{metadata.year}"
    words = name if _FIT.fullmatch(name) else re.sub(r"[\W_]+", "-", name).strip("-") or "paper"
    return words if _FIT.fullmatch(words) else f"paper-{words}"


def with_endings(key: str) -> Iterator[str]:
    """Yield the key, and the key with each ending: a, b, ..., aa, ... after a digit, else -2, -3, ..."""
    letters = ("".join(some) for length in count(1) for some in product(ascii_lowercase, repeat=length))
    endings = letters if key[-1].isdigit() else (f"-{number}" for number in count(2))
    return (key + ending for ending in chain([""], endings))


def completed(of_name: Metadata, printed: Metadata) -> Metadata:
    """Return the metadata of a paper that prints `printed` and whose file's name tells `of_name`.

    The name's author and year are the user's. A printed list that begins with the same author has more of
    them, and a printed title that begins as the name does is not cut.
    """
    if of_name == Metadata():
        return printed
    same_author = printed.authors and _blind(of_name.authors[0]) in _blind(printed.authors[0])
    whole_title = printed.title and _blind(printed.title).startswith(_blind(of_name.title or ""))
    return replace(
        printed,
        title=printed.title if whole_title else of_name.title,
        authors=printed.authors if same_author else of_name.authors,
        year=of_name.year,
    )


def _blind(text: str) -> str:
    return "".join(filter(str.isalnum, unaccented(text).casefold()))
