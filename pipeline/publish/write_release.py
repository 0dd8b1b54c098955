"""Writes the files of a release, or of a shard of one: tables, database, vectors, index, manifest."""

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from lookup.errors import BuildError
from lookup.index.release_index import FOLDER
from lookup.release.checked_files import VECTOR_FILES
from lookup.release.current import DATABASE, LAYOUT, MANIFEST, Release
from lookup.release.schema import (
    FAILURES,
    PAPERS,
    PARAGRAPHS,
    SENTENCE_TEXT,
    SENTENCES,
    SHARDED,
    VECTORS,
    Table,
)
from lookup.text.folding import FOLDING, UNICODE
from pipeline.embedding.last_embedding import last_model
from pipeline.embedding.pending import embedded_sentences, lists_of, paragraph_embeddings, sentence_texts
from pipeline.embedding.vector_cache import Rows, VectorCache, text_hashes
from pipeline.extractor import EXTRACTOR
from pipeline.files.atomic import read_json, write_new
from pipeline.publish.checks import check_release
from pipeline.publish.content import Content, ReleaseSpec, read_kept
from pipeline.publish.descriptions import README, readme, with_metadata
from pipeline.publish.parts import Part, Parts, parts
from pipeline.publish.search_index import write_search_index
from pipeline.publish.vector_files import write_vector_files
from pipeline.publish.write_database import (
    PaperChanges,
    change_database,
    difference,
    write_database,
)
from pipeline.records import arrow_schema, table_of
from pipeline.releases.release_diff import PAPERS_ROWS
from retrieval.embedding.model import PACKED

_PARQUET = ".parquet"
_FAILURES_ROWS = f"{FAILURES.name}{_PARQUET}"

_EMBEDDED = (PARAGRAPHS, VECTORS)  # The tables with vectors.

_ROW_GROUP = 4096
"""Rows: small enough that one paper's rows are read without many others', large enough to compress."""


@dataclass(frozen=True)
class Before:
    """A release, or a shard of one, that a new one may share files with: those that are `intact`."""

    release: Release
    intact: frozenset[str]

    @property
    def whole(self) -> bool:
        """Whether all files that readers may open, the manifest among them, are intact."""
        if self.release.shards:
            return MANIFEST in self.intact and all(one.whole for one in self.shards)
        if not {MANIFEST, DATABASE} <= self.intact or not self.index_whole:
            return False
        manifest = self.release.manifest
        names = {name for parts in manifest["files"].values() for name in parts}
        of_vectors = set(VECTOR_FILES) if self.release.model else set()
        return names | of_vectors <= self.intact

    @property
    def index_whole(self) -> bool:
        """Whether the index of words is undamaged."""
        folder = self.release.folder
        files = [path.relative_to(folder).as_posix() for path in (folder / FOLDER).glob("*")]
        return bool(files) and set(files) <= self.intact

    @property
    def shards(self) -> "list[Before]":
        """Its shards, each with the files of it that are intact."""
        found = []
        for folder in self.release.parts:
            within = f"{folder.relative_to(self.release.folder)}/"
            intact = {name.removeprefix(within) for name in self.intact if name.startswith(within)}
            manifest = read_json(folder / MANIFEST)
            found.append(Before(Release(folder, manifest or {}), frozenset(intact)))
        return found


