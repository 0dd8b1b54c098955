"""Settles the entry and key of each source: one table of entries and PDFs, joined by what the PDFs print.

A key that no library gives is fit to be cited in LaTeX, Pandoc and Typst.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from pipeline.sources.find_sources import without_doubles
from pipeline.sources.source import GENERIC_STEMS, Rejected, Source, told_in_order

Keys = Literal["auto", "author-year", "file"]
"""The kinds of keys: 'auto' takes the file's name where it is fit, else author and year."""

_FIT = re.compile(r"[^\W\d_]\w*(?:[:.+-]\w+)*")
"""A name that all citation syntaxes take without braces, and that begins with a letter."""


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
    """Return the sources with their entries and keys, no key twice.

    `printed` is by SHA-256. A source whose PDF is an entry without a file becomes that entry's paper. Any
    other that no library names has the key that `keys` says; one that a build made `before` (by path, and by
    SHA-256) stays, so that a new paper changes no key. Sources that are still `unread` have the keys of the
    last build or of their names for now, twice or not. `own_library` is that of added papers, which says
    nothing of other PDFs.
    """
    lost = {one.entry.key: (one.entry, one.path) for one in rejected if one.entry is not None}
    free = {one.path: printed[one.sha256] for one in candidates if not one.library and one.sha256 in printed}
    matched = matches([entry for entry, _ in lost.values()], free)
    settled = [
        replace(one, key=entry.key, metadata=entry.metadata, library=lost[entry.key][1])
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


_SAME_WORK = """
    CREATE TEMP MACRO begins(whole, words) AS len(string_split(words, ' ')) >= 5 AND starts_with(
        whole || ' ', words || if(length(string_split(words, ' ')[-1]) < 3, ' ', ''))"""
"""Whether a title begins with some words, of which the last may have been cut: subtitles are often left out.

A word of one or two letters is whole: "I" is not the beginning of "II".
"""

_MATCHES = """
    WITH pairs AS (
        SELECT 1 AS proof, e.row AS entry, p.row AS pdf FROM entries e JOIN pdfs p USING (doi)
        UNION SELECT 2, e.row, p.row FROM entries e JOIN pdfs p USING (arxiv)
        UNION SELECT 3, e.row, p.row
        FROM (SELECT *, unnest(first) AS family FROM entries) e
        JOIN (SELECT *, unnest(families) AS family FROM pdfs) p USING (family)
        WHERE e.title = p.title OR ((e.doi = p.doi) IS NOT FALSE AND if(
            length(e.words) - length(replace(e.words, ' ', ''))
                <= length(p.words) - length(replace(p.words, ' ', '')),
            begins(p.words, e.words), begins(e.words, p.words)))
        UNION SELECT 4, e.row, p.row FROM entries e JOIN pdfs p ON contains(p.front, e.title)
        WHERE length(e.title) >= 20 AND len(list_filter(e.first, lambda one: contains(p.front, one))) > 0)
    SELECT entry, pdf FROM pairs JOIN entries e ON e.row = entry JOIN pdfs p ON p.row = pdf
    ORDER BY proof, entry, (e.title = p.title) IS NOT TRUE, p.year IS DISTINCT FROM e.year, p.pages DESC, pdf
"""
"""The pairs of an entry and a PDF that may be its own, the best proof first: the same DOI, arXiv identifier,
title and first author, and these two anywhere on the first pages of a PDF whose own are not known.

A title of 20 letters and digits is not found in other words by chance.
"""

_ROW = pa.schema(
    {name: pa.string() for name in ("doi", "arxiv", "title", "words", "front")}
    | {name: pa.list_(pa.string()) for name in ("first", "families")}
    | {name: pa.int64() for name in ("row", "year", "pages")}
)


def matches(entries: Iterable[LibraryEntry], printed: Mapping[Path, Printed]) -> dict[Path, LibraryEntry]:
    """Return the entry of each PDF that has one, no entry and no PDF twice.

    See _MATCHES. Of several PDFs that fit an entry, such as a paper and its supplement, it is that with the
    entry's title, then that of its year, then the longest.
    """
    lost, paths = sorted(entries, key=attrgetter("key")), sorted(printed)
    if not (lost and paths):
        return {}
    cited = [_row(row, Printed(one.metadata, one.arxiv)) for row, one in enumerate(lost)]
    papers = [_row(row, printed[path]) for row, path in enumerate(paths)]
    with duckdb.connect() as connection:
        connection.register("entries", pa.Table.from_pylist(cited, _ROW))
        connection.register("pdfs", pa.Table.from_pylist(papers, _ROW))
        connection.execute(_SAME_WORK)
        pairs = connection.execute(_MATCHES).fetchall()
    found: dict[int, int] = {}
    for entry, pdf in pairs:
        if pdf not in found and entry not in found.values():
            found[pdf] = entry
    return {paths[pdf]: lost[entry] for pdf, entry in found.items()}


def _row(row: int, one: Printed) -> dict[str, Any]:
    """Return a row of the table; families are there with and without their particles, 'van der Berg'."""
    title, authors = fold(one.metadata.title or ""), one.metadata.authors
    names = [author.partition(",")[0] for author in authors]
    families = [[blind(fold(part)) for part in (name, *name.split()[-1:])] for name in names]
    words = filter(None, map(blind, title.replace("-", " ").split()))
    return {
        "row": row,
        "doi": one.metadata.doi,
        "arxiv": one.arxiv and one.arxiv.lower(),
        "title": blind(title) or None,
        "words": " ".join(words),
        "first": list(filter(None, chain(*families[:1]))),
        "families": list(filter(None, chain(*families))),
        "year": one.metadata.year,
        "pages": one.pages,
        "front": one.front,
    }


def _with_keys(
    sources: Sequence[Source], printed: Mapping[str, Printed], keys: Keys, before: Mapping[str, str]
) -> list[Source]:
    """Return the sources; those that no library names have the keys that `keys` says."""
    if keys == "file":
        return list(sources)
    stay = {one.path for one in sources if one.library or one.sha256 not in printed or _stays(one, keys)}
    named = [one for one in sources if one.path in stay]
    taken = {one.key for one in named}
    made = []
    for one in sources:
        if one.path not in stay:
            base = _made_key(completed(one.metadata, printed[one.sha256].metadata), one.key)
            was = _before(one, before)
            ending = r"[a-z]*" if base[-1:].isdigit() else r"(?:-\d+)?"  # as `unused` gives one
            made.append((was if re.fullmatch(re.escape(base) + ending, was) else "", base, one))
    for was, base, one in sorted(made, key=lambda each: (not each[0], each[1], each[2].sha256, each[2].path)):
        key = was if was and was not in taken else unused(base, taken)
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


def unused(key: str, taken: Collection[str]) -> str:
    """Return the key, or with the first new ending: a, b, ..., aa, ... after a digit, else -2, -3, ..."""
    letters = ("".join(some) for length in count(1) for some in product(ascii_lowercase, repeat=length))
    endings = letters if key[-1].isdigit() else (f"-{number}" for number in count(2))
    return next(made for ending in chain([""], endings) if (made := key + ending) not in taken)


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
