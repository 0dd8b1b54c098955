"""The third stage: extractions become a release, and the release becomes current."""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from lookup.errors import BuildError
from lookup.index.layout import FOLDER
from lookup.release.current import DATABASE, MANIFEST, RELEASES, SCALES_FILE, VECTORS_FILE, Release
from lookup.release.schema import FAILURES, LAYOUT, PAPERS, PARAGRAPHS, SHARDED, VECTORS, Table
from lookup.release.sql_macros import VIEWS
from lookup.text.folding import FOLDING, UNICODE
from pipeline.atomic_files import TEMPORARY, remove_unfinished, sync_folder, sync_tree
from pipeline.embedding.last_embedding import Embedding, stored_vectors
from pipeline.embedding.paragraphs import lists_of, paragraph_embeddings
from pipeline.embedding.pending import Sentences, embedded_sentences
from pipeline.embedding.vector_cache import Rows, VectorCache, text_hashes
from pipeline.publish.checks import Changed, check_release
from pipeline.publish.checksums import (
    Proven,
    intact_files,
    is_proven,
    keep_proven,
    read_proven,
    write_checksums,
)
from pipeline.publish.paper_versions import LINKING, identities, linked
from pipeline.publish.parts import Part, parts
from pipeline.publish.search_index import index_version, write_search_index
from pipeline.publish.summaries import Summaries, Summary
from pipeline.publish.vector_files import write_vector_files
from pipeline.publish.write_database import Difference, Layout, change_database, difference, write_database
from pipeline.records import arrow_schema, table_of
from pipeline.releases.history import KEPT, buildable_release, collect, make_current, next_name
from pipeline.releases.spare import PAPERS_ROWS, SPARE, copy_database, take_spare
from pipeline.report.release_report import write_report
from pipeline.sources.article_texts import TEXT
from pipeline.work.extraction_cache import read_record, records_folder
from pipeline.work.journal import entries
from pipeline.work.stage_figures import left_figures
from pipeline.work.state import TIMINGS, State

_ROW_GROUP = 4096
"""Rows: small enough that one paper's rows are read without many others', large enough to compress."""


class DamagedCacheError(BuildError):
    """Extractions in the cache were damaged and removed; the next extraction makes them again."""

    def __init__(self, count: int) -> None:
        super().__init__(
            f"{count} cached extractions were damaged and are removed. Build again: they are made again."
        )


@dataclass(frozen=True)
class Published:
    """The release that is current now, its row counts by table, and whether it is new.

    `embedding` is the work of the stage before, where one build ran both.
    """

    release: Release
    rows: dict[str, int]
    new: bool
    embedding: Embedding | None = None


def publish(state: State, work: Path, corpus: Path, extractor: str, *, fresh: bool = False) -> Published:
    """Publish the papers of `state` whose extraction is in `work`; the caller holds the lock of `corpus`.

    The current release stays when it already holds the same. With `fresh` there is a new release in any case,
    without files of the current one. Raises BuildError where no paper could be read, or a check of the new
    release fails.
    """
    began = time.monotonic()
    releases = corpus / RELEASES
    releases.mkdir(parents=True, exist_ok=True)
    remove_unfinished(releases)
    remove_unfinished(corpus)
    readable = _readable(state, work, extractor)
    if not readable:
        raise BuildError(f"None of the {len(state.sources)} sources could be read, so nothing is published.")
    stored = stored_vectors(work)
    model = stored[0] if stored else None
    fingerprint = _fingerprint(readable, state.failures, extractor, model)
    previous = buildable_release(corpus)
    proven = read_proven(corpus)
    intact = intact_files(previous.folder, proven) if previous else frozenset()
    if previous and not fresh and _holds(previous, fingerprint, intact):
        return Published(previous, previous.manifest["rows"], new=False)
    name = next_name(releases)
    folder = releases / f"{TEMPORARY}{name}"
    folder.mkdir()
    try:
        shared = None if previous is None or fresh else _Shared(previous.folder, intact)
        tables = _write_tables(folder, readable, state.failures, work, extractor, shared, stored)
        files = tables.files
        database = _write_database(corpus, folder, tables, model, shared, proven)
        rows = database.rows
        if stored:
            write_vector_files(folder, rows[VECTORS.name], stored[1].dimensions)
        index = previous if shared and _index_whole(shared) else None
        search = write_search_index(folder, readable, extractor, index)
        manifest = _write_manifest(folder, name, extractor, model, fingerprint, database, files, search)
        check_release(folder, manifest, database.changed)
        stages = left_figures(work) | {"publish": {"seconds": round(time.monotonic() - began, 2)}}
        damaged = previous is not None and not _whole(previous, intact)
        write_report(folder, manifest, readable, stages, previous, entries(corpus), damaged=damaged)
        proven = write_checksums(folder, proven, (DATABASE,) if database.changed else ())
        sync_tree(folder)
        final = releases / name
        folder.rename(final)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)  # a full disk must not stay full until the next build
        raise
    sync_folder(releases)
    keep_proven(corpus, name, proven)
    make_current(corpus, name)
    collect(corpus, KEPT, spare=True)
    return Published(Release(final.resolve(), manifest), rows, new=True)


