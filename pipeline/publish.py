"""The third stage: what was extracted becomes a release, and the release becomes current."""

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from lookup.catalog import VIEWS
from lookup.errors import BuildError, PageQuoteError
from lookup.folding import FOLDING, UNICODE
from lookup.release import CURRENT, DATABASE, MANIFEST, RELEASES, Release, current_release
from lookup.schema import FAILURES, LAYOUT, PAGES, PAPERS, SHARDED, VECTORS, Table
from pipeline.cache import read_record, records_folder
from pipeline.checks import check_release
from pipeline.database import write_database
from pipeline.embed import Embedding, embedded_sentences, stored_vectors
from pipeline.files import TEMPORARY, remove_unfinished, sync_folder, sync_tree
from pipeline.parts import Part, parts
from pipeline.records import arrow_schema, table_of
from pipeline.vector_cache import VectorCache, text_hashes
from pipeline.vector_files import write_vector_files

KEPT = 3
"""Releases that are kept, the current one included."""

_ROW_GROUP = 4096
"""Rows: small enough that one paper's rows are read without many others', large enough to compress."""


class DamagedCacheError(BuildError):
    """Extractions in the cache were damaged; they are removed, so that the next extraction makes them again."""

    def __init__(self, count: int) -> None:
        super().__init__(
            f"{count} cached extractions were damaged and are removed. Build again: they are made anew."
        )


@dataclass(frozen=True)
class Published:
    """The release that is current now, its row counts by table, and whether it is a new one.

    `embedding` is what the stage before it did, where one build ran both.
    """

    release: Release
    rows: dict[str, int]
    new: bool
    embedding: Embedding | None = None


