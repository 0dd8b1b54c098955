"""Makes the rows of `papers` shard by shard, and links the versions of a work through all shards.

A task for each shard leaves its rows and the hashed identities of its papers in the work folder. The build's
process looks at the hashes alone, for those that papers share, and gives each shard the links of its papers.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lookup.errors import BuildError
from lookup.release.schema import PAPERS
from objectstore.shards import shard_of
from pipeline.files.atomic import remove
from pipeline.publish.content import Content, ReleaseSpec, ShardRows, Versions, relative_to
from pipeline.publish.paper_versions import hashed, identities, linked, shared_by_few
from pipeline.publish.summaries import (
    KEPT,
    VERSIONS,
    kept_papers_file,
    kept_papers_files,
    made_of,
    read_kept_papers,
    summary_of,
)
from pipeline.records import arrow_schema
from pipeline.sources.added import metadata_of
from pipeline.sources.names import completed
from pipeline.sources.source import TEXT
from pipeline.work.extraction_cache import read_record, record_digest, records_folder, write_record
from pipeline.work.state import metadata_row
from pipeline.work.tasks import Each

_IDENTITIES = ["identities"]  # The column that all papers are compared by.


def link_papers(shards: Sequence[ShardRows], each: Each, *, fresh: bool = False) -> list[Versions]:
    """Make the rows of `papers` of these shards; return the versions for each shard.

    Shards that have the rows of the state that they had are left as they are, unless `fresh`. Raises
    DamagedCacheError.
    """
    each(make_papers, [shard for shard in shards if fresh or _kept(shard, _IDENTITIES) is None])
    for path in {*kept_papers_files(shards[0].work, shards[0].extractor)} - {*map(_file, shards)}:
        remove(path, shards[0].work)  # of a release that had more shards
    hashes = [_hashes(_made(shard, _IDENTITIES)).to_numpy() for shard in shards]
    shared = shared_by_few(np.concatenate(hashes))
    few: dict[str, frozenset[int]] = {}
    for shard in shards if len(shared) else ():
        few |= _sharing(_made(shard, ["key", *_IDENTITIES]), pa.array(shared))
    versions: list[dict[str, Sequence[str]]] = [{} for _ in shards]
    for key, others in linked(few).items():
        if others:
            versions[shard_of(key, len(shards))][key] = others
    return list(versions)


def make_papers(shard: ShardRows) -> None:
    """Leave the rows of `papers` of a shard in the work folder; those of unchanged papers are taken over."""
    folder = records_folder(shard.work, shard.extractor)
    path = _file(shard)
    before = read_kept_papers(path) or pa.RecordBatch.from_pylist([], KEPT)
    digests, sources = before["digest"].to_pylist(), before["source"].to_pylist()
    rows = {both: place for place, both in enumerate(zip(digests, sources, strict=True))}
    summaries = {digest: place for place, digest in enumerate(digests)}
    places: list[int] = []
    anew: list[dict[str, Any]] = []
    for source in shard.read()[0]:
        digest = record_digest(folder / source["record"])
        known = hashlib.sha256(repr(source).encode()).hexdigest()
        place = rows.get((digest, known))
        if place is None:
            place = len(before) + len(anew)
            if digest in summaries:
                summary = before["summary"][summaries[digest]].as_py()
            else:
                summary = summary_of(read_kept(shard.work, shard.extractor, source["record"]))
            paper = _paper(source, summary)
            anew.append(
                {
                    "key": source["key"],
                    "digest": digest,
                    "source": known,
                    "summary": summary,
                    "paper": paper,
                    "identities": sorted(map(hashed, identities(paper, summary["arxiv"]))),
                }
            )
        places.append(place)
    every = pa.concat_batches([made_of("", before), made_of("", pa.RecordBatch.from_pylist(anew, KEPT))])
    write_record(path, made_of(shard.hash, every.take(pa.array(places, pa.int64()))), shard.work)


def content_of(shard: ShardRows, versions: Versions, spec: ReleaseSpec, fingerprint: str) -> Content:
    """Return what a shard is to hold; its rows of `papers` were made by `link_papers`.

    Paths are relative to the root of the spec.
    """
    root, model = spec.root, spec.model
    sources, failures = shard.read()
    failures = [{**row, "path": relative_to(root, row["path"])} for row in failures]
    papers = pa.Table.from_struct_array(_made(shard, ["paper"])["paper"])
    for name in ("path", "library"):
        paths = [path and relative_to(root, path) for path in papers[name].to_pylist()]
        papers = papers.set_column(papers.column_names.index(name), name, pa.array(paths, pa.string()))
    others = pa.array([versions.get(key, ()) for key in papers["key"].to_pylist()], pa.list_(pa.string()))
    schema = arrow_schema(PAPERS)
    papers = papers.append_column(VERSIONS, others).select(schema.names).cast(schema)
    return Content(sources, papers, failures, shard.extractor, model, fingerprint, shard.shard, spec.library)


def _file(shard: ShardRows) -> Path:
    return kept_papers_file(shard.work, shard.extractor, shard.shard)


def _kept(shard: ShardRows, columns: Sequence[str]) -> pa.RecordBatch | None:
    return read_kept_papers(_file(shard), shard.hash, columns)


def _made(shard: ShardRows, columns: Sequence[str]) -> pa.RecordBatch:
    made = _kept(shard, columns)
    if made is None:
        raise BuildError(f"{str(_file(shard))!r} was damaged while the build ran. Build again.")
    return made


def _hashes(papers: pa.RecordBatch) -> pa.Array:
    return papers["identities"].flatten()


def _sharing(papers: pa.RecordBatch, shared: pa.Array) -> dict[str, frozenset[int]]:
    """Return, by key, the `shared` identities of those of the papers that have any."""
    hashes, owners = _hashes(papers), pc.list_parent_indices(papers["identities"])
    some = pc.is_in(hashes, shared)
    found: dict[str, set[int]] = {}
    keys = papers["key"].take(owners.filter(some)).to_pylist()
    for key, one in zip(keys, hashes.filter(some).to_pylist(), strict=True):
        found.setdefault(key, set()).add(one)
    return {key: frozenset(ones) for key, ones in found.items()}


def _paper(source: dict[str, Any], summary: dict[str, Any]) -> dict[str, Any]:
    """Return a row of `papers` without versions: the library's metadata first, then the document's own.

    Where no library names it, the name of its file may tell author, year and title.
    """
    marked = not summary["pages"] or TEXT in summary["extractor"]
    sized = {name: summary[name] for name in ("pages", "empty_pages", "paragraphs", "extractor")}
    if not source["library"]:
        both = completed(metadata_of(source), metadata_of(summary["metadata"]))
        source = {**source, **metadata_row(both)}
    return {
        **summary["metadata"],
        **{name: value for name, value in source.items() if value},
        **sized,
        "status": "covered" if summary["empty_pages"] < summary["pages"] or marked else "not covered",
    }


class DamagedCacheError(BuildError):
    """Extractions in the cache were damaged and removed; the next extraction makes them again."""

    def __init__(self, count: int) -> None:
        super().__init__(
            f"{count} cached extractions were damaged and are removed. Build again: they are made again."
        )
        self.count = count

    def __reduce__(self) -> tuple[type[Self], tuple[int]]:
        """Return how another process makes the same error."""
        return type(self), (self.count,)


def read_kept(work: Path, extractor: str, name: str) -> pa.RecordBatch:
    """Return an extraction; raise DamagedCacheError, with all damaged ones removed."""
    folder = records_folder(work, extractor)
    record = read_record(folder / name)
    if record is None:
        damaged = [path for path in folder.rglob("*.arrow") if read_record(path) is None]
        for path in damaged:
            remove(path, work)
        raise DamagedCacheError(len(damaged))
    return record