def publish_for_quotes(state: State, work: Path, corpus: Path, extractor: str) -> None:
    """Publish what quotes and pages are read from, as the first release of `corpus`; see `publish`.

    It has no vectors, index of words, report or checksums, is not checked, and may be lost in a power cut.
    """
    readable = _readable(state, work, extractor)
    if not readable:
        raise BuildError(f"None of the {len(state.sources)} sources could be read, so nothing is published.")
    releases = corpus / RELEASES
    releases.mkdir(parents=True, exist_ok=True)
    remove_unfinished(releases)
    name = next_name(releases)
    folder = releases / f"{TEMPORARY}{name}"
    folder.mkdir()
    files = _write_tables(folder, readable, state.failures, work, extractor, None, None).files
    database = _Database(*write_database(folder / DATABASE, folder, files), None)
    fingerprint = _fingerprint(readable, state.failures, extractor, None)
    _write_manifest(folder, name, extractor, None, fingerprint, database, files, None)
    folder.rename(releases / name)
    make_current(corpus, name)


def would_publish(state: State, model: str | None, work: Path, corpus: Path, extractor: str) -> bool:
    """Return whether `publish` would make a release of `state` and the vectors of `model`; write nothing."""
    readable = _readable(state, work, extractor)
    current = buildable_release(corpus)
    fingerprint = _fingerprint(readable, state.failures, extractor, model)
    intact = intact_files(current.folder, read_proven(corpus)) if current else frozenset()
    return not current or not _holds(current, fingerprint, intact)


