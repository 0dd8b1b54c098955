"""Makes the rows of `papers`, and links the versions of a work through all shards."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa

from lookup.errors import BuildError
from lookup.release.schema import PAPERS
from objectstore.shards import shard_of
from pipeline.files.atomic import remove
from pipeline.publish.content import Content, ReleaseSpec, StateRows, Versions, relative_to
from pipeline.publish.paper_versions import identities, linked
from pipeline.records import arrow_schema
from pipeline.sources.added import metadata_of
from pipeline.sources.names import completed
from pipeline.sources.source import TEXT
from pipeline.work.extraction_cache import read_record, records_folder
from pipeline.work.state import metadata_row
from pipeline.work.summaries import kept_summary, summary_of


def link_papers(rows: StateRows, shards: int) -> list[Versions]:
    """Return the versions for each of so many shards. Raises DamagedCacheError."""
    summaries = ((source, _summary(source, rows)) for source in rows.kept_sources())
    papers = ((source["key"], identities(_paper(source, one), one["arxiv"])) for source, one in summaries)
    versions: list[dict[str, list[str]]] = [{} for _ in range(shards)]
    for key, others in linked(papers).items():
        versions[shard_of(key, shards)][key] = others
    return list(versions)


def _summary(source: dict[str, Any], rows: StateRows) -> dict[str, Any]:
    kept = kept_summary(source) or summary_of(read_kept(rows.work, source["record"]))
    summary: dict[str, Any] = json.loads(kept)
    return summary


def content_of(
    rows: StateRows, spec: ReleaseSpec, fingerprint: str, versions: Versions, shard: int = 0
) -> Content:
    """Return what a shard is to hold; the paths of its papers and failures are relative to the root."""
    failures = rows.shard_failures(shard, spec.shards)
    sources, papers = [], []
    for source in rows.kept_sources(shard, spec.shards):
        sources.append({"key": source["key"], "record": source["record"]})
        papers.append(_paper(source, _summary(source, rows)) | {"versions": versions.get(source["key"], ())})
    for row in (*papers, *failures):
        row |= {name: relative_to(spec.root, row[name]) for name in ("path", "library") if row.get(name)}
    table = pa.Table.from_pylist(papers, arrow_schema(PAPERS))
    return Content(spec, fingerprint, shard, sources, table, failures)


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


def read_kept(work: Path, name: str) -> pa.RecordBatch:
    """Return an extraction; raise DamagedCacheError, with all damaged ones removed."""
    folder = records_folder(work)
    record = read_record(folder / name)
    if record is None:
        damaged = [path for path in folder.rglob("*.arrow") if read_record(path) is None]
        for path in damaged:
            remove(path, work)
        raise DamagedCacheError(
            f"{len(damaged)} cached extractions were damaged and are removed. Build again to make them anew."
        )
    return record
