"""The differences of two releases: papers added, changed, gone or renamed, and their paragraphs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb

from lookup.errors import PageQuoteError
from lookup.release.current import MANIFEST, Release
from lookup.release.schema import PAPERS, PARAGRAPHS
from lookup.results.showing import counted
from lookup.storage.handed import read_file

_COMPARED = ("key", "page", "page_end", "kind", "section_title", "text_raw", "text")
"""The columns that make a paragraph. Its number does not: another paragraph before it would change it."""

_UNIMPORTANT = ("key", "path", "library", "extractor", "versions")
"""Columns of `papers` that do not make a paper count as changed."""


@dataclass(frozen=True)
class ChangedPaper:
    """A paper of both releases: the differing columns of `papers`, and the paragraphs in one release only."""

    key: str
    columns: tuple[str, ...]
    paragraphs_added: int
    paragraphs_gone: int


@dataclass(frozen=True)
class ReleaseDiff:
    """The changes from `old` to `new`; `renamed` are pairs of keys (old, new) of the same bytes."""

    old: str
    new: str
    added: tuple[str, ...]
    gone: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    changed: tuple[ChangedPaper, ...]

    def __bool__(self) -> bool:
        return bool(self.added or self.gone or self.renamed or self.changed)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, for JSON."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Yield a line for each paper, and one for all."""
        yield from (f"+ {key}" for key in self.added)
        yield from (f"- {key}" for key in self.gone)
        yield from (f"{old} -> {new}: renamed" for old, new in self.renamed)
        for one in self.changed:
            what = [", ".join(one.columns)] if one.columns else []
            if one.paragraphs_added or one.paragraphs_gone:
                what.append(f"paragraphs +{one.paragraphs_added} -{one.paragraphs_gone}")
            yield f"~ {one.key}: {'; '.join(what)}"
        yield (
            f"{self.old} to {self.new}: {counted(len(self.added), 'paper')} added, "
            f"{len(self.changed)} changed, {len(self.gone)} gone, {len(self.renamed)} renamed"
        )


def compare_releases(old: Path, new: Path) -> ReleaseDiff:
    """Compare the releases in two folders. Files of paragraphs that both share are not read.

    Raises PageQuoteError where a file is damaged.
    """
    try:
        with duckdb.connect() as connection:
            parts = [Release(one, json.loads(read_file(one / MANIFEST))).parts for one in (old, new)]
            papers = _differing_papers(connection, *parts)
            old_files, new_files = map(_files, parts)
            paragraphs = _paragraphs(connection, old_files, new_files, _read_otherwise(*papers))
    except (duckdb.Error, OSError, ValueError, KeyError) as error:
        raise PageQuoteError(
            f"The releases {old.name!r} and {new.name!r} cannot be compared: one is damaged ({error})."
        ) from error
    before, after = papers
    added, gone = sorted(after.keys() - before.keys()), sorted(before.keys() - after.keys())
    renamed = _renamed(added, gone, before, after)
    taken = {key for pair in renamed for key in pair}
    changed = []
    for key in sorted(before.keys() & after.keys()):
        shared = before[key].keys() & after[key].keys() - set(_UNIMPORTANT)
        columns = tuple(
            name for name in before[key] if name in shared and before[key][name] != after[key][name]
        )
        more, fewer = paragraphs.get(key, (0, 0))
        if columns or more or fewer:
            changed.append(ChangedPaper(key, columns, more, fewer))
    return ReleaseDiff(
        old.name,
        new.name,
        tuple(key for key in added if key not in taken),
        tuple(key for key in gone if key not in taken),
        tuple(renamed),
        tuple(changed),
    )


def _differing_papers(
    connection: duckdb.DuckDBPyConnection, old: Sequence[Path], new: Sequence[Path]
) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
    """Return the rows of `papers` by key that only the old releases have, and those that only the new has.

    They have the columns that are in both.
    """
    sides = [[str(folder / f"{PAPERS.name}.parquet") for folder in parts] for parts in (old, new)]
    columns = [connection.execute("FROM read_parquet(?) LIMIT 0", [files]).description for files in sides]
    before, after = ([column[0] for column in one or ()] for one in columns)
    names = [name for name in after if name in before]
    differs = " OR ".join(f"one.{name} IS DISTINCT FROM other.{name}" for name in names)
    query = f"""
        SELECT {", ".join(f"one.{name}" for name in names)}
        FROM read_parquet(?) one LEFT JOIN read_parquet(?) other USING (key) WHERE {differs}"""
    found = []
    for files in (sides, sides[::-1]):
        fetched = connection.execute(query, files).fetchall()
        found.append({row["key"]: row for row in (dict(zip(names, each, strict=True)) for each in fetched)})
    return found[0], found[1]


def _renamed(
    added: Sequence[str],
    gone: Sequence[str],
    before: dict[str, dict[str, Any]],
    after: dict[str, dict[str, Any]],
) -> list[tuple[str, str]]:
    left: dict[str, list[str]] = {}
    for key in gone:
        left.setdefault(before[key]["sha256"], []).append(key)
    return sorted((same.pop(0), key) for key in added if (same := left.get(after[key]["sha256"])))


def _read_otherwise(before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]) -> list[str]:
    """Return the papers whose bytes, or what read them, are not the same: only they have other paragraphs."""
    return [
        key
        for key, row in after.items()
        if key in before and any(row[name] != before[key][name] for name in ("sha256", "extractor"))
    ]


def _files(parts: Sequence[Path]) -> dict[str, str]:
    """Return the files of paragraphs by their names, which are the same for the same papers."""
    return {
        name: str(folder / name)
        for folder in parts
        for name in json.loads(read_file(folder / MANIFEST))["files"][PARAGRAPHS.name]
    }


def _paragraphs(
    connection: duckdb.DuckDBPyConnection, old: dict[str, str], new: dict[str, str], keys: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """Return by key the number of paragraphs that only the new release has, and that only the old one has."""
    if not keys:
        return {}
    columns = ", ".join(_COMPARED)
    for view, files, others in (("before", old, new), ("after", new, old)):
        paths = [files[name] for name in sorted(files.keys() - others.keys())]
        statement = (
            f"CREATE TEMP TABLE {view} AS FROM ({_rows(columns, paths)}) WHERE key IN (SELECT unnest(?))"
        )
        connection.execute(statement, [*([paths] if paths else []), keys])
    counted: dict[str, list[int]] = {}
    for place, (more, fewer) in enumerate((("after", "before"), ("before", "after"))):
        found = connection.execute(
            f"SELECT key, count(*) FROM (FROM {more} EXCEPT ALL FROM {fewer}) GROUP BY key"
        ).fetchall()
        for key, count in found:
            counted.setdefault(key, [0, 0])[place] = count
    return {key: (added, gone) for key, (added, gone) in counted.items()}


def _rows(columns: str, paths: Sequence[str]) -> str:
    if paths:
        return f"SELECT {columns} FROM read_parquet(?)"
    types = {column.name: column.sql_type for column in PARAGRAPHS.columns}
    return f"SELECT {', '.join(f'NULL::{types[name]} AS {name}' for name in _COMPARED)} WHERE false"