def write_release(
    folder: Path,
    name: str,
    content: Content,
    work: Path,
    before: Before | None = None,
) -> dict[str, Any]:
    """Write the files of a release into `folder`, which is empty, and check them; return its manifest.

    Files are shared with the release `before`, and its database is copied and changed where that is less.
    """
    last = last_model(work)
    cache = last.cache(work)
    vectors = _Vectors(last.model, cache, last.lacking) if last.model and cache else None
    lacking = {"lacking": vectors.lacking} if vectors and vectors.lacking else {}
    _write_rows(folder, content)
    # Which rows a paper has in a database without some vectors, the papers do not tell.
    same = before is not None and not lacking and "lacking" not in before.release.manifest
    changes = _taken_over(folder, content.spec.model, before) if before and same else None
    if before and changes:
        cut = parts(content.sources, before.release.manifest["late"], changes.fresh)
    else:
        cut = parts(content.sources)
    files = _write_tables(folder, cut, work, before, vectors)
    keys = of_parts = None
    if changes:
        touched = [number for number, part in enumerate(cut.all) if not changes.fresh.isdisjoint(part.keys)]
        keys = [*(key for number in touched for key in cut.all[number].keys), *changes.gone]
        of_parts = {table.name: [files[table.name][number] for number in touched] for table in SHARDED}
        described = change_database(folder, files | of_parts, changes, content.first_row)
    else:
        described = write_database(folder, files, content.first_row)
    if vectors:
        # Behind a row that goes, the number of a vector would not be that of its row any more.
        kept = before.release.manifest["rows"][VECTORS.name] if before and changes and not changes.gone else 0
        write_vector_files(folder, described["rows"][VECTORS.name], vectors.cache.dimensions, kept)
    index = before.release if before and before.index_whole else None
    with duckdb.connect(str(folder / DATABASE), read_only=True):  # all who read it share this instance, 20 ms
        words = VectorCache(work, last.terms, PACKED, mend=False) if last.terms else None
        search = write_search_index(folder, content.sources, index, last.terms, words)
        manifest = describe(
            name,
            content.spec,
            content.fingerprint,
            **described,
            files=files,
            late=cut.late_keys,
            search=search,
            **lacking,
        )
        write_manifest(folder, manifest)
        check_release(folder, manifest, keys, of_parts)
    return manifest


def write_for_quotes(folder: Path, name: str, content: Content, work: Path) -> None:
    """Write what quotes and pages are read from; see `publish_for_quotes`."""
    _write_rows(folder, content)
    files = _write_tables(folder, parts(content.sources), work, None, None)
    held = write_database(folder, files) | {"files": files, "search": None}
    write_manifest(folder, describe(name, content.spec, content.fingerprint, **held))


