"""Resolve the filters that a caller gives to keys, kinds of paragraphs and titles of sections."""

import re
from collections.abc import Iterable
from typing import Any

from lookup.errors import QueryError
from lookup.limits import check_text, texts
from lookup.papers.library import Library
from lookup.release.schema import KINDS
from retrieval.scoring.lexical_index import Filters

Years = int | str | tuple[int | None, int | None]
"""A year, "2015", or the first and the last year, "2015-2020"; None for no limit."""

_YEARS = re.compile(r"\s*+(?P<first>\d{4})?\s*+(?P<to>[-–]|to)?\s*+(?P<last>(?<=[-–o ])\d{4})?\s*+")
_AND_OTHERS = re.compile(r",? (et al\.?|and others)\s*$", re.IGNORECASE)
"""What follows the first author's name where there are more; no name holds it."""


def resolve(
    library: Library,
    keys: Iterable[str] | None,
    kinds: Iterable[str] | None,
    years: Years | None,
    authors: Iterable[str] | None,
    section: str | None,
    exclude: Iterable[str],
) -> Filters:
    """Return the filters, papers by any of their names. Raise UnknownKeyError or QueryError."""
    among = _keys(library, keys, years, authors)
    named = None if kinds is None else list(dict.fromkeys(texts("kinds", kinds)))
    if unknown := [kind for kind in named or () if kind not in KINDS]:
        raise QueryError(f"There is no kind of paragraph {unknown[0]!r}. The kinds are {', '.join(KINDS)}.")
    titles = None
    if section is not None:
        check_text(section)
        holds = "contains(lower(section_title), lower(?))"
        query = f"SELECT DISTINCT section_title FROM printed_paragraphs WHERE {holds}"
        titles = [title for (title,) in library.select(query, [section])]
    return Filters(among, named, titles, tuple(library.keys_of(exclude) or ()))


def _keys(
    library: Library, keys: Iterable[str] | None, years: Years | None, authors: Iterable[str] | None
) -> list[str] | None:
    named = library.keys_of(keys)
    for key in named or ():
        library.page_count(key)
    where: list[str] = []
    params: list[Any] = []
    if years is not None:
        first, last = _first_and_last(years)
        where.append("year BETWEEN coalesce(?, year) AND coalesce(?, year)")
        params += [first, last]
    if authors is not None:
        written = [_AND_OTHERS.sub("", name) for name in texts("authors", authors)]
        holds = "contains(strip_accents(lower(a)), strip_accents(lower(?)))"
        one = f"len(list_filter(authors, lambda a: {holds})) > 0"
        where.append(f"({' OR '.join([one] * len(written)) or 'false'})")
        params += written
    if not where:
        return named
    if named is not None:
        where.append(f"key IN ({', '.join('?' * len(named)) or 'NULL'})")
        params += named
    return [key for (key,) in library.select(f"SELECT key FROM papers WHERE {' AND '.join(where)}", params)]


def _first_and_last(years: Years) -> tuple[int | None, int | None]:
    """Return the first and the last year. Raise QueryError."""
    written = _YEARS.fullmatch(years) if isinstance(years, str) else None
    if written is not None and (written["first"] or written["last"]):
        first, last = written["first"], written["last"] if written["to"] else written["first"]
        return int(first) if first else None, int(last) if last else None
    if isinstance(years, int):
        return years, years
    if isinstance(years, tuple | list) and len(years) == 2 and all(isinstance(y, int | None) for y in years):
        return years[0], years[1]
    raise QueryError(f"years must be one, as 2015, or two, as '2015-2020' or (2015, None), got {years!r}.")