def _write_manifest(
    folder: Path,
    name: str,
    extractor: str,
    model: str | None,
    fingerprint: str,
    database: "_Database",
    files: dict[str, list[str]],
    search: Any,
) -> dict[str, Any]:
    manifest = {
        "release": name,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "layout": LAYOUT,
        "folding": FOLDING,
        "unicode": UNICODE,
        "extractor": extractor,
        "model": model,
        "fingerprint": fingerprint,
        "rows": database.rows,
        "files": files,
        "search": search,
        "database": database.layout.to_dict(),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def _readable(state: State, work: Path, extractor: str) -> list[dict[str, Any]]:
    folder = records_folder(work, extractor)
    return [source for source in state.sources if source["record"] and (folder / source["record"]).exists()]


def _holds(release: Release, fingerprint: str, intact: frozenset[str]) -> bool:
    return _whole(release, intact) and release.manifest["fingerprint"] == fingerprint


def _whole(release: Release, intact: frozenset[str]) -> bool:
    """Return whether all files that readers may open, the manifest among them, are `intact`."""
    if not {MANIFEST, DATABASE} <= intact:
        return False
    if not _index_whole(_Shared(release.folder, intact)):
        return False
    names = {name for parts in release.manifest["files"].values() for name in parts}
    return names | ({VECTORS_FILE, SCALES_FILE} if release.model else set()) <= intact


def _fingerprint(
    sources: Sequence[dict[str, Any]], failures: pl.DataFrame, extractor: str, model: str | None
) -> str:
    """Return a hash of everything that decides what the release holds; measured times do not."""
    decisive = [
        LAYOUT,
        FOLDING,
        extractor,
        model,
        LINKING,
        index_version(extractor),
        [view.sql for view in VIEWS],
        [{name: value for name, value in row.items() if name not in TIMINGS} for row in sources],
        failures.drop(TIMINGS).to_dicts(),
    ]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def _write_tables(
    folder: Path,
    sources: Sequence[dict[str, Any]],
    failures: pl.DataFrame,
    work: Path,
    extractor: str,
    shared: "_Shared | None",
    vectors: tuple[str, VectorCache] | None,
) -> "_Tables":
    """Write all Parquet files."""
    files: dict[str, list[str]] = {table.name: [] for table in SHARDED}
    papers: list[dict[str, Any]] = []
    works: dict[str, frozenset[str]] = {}
    for table in SHARDED:
        (folder / table.name).mkdir()
    summaries = Summaries(work, extractor)
    part_of: dict[str, int] = {}
    for number, part in enumerate(parts(sources, extractor)):
        part_of |= {source["key"]: number for source in part.sources}
        anew = []
        for table in SHARDED:
            embedded = table in (PARAGRAPHS, VECTORS)
            stem = part.name_with(vectors[0] if vectors else "") if embedded else part.name
            name = f"{table.name}/{stem}.parquet"
            files[table.name].append(name)
            if not (shared and shared.link(name, folder)):
                anew.append((table, name))
        records = [_record(work, extractor, source["record"]) for source in part.sources] if anew else []
        for table, name in anew:
            make = _vectors if table is VECTORS else partial(_rows, table)
            _write(folder / name, make(part, records, vectors))
        for place, source in enumerate(part.sources):
            name = source["record"]
            summary = summaries.known(name)
            if summary is None:
                summary = summaries.add(name, records[place] if anew else _record(work, extractor, name))
            papers.append(_paper(source, summary))
            works[source["key"]] = identities(papers[-1], summary.arxiv)
    summaries.keep()
    versions = linked(works)
    for paper in papers:
        paper["versions"] = versions[paper["key"]]
    _write(folder / PAPERS_ROWS, pa.Table.from_pylist(papers, arrow_schema(PAPERS)))
    _write(folder / "failures.parquet", failures.to_arrow().cast(arrow_schema(FAILURES)))
    return _Tables(files | {PAPERS.name: [PAPERS_ROWS], FAILURES.name: ["failures.parquet"]}, part_of)


@dataclass(frozen=True)
class _Tables:
    """The Parquet files of a release, by table, relative to its folder, and the part of each paper."""

    files: dict[str, list[str]]
    part_of: Mapping[str, int]

    def holding(self, keys: Sequence[str]) -> dict[str, list[str]]:
        """Return the files with the rows of these papers, by table; those that are not parts as they are."""
        numbers = sorted({self.part_of[key] for key in keys})
        parts = {table.name: [self.files[table.name][number] for number in numbers] for table in SHARDED}
        return self.files | parts

    def changed(self, difference: Difference) -> Changed:
        """Return what has to be checked: all papers of the parts with papers that changed."""
        numbers = {self.part_of[key] for key in difference.fresh}
        keys = [key for key, number in self.part_of.items() if number in numbers]
        files = self.holding(difference.fresh)
        return Changed([*keys, *difference.gone], {table.name: files[table.name] for table in SHARDED})


@dataclass(frozen=True)
class _Database:
    """The rows of a new database by table, how it was written, and what changed if not all is new."""

    rows: dict[str, int]
    layout: Layout
    changed: Changed | None


def _write_database(
    corpus: Path, folder: Path, tables: _Tables, model: str | None, shared: "_Shared | None", proven: Proven
) -> _Database:
    """Change the database of an earlier release in `folder`, or write one."""
    changes = _taken_over(corpus, folder, model, shared, proven) if shared else None
    if changes is None:
        return _Database(*write_database(folder / DATABASE, folder, tables.files), None)
    rows = change_database(folder / DATABASE, folder, tables.holding(changes.fresh), changes)
    return _Database(rows, changes.layout, tables.changed(changes))


def _taken_over(
    corpus: Path, folder: Path, model: str | None, shared: "_Shared", proven: Proven
) -> Difference | None:
    """Have the database of an earlier release in `folder`, and return its difference from what is there.

    None, with no database there, where it is to be written anew.
    """
    files = (DATABASE, PAPERS_ROWS, MANIFEST)
    if not shared.intact.issuperset(files):
        return None
    spare = corpus / SPARE
    if all(is_proven(spare / name, proven) for name in files):
        changes = difference(spare, folder, model)
        if changes is not None and take_spare(corpus, folder / DATABASE):
            return changes
    changes = difference(shared.folder, folder, model)
    if changes is not None:
        copy_database(shared.folder / DATABASE, folder / DATABASE)
    return changes


def _record(work: Path, extractor: str, name: str) -> pa.RecordBatch:
    record = read_record(records_folder(work, extractor) / name)
    if record is None:
        raise DamagedCacheError(_remove_damaged(work, extractor))
    return record


def _remove_damaged(work: Path, extractor: str) -> int:
    """Remove all damaged extractions; return their number."""
    damaged = [path for path in records_folder(work, extractor).rglob("*.arrow") if read_record(path) is None]
    for path in damaged:
        path.unlink()
    return len(damaged)


@dataclass(frozen=True)
class _Shared:
    """The files of the previous release, in `folder`, that the new one may share."""

    folder: Path
    intact: frozenset[str]

    def link(self, name: str, folder: Path) -> bool:
        """Link the file into `folder`, if it is intact; return whether it is."""
        if name not in self.intact:
            return False
        os.link(self.folder / name, folder / name)
        return True


def _index_whole(shared: _Shared) -> bool:
    """Return whether the index of words is undamaged."""
    files = [path.relative_to(shared.folder).as_posix() for path in (shared.folder / FOLDER).glob("*")]
    return bool(files) and set(files) <= shared.intact


def _rows(
    table: Table, part: Part, records: Sequence[pa.RecordBatch], vectors: tuple[str, VectorCache] | None
) -> pa.Table:
    schema = arrow_schema(table)
    pieces = []
    for source, record in zip(part.sources, records, strict=True):
        rows = table_of(record, table)
        rows = rows.add_column(0, "key", pa.array([source["key"]] * len(rows), pa.string()))
        if table is PARAGRAPHS:
            embedded = _embedded(source, record, vectors) if vectors else None
            for name, column in paragraph_embeddings(len(rows), embedded).items():
                rows = rows.append_column(name, column)
        pieces.append(rows.cast(schema))
    return pa.concat_tables(pieces)


def _vectors(
    part: Part, records: Sequence[pa.RecordBatch], vectors: tuple[str, VectorCache] | None
) -> pa.Table:
    schema = arrow_schema(VECTORS)
    pieces = [schema.empty_table()]
    if vectors is not None:
        for source, record in zip(part.sources, records, strict=True):
            sentences, rows = _embedded(source, record, vectors)
            columns = {
                "key": pa.array([source["key"]] * len(rows), pa.string()),
                "paragraph": sentences.paragraphs,
                "sentence": sentences.numbers,
                "model": pa.array([vectors[0]] * len(rows), pa.string()),
                "vector": lists_of(rows["vector"]),
                "scale": rows["scale"],
            }
            pieces.append(pa.table(columns).cast(schema))
    return pa.concat_tables(pieces)


def _embedded(
    source: dict[str, Any], record: pa.RecordBatch, vectors: tuple[str, VectorCache]
) -> tuple[Sentences, Rows]:
    """Return a paper's sentences that get vectors, and these; raise BuildError where one has none yet."""
    model, cache = vectors
    sentences = embedded_sentences(record)
    texts = text_hashes(sentences.texts)
    if not cache.has(texts).all():
        raise BuildError(
            f"Sentences of {source['key']!r} have no vectors of the model {model!r} yet. "
            "Run `pagequote embed` with that model first."
        )
    return sentences, cache.rows(texts)


def _paper(source: dict[str, Any], summary: Summary) -> dict[str, Any]:
    """Return a row of `papers`: the library's metadata first, then the document's own."""
    marked = not summary.pages or TEXT in summary.extractor
    return {
        **summary.metadata,
        **{name: value for name, value in source.items() if value},
        "pages": summary.pages,
        "empty_pages": summary.empty_pages,
        "paragraphs": summary.paragraphs,
        "status": "covered" if summary.empty_pages < summary.pages or marked else "not covered",
        "extractor": summary.extractor,
    }


def _write(path: Path, rows: pa.Table) -> None:
    pq.write_table(rows, path, compression="zstd", row_group_size=_ROW_GROUP, write_page_index=True)