def describe(name: str, spec: ReleaseSpec, fingerprint: str, **held: Any) -> dict[str, Any]:
    """Return the manifest of a release with this name that holds `held`."""
    return {
        "release": name,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "layout": LAYOUT,
        "folding": FOLDING,
        "unicode": UNICODE,
        "extractor": EXTRACTOR,
        "model": spec.model,
        "fingerprint": fingerprint,
        "library": spec.library,
        **held,
    }


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest of the release in `folder`, and the page that tells people what it is."""
    write_new(folder / MANIFEST, json.dumps(manifest, indent=1) + "\n")
    write_new(folder / README, readme(manifest))


def _write_rows(folder: Path, content: Content) -> None:
    """Write the Parquet files of papers and failures."""
    failures = pa.Table.from_pylist(content.failures, arrow_schema(FAILURES))
    _write(folder / PAPERS_ROWS, with_metadata(content.papers, PAPERS, content.spec.model))
    _write(folder / _FAILURES_ROWS, with_metadata(failures, FAILURES, content.spec.model))


def _write_tables(
    folder: Path,
    cut: Parts,
    work: Path,
    before: Before | None,
    vectors: "_Vectors | None",
) -> dict[str, list[str]]:
    """Write the Parquet files of the parts, or link those of the release before.

    Return the files of the release by table, relative to its folder, those of parts in the order of these.
    """
    files: dict[str, list[str]] = {table.name: [] for table in SHARDED}
    for table in SHARDED:
        (folder / table.name).mkdir()
    for part in cut.all:
        anew = []
        for table in SHARDED:
            made_by = f"{vectors.model}{vectors.lacking}" if vectors else ""
            stem = part.name_with(made_by) if table in _EMBEDDED else part.name
            name = f"{table.name}/{stem}{_PARQUET}"
            files[table.name].append(name)
            if before and name in before.intact:
                os.link(f"{before.release.folder}/{name}", f"{folder}/{name}")  # thousands: no paths
            else:
                anew.append((table, name))
        if not anew:
            continue
        records = [read_kept(work, source["record"]) for source in part.sources]
        for table, name in anew:
            rows = _rows(table, part, records, vectors)
            model = vectors.model if vectors and table in _EMBEDDED else None
            _write(folder / name, with_metadata(rows, table, model))
    return files | {PAPERS.name: [PAPERS_ROWS], FAILURES.name: [_FAILURES_ROWS]}


def _taken_over(folder: Path, model: str | None, before: Before) -> PaperChanges | None:
    """Copy the database of an earlier release, and its files of vectors, into the folder with the new papers.

    Return the difference from it; None, with no database there, where it is to be written anew.
    """
    files = (DATABASE, *(VECTOR_FILES if model else ()))
    if not before.intact.issuperset((*files, MANIFEST, PAPERS_ROWS)):
        return None
    changes = difference(before.release, folder, model)
    if changes is not None:
        for name in (DATABASE,) if changes.gone else files:
            copy_file(before.release.folder / name, folder / name)
    return changes


def copy_file(source: Path, target: Path) -> None:
    """Copy a file; file systems that can (XFS, Btrfs) share its blocks instead."""
    if not hasattr(os, "copy_file_range"):
        shutil.copyfile(source, target)
        return
    with source.open("rb") as old, target.open("xb") as new:
        left = os.fstat(old.fileno()).st_size
        while left > 0 and (copied := os.copy_file_range(old.fileno(), new.fileno(), left)):
            left -= copied


def _rows(
    table: Table, part: Part, records: Sequence[pa.RecordBatch], vectors: "_Vectors | None"
) -> pa.Table:
    """Return the rows of a table for the papers of a part."""
    schema = arrow_schema(table, dimensions=vectors.cache.dimensions if vectors else None)
    if table is VECTORS and vectors is None:
        return schema.empty_table()
    pieces = []
    for source, record in zip(part.sources, records, strict=True):
        embedded = vectors.of(source, record) if vectors and table in _EMBEDDED else None
        if vectors and embedded and table is VECTORS:
            sentences, kept = embedded
            columns = {
                "paragraph": sentences["paragraph"],
                "sentence": sentences["sentence"],
                "model": pa.array([vectors.model] * len(kept), pa.string()),
                "vector": lists_of(kept["vector"]),
                "scale": kept["scale"],
            }
            rows = pa.table(columns)
        else:
            rows = table_of(record, table)
        rows = rows.add_column(0, "key", pa.array([source["key"]] * len(rows), pa.string()))
        if table is PARAGRAPHS:
            for name, column in paragraph_embeddings(len(rows), embedded).items():
                rows = rows.append_column(name, column)
        rows = rows.cast(schema)
        if table is SENTENCES:
            rows = rows.append_column(SENTENCE_TEXT.name, sentence_texts(record, rows))
        pieces.append(rows)
    return pa.concat_tables(pieces)


@dataclass(frozen=True)
class _Vectors:
    """The vectors of a release, and a hash of the texts that lack one, '' where none does."""

    model: str
    cache: VectorCache
    lacking: str

    def of(self, source: Mapping[str, str], record: pa.RecordBatch) -> tuple[pa.Table, Rows]:
        """Return a paper's sentences with vectors, and these; raise BuildError where some are lost."""
        sentences = embedded_sentences(record)
        texts = text_hashes(sentences["text"].to_pylist())
        held = self.cache.has(texts)
        if self.lacking:
            sentences = sentences.filter(pa.array(held))
            texts = texts[held]
        elif not held.all():
            raise BuildError(
                f"Sentences of {source['key']!r} have no vectors of the model {self.model!r} yet. "
                "Run `pagequote embed` with that model first."
            )
        return sentences, self.cache.rows(texts)


def _write(path: Path, rows: pa.Table) -> None:
    pq.write_table(rows, path, compression="zstd", row_group_size=_ROW_GROUP, write_page_index=True)
