"""The differences of two releases: papers added, changed, gone or renamed, and their paragraphs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lookup.errors import PageQuoteError
from lookup.release.current import MANIFEST, Release
from lookup.release.schema import PAPERS, PARAGRAPHS
from lookup.results.answer import counted
from lookup.storage.untrusted_files import read_file

PAPERS_ROWS = f"{PAPERS.name}.parquet"

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
    import polars as pl  # 0.5 s of processor, which a night with nothing new need not spend  # noqa: PLC0415

    try:
        parts = [Release(folder, json.loads(read_file(folder / MANIFEST))).parts for folder in (old, new)]
        tables = [pl.scan_parquet([part / PAPERS_ROWS for part in folders]) for folders in parts]
        before, after = (table.collect_schema() for table in tables)
        shared = [name for name in before if name in after and name not in _UNIMPORTANT]
        # Hashes of the columns: no process holds the abstracts of all papers.
        hashes = {name: pl.col(name).hash() for name in (*shared, "extractor")}
        papers = [table.select("key", **hashes).sort("key").collect() for table in tables]
        differs = {name: pl.col(name) != pl.col(f"{name}_right") for name in hashes}
        both = papers[0].join(papers[1], on="key", maintain_order="left").select("key", **differs)
        read_otherwise = both.filter(pl.any_horizontal("sha256", "extractor"))["key"].to_list()
        paragraphs = _paragraphs(_files(parts[0]), _files(parts[1]), read_otherwise)
    except (pl.exceptions.PolarsError, OSError, ValueError, KeyError) as error:
        raise PageQuoteError(
            f"The releases {old.name!r} and {new.name!r} cannot be compared: one is damaged ({error})."
        ) from error
    changed = [
        ChangedPaper(row["key"], columns, *paragraphs.get(row["key"], (0, 0)))
        for row in both.iter_rows(named=True)
        if (columns := tuple(name for name in shared if row[name])) or row["key"] in paragraphs
    ]
    number = pl.int_range(pl.len()).over("sha256")  # of several papers of the same bytes, by their keys
    gone, added = (
        one.join(other, on="key", how="anti", maintain_order="left").select("key", "sha256", number=number)
        for one, other in (papers, papers[::-1])
    )
    renamed = gone.join(added, on=["sha256", "number"], suffix="_new", maintain_order="left")
    return ReleaseDiff(
        old.name,
        new.name,
        tuple(key for key in added["key"] if key not in set(renamed["key_new"])),
        tuple(key for key in gone["key"] if key not in set(renamed["key"])),
        tuple(renamed.select("key", "key_new").iter_rows()),
        tuple(changed),
    )


def _files(parts: Sequence[Path]) -> dict[str, Path]:
    """Return the files of paragraphs by their names, which are the same for the same papers."""
    return {
        name: folder / name
        for folder in parts
        for name in json.loads(read_file(folder / MANIFEST))["files"][PARAGRAPHS.name]
    }


def _paragraphs(
    old: Mapping[str, Path], new: Mapping[str, Path], keys: Sequence[str]
) -> dict[str, tuple[int, int]]:
    """Return by key the number of paragraphs that only the new release has, and that only the old one has."""
    import polars as pl  # see above  # noqa: PLC0415

    sides = [(sorted(new.keys() - old.keys()), new, 1), (sorted(old.keys() - new.keys()), old, -1)]
    rows = [
        pl.scan_parquet([files[name] for name in names]).select(*_COMPARED, count=pl.lit(count))
        for names, files, count in sides
        if names
    ]
    if not (rows and keys):
        return {}
    count = pl.col("count")
    left = pl.concat(rows).filter(pl.col("key").is_in(keys)).group_by(_COMPARED).agg(count.sum())
    more, fewer = (count.filter(count * sign > 0).abs().sum() for sign in (1, -1))
    found = left.filter(count != 0).group_by("key").agg(more=more, fewer=fewer).collect()
    return {key: (added, gone) for key, added, gone in found.iter_rows()}
