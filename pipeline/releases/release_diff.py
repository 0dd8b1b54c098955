"""The differences of two releases: papers added, changed, gone or renamed, and their paragraphs."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb

from lookup.errors import PageQuoteError
from lookup.release.current import MANIFEST, Release
from lookup.release.schema import PAPERS, PARAGRAPHS
from lookup.results.answer import counted
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import read_file
from objectstore.releases import cached_object, stored_file
from objectstore.releases import read_file as of_release

PAPERS_ROWS = f"{PAPERS.name}.parquet"

_COMPARED = "page, page_end, kind, section_title, text_raw, text"
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
    """Compare the releases in two folders, here or in object storage. Files that both share are not read.

    Raises PageQuoteError where a file is damaged.
    """
    try:
        releases = [Release(folder, json.loads(read_file(folder / MANIFEST))) for folder in (old, new)]
        with duckdb.connect(config={"temp_directory": ""}) as connection:
            rows_of = [[part / PAPERS_ROWS for part in release.parts] for release in releases]
            papers = [connection.read_parquet(_here(*each)) for each in zip(releases, rows_of, strict=True)]
            # Names of the contract alone: they become statements.
            shared = [one.name for one in PAPERS.columns if one.name not in _UNIMPORTANT]
            shared = [name for name in shared if all(name in side.columns for side in papers)]
            # Hashes of the columns: no process holds the abstracts of all papers.
            hashes = ", ".join(f"hash({name}) AS {name}" for name in (*shared, "extractor"))
            for table, rows in zip(("old", "new"), papers, strict=True):
                rows.project(f"key, {hashes}").create(table)
            differing = ", ".join(f"if(o.{name} <> n.{name}, '{name}', NULL)" for name in shared)
            both = connection.execute(
                f"SELECT key, list_filter([{differing}], lambda one: one IS NOT NULL), "
                "o.sha256 <> n.sha256 OR o.extractor <> n.extractor "
                "FROM old o JOIN new n USING (key) ORDER BY key"
            ).fetchall()
            paragraphs = _paragraphs(connection, *releases)
            moved = connection.execute(_MOVED).fetchall()
    except (duckdb.Error, OSError, ValueError, KeyError) as error:
        raise PageQuoteError(
            f"The releases {old.name!r} and {new.name!r} cannot be compared: one is damaged, or out of reach "
            f"({error})."
        ) from error
    return ReleaseDiff(
        old.name,
        new.name,
        tuple(sorted(after for before, after in moved if before is None)),
        tuple(before for before, after in moved if after is None),
        tuple((before, after) for before, after in moved if before and after),
        tuple(
            ChangedPaper(key, tuple(columns), *(paragraphs.get(key, (0, 0)) if read_otherwise else (0, 0)))
            for key, columns, read_otherwise in both
            if columns or (read_otherwise and key in paragraphs)
        ),
    )


_MOVED = """
    WITH gone AS (SELECT key, sha256, row_number() OVER (PARTITION BY sha256 ORDER BY key) AS number
            FROM old ANTI JOIN new USING (key)),
        added AS (SELECT key, sha256, row_number() OVER (PARTITION BY sha256 ORDER BY key) AS number
            FROM new ANTI JOIN old USING (key))
    SELECT gone.key, added.key FROM gone FULL JOIN added USING (sha256, number) ORDER BY gone.key"""
"""The keys that only one of the releases has, side by side those of the same bytes: of several, by their
order."""


def _here(release: Release, files: Sequence[Path]) -> list[str]:
    """Return the paths of files of a release, which are fetched where it is in object storage."""
    if not isinstance(release.folder, ObjectPath):
        return list(map(str, files))
    with ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(lambda file: str(cached_object(*stored_file(release, file))), files))


_THREADS = 4  # Files that are fetched at a time.


def _files(release: Release) -> dict[str, Path]:
    """Return the files of paragraphs by their names, which are the same for the same papers."""
    files: dict[str, Path] = {}
    for part in release.parts:
        manifest = json.loads(of_release(release, part / MANIFEST)) if release.shards else release.manifest
        files |= {name: part / name for name in manifest["files"][PARAGRAPHS.name]}
    return files


def _paragraphs(
    connection: duckdb.DuckDBPyConnection, old: Release, new: Release
) -> dict[str, tuple[int, int]]:
    """Return by key the number of paragraphs that only the new release has, and that only the old one has."""
    before, after = _files(old), _files(new)
    alone = (
        (new, [after[name] for name in after.keys() - before.keys()], 1),
        (old, [before[name] for name in before.keys() - after.keys()], -1),
    )
    sides = [
        connection.read_parquet(_here(release, files)).project(
            f"key, hash({_COMPARED}) AS paragraph, {count} AS count"
        )
        for release, files, count in alone
        if files
    ]
    if not sides:
        return {}
    rows = sides[0].union(sides[1]) if sides[1:] else sides[0]
    differing = rows.aggregate("key, paragraph, sum(count) AS count").filter("count <> 0")
    counts = differing.aggregate("key, sum(greatest(count, 0))::INT, sum(greatest(-count, 0))::INT")
    return {key: (added, gone) for key, added, gone in counts.fetchall()}