def publish(
    sources: Sequence[dict[str, Any]], failures: pl.DataFrame, work: Path, corpus: Path, extractor: str
) -> Published:
    """Publish the papers of `sources` (state.read_state) whose extraction is in `work`; the caller holds the lock of `corpus`.

    Nothing is published, and the current release stays, when it already holds just this, when no paper could be read (BuildError), or when
    a check of the new release fails (BuildError).
    """
    releases = corpus / RELEASES
    releases.mkdir(parents=True, exist_ok=True)
    remove_unfinished(releases)
    remove_unfinished(corpus)
    readable = [
        s for s in sources if s["record"] and (records_folder(work, extractor) / s["record"]).exists()
    ]
    if not readable:
        raise BuildError(f"None of the {len(sources)} sources could be read, so that nothing is published.")
    stored = stored_vectors(work)
    model = stored[0] if stored else None
    fingerprint = _fingerprint(readable, failures, extractor, model)
    previous = _previous(corpus)
    if previous and previous.manifest["fingerprint"] == fingerprint and previous.database.exists():
        return Published(previous, previous.manifest["rows"], new=False)
    name = _next_name(releases)
    folder = releases / f"{TEMPORARY}{name}"
    folder.mkdir()
    files = _write_tables(folder, readable, failures, work, extractor, previous, stored)
    rows = write_database(folder / DATABASE, folder, files)
    if stored:
        write_vector_files(folder, files[VECTORS.name], rows[VECTORS.name], stored[1].dimensions)
    manifest = {
        "release": name,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "layout": LAYOUT,
        "folding": FOLDING,
        "unicode": UNICODE,
        "extractor": extractor,
        "model": model,
        "fingerprint": fingerprint,
        "rows": rows,
        "files": files,
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
    check_release(folder, manifest)
    sync_tree(folder)
    final = releases / name
    folder.rename(final)
    sync_folder(releases)
    make_current(corpus, name)
    _collect(corpus)
    return Published(Release(final.resolve(), manifest), rows, new=True)


def make_current(corpus: Path, name: str) -> None:
    """Point readers at the release `name`: one rename, so that they see either the old or the new one."""
    link = corpus / f"{TEMPORARY}{CURRENT}"
    link.symlink_to(Path(RELEASES) / name)
    link.replace(corpus / CURRENT)
    sync_folder(corpus)


def _previous(corpus: Path) -> Release | None:
    """The current release; None where there is none that this code can build upon."""
    try:
        return current_release(corpus)
    except PageQuoteError:
        return None


def _fingerprint(
    sources: Sequence[dict[str, Any]], failures: pl.DataFrame, extractor: str, model: str | None
) -> str:
    """A hash of all that decides what the release holds."""
    said = [
        LAYOUT,
        FOLDING,
        extractor,
        model,
        [view.sql for view in VIEWS],
        list(sources),
        failures.drop("seconds").to_dicts(),
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _next_name(releases: Path) -> str:
    """A name that sorts after all others, even when the clock went back."""
    taken = [int(path.name[1:7]) for path in releases.glob("r[0-9][0-9][0-9][0-9][0-9][0-9]-*")]
    return f"r{max(taken, default=0) + 1:06d}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


def _write_tables(
    folder: Path,
    sources: Sequence[dict[str, Any]],
    failures: pl.DataFrame,
    work: Path,
    extractor: str,
    previous: Release | None,
    vectors: tuple[str, VectorCache] | None,
) -> dict[str, list[str]]:
    """Write all Parquet files; their names by table, relative to `folder`, in the order of their keys."""
    files: dict[str, list[str]] = {table.name: [] for table in SHARDED}
    papers: list[dict[str, Any]] = []
    for table in SHARDED:
        (folder / table.name).mkdir()
    for part in parts(sources, extractor):
        records = [_record(work, extractor, source["record"]) for source in part.sources]
        papers += [_paper(source, record) for source, record in zip(part.sources, records, strict=True)]
        for table in SHARDED:
            stem = part.name_with(vectors[0]) if table is VECTORS and vectors else part.name
            name = f"{table.name}/{stem}.parquet"
            files[table.name].append(name)
            if not _shared(previous, name, folder):
                rows = _vectors(part, records, vectors) if table is VECTORS else _rows(table, part, records)
                _write(folder / name, rows)
    _write(folder / "papers.parquet", pa.Table.from_pylist(papers, arrow_schema(PAPERS)))
    _write(folder / "failures.parquet", failures.to_arrow().cast(arrow_schema(FAILURES)))
    return files | {PAPERS.name: ["papers.parquet"], FAILURES.name: ["failures.parquet"]}


def _record(work: Path, extractor: str, name: str) -> pa.RecordBatch:
    record = read_record(records_folder(work, extractor) / name)
    if record is None:
        raise DamagedCacheError(_remove_damaged(work, extractor))
    return record


def _remove_damaged(work: Path, extractor: str) -> int:
    """Remove all extractions that cannot be read back; how many there were."""
    damaged = [path for path in records_folder(work, extractor).rglob("*.arrow") if read_record(path) is None]
    for path in damaged:
        path.unlink()
    return len(damaged)


def _shared(previous: Release | None, name: str, folder: Path) -> bool:
    """Whether the previous release has this very file, which then belongs to both."""
    if previous is None or not (previous.folder / name).exists():
        return False
    os.link(previous.folder / name, folder / name)
    return True


def _rows(table: Table, part: Part, records: Sequence[pa.RecordBatch]) -> pa.Table:
    schema = arrow_schema(table)
    pieces = []
    for source, record in zip(part.sources, records, strict=True):
        rows = table_of(record, table)
        pieces.append(
            rows.add_column(0, "key", pa.array([source["key"]] * len(rows), pa.string())).cast(schema)
        )
    return pa.concat_tables(pieces)


def _vectors(
    part: Part, records: Sequence[pa.RecordBatch], vectors: tuple[str, VectorCache] | None
) -> pa.Table:
    schema = arrow_schema(VECTORS)
    pieces = [schema.empty_table()]
    if vectors is not None:
        model, cache = vectors
        for source, record in zip(part.sources, records, strict=True):
            sentences = embedded_sentences(record)
            texts = text_hashes(sentences.texts)
            if not cache.has(texts).all():
                raise BuildError(
                    f"Sentences of {source['key']!r} have no vectors of the model {model!r} yet. "
                    "Run `pagequote embed` with that model first."
                )
            rows = cache.rows(texts)
            size = rows["vector"].shape[1]
            columns = {
                "key": pa.array([source["key"]] * len(rows), pa.string()),
                "paragraph": sentences.paragraphs,
                "sentence": sentences.numbers,
                "model": pa.array([model] * len(rows), pa.string()),
                "vector": pa.ListArray.from_arrays(
                    pa.array(range(0, size * len(rows) + 1, size), pa.int32()),
                    pa.array(rows["vector"].ravel()),
                ),
                "scale": rows["scale"],
            }
            pieces.append(pa.table(columns).cast(schema))
    return pa.concat_tables(pieces)


def _paper(source: dict[str, Any], record: pa.RecordBatch) -> dict[str, Any]:
    """A row of `papers`: what the .bib says, else what the document says of itself."""
    said = record.column("metadata")[0].as_py()
    page_sources = table_of(record, PAGES)["source"].to_pylist()
    empty = page_sources.count("empty")
    return {
        **said,
        **{name: value for name, value in source.items() if value},
        "pages": len(page_sources),
        "empty_pages": empty,
        "paragraphs": len(record.column("paragraphs")[0]),
        "status": "covered" if empty < len(page_sources) else "not covered",
        "extractor": record.column("extractor")[0].as_py(),
    }


def _write(path: Path, rows: pa.Table) -> None:
    pq.write_table(rows, path, compression="zstd", row_group_size=_ROW_GROUP, write_page_index=True)


def _collect(corpus: Path) -> None:
    """Remove the oldest releases beyond KEPT, never the current one; readers that have one open read on."""
    current = (corpus / CURRENT).resolve()
    releases = sorted((corpus / RELEASES).glob("r*"))
    for folder in releases[:-KEPT]:
        if folder.resolve() != current:
            unfinished = folder.with_name(f"{TEMPORARY}{folder.name}")
            folder.rename(unfinished)
            shutil.rmtree(unfinished)
