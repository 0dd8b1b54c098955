"""What a release and each of its shards are to hold, with the rows of `papers`, told from the state.

That is not held: its rows are looked at one by one, for their hashes, to link versions, and by each task for
those of its shard. A release in one piece is shard 0 of 1.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pyarrow as pa

from lookup.errors import BuildError
from lookup.release.current import LAYOUT
from lookup.release.schema import PAPERS
from lookup.text.folding import FOLDING
from objectstore.shards import ROWS_APART, shard_of
from pipeline.embedding.last_embedding import LastModel, last_model
from pipeline.extractor import EXTRACTOR
from pipeline.files.atomic import remove
from pipeline.publish.paper_versions import LINKING, identities, linked
from pipeline.publish.search_index import index_version
from pipeline.publish.write_database import database_version
from pipeline.records import arrow_schema
from pipeline.sources.added import metadata_of
from pipeline.sources.names import completed
from pipeline.sources.source import TEXT
from pipeline.work.extraction_cache import is_kept, read_record, records_folder
from pipeline.work.state import DERIVED, failure_rows, metadata_row, source_rows
from pipeline.work.summaries import kept_summary, summary_of

Rows = Callable[[], Iterable[dict[str, Any]]]  # Gives the rows of a table of the state, each time anew.

Versions = Mapping[str, Sequence[str]]
"""By key, the keys of the other versions of those papers of a shard that have any, in whatever shards."""

_as_text = json.JSONEncoder(sort_keys=True).encode


@dataclass(frozen=True)
class Content:
    """What a release in one piece, or a shard of one, is to hold.

    `sources` are the keys of its papers with the names of their extractions, `papers` and `failures` the rows
    of these tables. In one piece it is shard 0.
    """

    spec: "ReleaseSpec"
    fingerprint: str
    shard: int
    sources: Sequence[dict[str, str]]
    papers: pa.Table
    failures: Sequence[dict[str, Any]]

    @property
    def first_row(self) -> int:
        """The number of its first row of `paragraphs`."""
        return ROWS_APART * self.shard


@dataclass(frozen=True)
class ReleaseSpec:
    """What the shards of a release have in common, and the hash of the rows of the state of each.

    A release in one piece has one hash.
    """

    model: str | None
    hashes: Sequence[str]
    lacking: str = ""
    """A hash of the texts of which there are no vectors, though there is a model."""

    root: str = ""
    """The folder that all sources on this machine are in, as an absolute path; empty where there is none."""

    library: str = ""
    """That folder as the manifest names it; see `Release.source`."""

    terms: str | None = None
    """The sparse model of the index."""

    @property
    def shards(self) -> int:
        """The number of its shards, 1 in one piece."""
        return len(self.hashes)

    @property
    def fingerprint(self) -> str:
        """A hash of everything that decides what the release holds; measured times do not."""
        return self._fingerprint(self.hashes)

    def fingerprint_of(self, shard: int, versions: Versions) -> str:
        """Return the same of a shard, or of all in one piece."""
        return self._fingerprint([shard, self.hashes[shard], versions] if self.shards > 1 else self.hashes)

    def _fingerprint(self, held: Any) -> str:
        decisive = [
            LAYOUT,
            FOLDING,
            EXTRACTOR,
            self.model,
            LINKING,
            index_version(self.terms),
            database_version(),
            held,
            self.root,
            self.library,
            *filter(None, [self.lacking]),
        ]
        return hashlib.sha256(_as_text(decisive).encode()).hexdigest()


@dataclass(frozen=True)
class StateRows:
    """What a release is to hold of the state: sources with an extraction in `work`, and failures."""

    sources: Rows
    failures: Rows
    work: Path

    def spec(self, model: str | None, shards: int, corpus: Path) -> ReleaseSpec:
        """Return what a release of them in so many shards is. Raise BuildError without a paper."""
        hashes = [hashlib.sha256() for _ in range(shards)]
        root = ""
        papers = False
        sources = zip(repeat("source"), self.kept_sources(), strict=False)
        failures = zip(repeat("failure"), self.failures(), strict=False)
        for kind, row in chain(sources, failures):
            papers = papers or kind == "source"
            root = _common_folder(root, row["path"])
            decisive = {name: value for name, value in row.items() if name not in DERIVED}
            hashes[_shard_of(row, shards)].update(f"{kind}{_as_text(decisive)}\n".encode())
        if not papers:
            raise BuildError(_none_read(len(list(self.sources())), list(self.failures())))
        last = last_model(self.work) if model else LastModel(None)
        # A corpus that is in the work folder is on its way to object storage.
        apart = not root or self.work.resolve() in corpus.resolve().parents
        library = root if apart else os.path.relpath(os.path.realpath(root), corpus.resolve())
        held = [one.hexdigest() for one in hashes]
        return ReleaseSpec(model, held, last.lacking, root, library, last.terms)

    def kept_sources(self, shard: int = 0, shards: int = 1) -> Iterator[dict[str, Any]]:
        """Yield the sources of a shard whose extraction is there, by default those of all."""
        folder = records_folder(self.work)
        for row in self.sources():
            if row["record"] and _shard_of(row, shards) == shard and is_kept(folder, row["record"]):
                yield row

    def shard_failures(self, shard: int, shards: int) -> list[dict[str, Any]]:
        """Return the failures of a shard."""
        return [row for row in self.failures() if _shard_of(row, shards) == shard]


def left_rows(work: Path) -> StateRows:
    """Return the rows of the state that the last extraction left."""
    return StateRows(lambda: source_rows(work), lambda: failure_rows(work), work)


def _shard_of(row: Mapping[str, Any], shards: int) -> int:
    return shard_of(row["key"] or row["path"], shards)


def _none_read(sources: int, failures: Sequence[Mapping[str, Any]]) -> str:
    """Return what is said where no source could be read: the counts by reason, and the first three."""
    first = " ".join(f"{row['path']}: {row['detail']}" for row in failures[:3])
    if sources == 1 and len(failures) < 2:
        return f"The only source could not be read, so nothing is published. {first}".strip()
    counts = Counter(row["reason"] for row in failures)
    by_reason = ", ".join(f"{count} {reason}" for reason, count in counts.most_common())
    return (
        f"None of the {sources} sources could be read, so nothing is published ({by_reason}). {first}".strip()
        + (" ..." if len(failures) > 3 else "")
    )


def relative_to(root: str, path: str) -> str:
    """Return the path of a source as tables have it: from the root, where it is on this machine."""
    return os.path.relpath(path, root) if root and path.startswith("/") else path


def _common_folder(root: str, path: str) -> str:
    """Return the folder that holds `root`, if there is one, and the file at `path`, if it is here."""
    if not path.startswith("/") or (root and path.startswith(f"{root}/")):
        return root
    folder = path.rpartition("/")[0] or "/"  # no Path: there are many
    return os.path.commonpath([root, folder]) if root else folder


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


def content_of(rows: StateRows, spec: ReleaseSpec, versions: Versions, shard: int = 0) -> Content:
    """Return what a shard is to hold; the paths of its papers and failures are relative to the root."""
    failures = rows.shard_failures(shard, spec.shards)
    sources, papers = [], []
    for source in rows.kept_sources(shard, spec.shards):
        sources.append({"key": source["key"], "record": source["record"]})
        papers.append(_paper(source, _summary(source, rows)) | {"versions": versions.get(source["key"], ())})
    for row in (*papers, *failures):
        row |= {name: relative_to(spec.root, row[name]) for name in ("path", "library") if row.get(name)}
    table = pa.Table.from_pylist(papers, arrow_schema(PAPERS))
    return Content(spec, spec.fingerprint_of(shard, versions), shard, sources, table, failures)


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
