"""What a release and each of its shards are to hold, told from the state without holding that.

The rows of the state are looked at one by one: twice, for their hashes and, where there is a new release, to
leave them in a file for each shard. A release in one piece has the files of one shard.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from lookup.errors import BuildError
from lookup.release.current import LAYOUT
from lookup.text.folding import FOLDING
from objectstore.shards import ROWS_APART, shard_of
from pipeline.embedding.last_embedding import lacking_vectors, stored_terms
from pipeline.files.atomic import changed_in_place
from pipeline.publish.paper_versions import LINKING
from pipeline.publish.search_index import index_version
from pipeline.publish.write_database import database_version
from pipeline.work.extraction_cache import is_kept, records_folder
from pipeline.work.state import TIMINGS

Rows = Callable[[], Iterable[dict[str, Any]]]  # Gives the rows of a table of the state, each time anew.

Versions = Mapping[str, Sequence[str]]
"""By key, the keys of the other versions of those papers of a shard that have any, in whatever shards."""

_SOURCE, _FAILURE = "source", "failure"

_ROWS_PER_BATCH = 8192  # Rows that are held before they are written.

_as_text = json.JSONEncoder(sort_keys=True).encode


@dataclass(frozen=True)
class Content:
    """What a release in one piece, or a shard of one, is to hold.

    `sources` and `failures` are rows of the state, and `papers` those of the table by key. In one piece it is
    shard 0.
    """

    sources: Sequence[dict[str, Any]]
    papers: pa.Table
    failures: Sequence[dict[str, Any]]
    extractor: str
    model: str | None
    fingerprint: str
    shard: int = 0
    library: str = ""

    @property
    def first_row(self) -> int:
        """The number of its first row of `paragraphs`."""
        return ROWS_APART * self.shard


@dataclass(frozen=True)
class ShardRows:
    """The rows of the state that a shard is to hold, in a file that all tasks see, and their hash."""

    file: Path
    hash: str
    shard: int
    work: Path
    extractor: str

    def read(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Return the sources and the failures."""
        rows: dict[str, list[dict[str, Any]]] = {_SOURCE: [], _FAILURE: []}
        with self.file.open() as lines:
            for line in lines:
                kind, row = json.loads(line)
                rows[kind].append(row)
        return rows[_SOURCE], rows[_FAILURE]


@dataclass(frozen=True)
class ReleaseSpec:
    """What the shards of a release have in common, and the hash of the rows of the state of each.

    A release in one piece has one hash.
    """

    extractor: str
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

    def shard_fingerprint(self, shard: int, versions: Versions) -> str:
        """Return the same of a shard."""
        return self._fingerprint([shard, self.hashes[shard], versions])

    def _fingerprint(self, held: Any) -> str:
        decisive = [
            LAYOUT,
            FOLDING,
            self.extractor,
            self.model,
            LINKING,
            index_version(self.extractor, self.terms),
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
    extractor: str

    def spec(self, model: str | None, shards: int, corpus: Path) -> ReleaseSpec:
        """Return what a release of them in so many shards is. Raise BuildError without a paper."""
        hashes = [hashlib.sha256() for _ in range(shards)]
        root = ""
        for shard, kind, row in self._by_shard(shards):
            root = _common_folder(root, row["path"])
            untimed = {name: value for name, value in row.items() if name not in TIMINGS}
            hashes[shard].update(f"{kind}{_as_text(untimed)}\n".encode())
        lacking = lacking_vectors(self.work) if model else ""
        # A corpus that is in the work folder is on its way to object storage.
        apart = not root or self.work.resolve() in corpus.resolve().parents
        library = root if apart else os.path.relpath(os.path.realpath(root), corpus.resolve())
        terms = stored_terms(self.work) if model else None
        held = [one.hexdigest() for one in hashes]
        return ReleaseSpec(self.extractor, model, held, lacking, root, library, terms)

    def write(self, folder: Path, spec: ReleaseSpec) -> list[ShardRows]:
        """Write the rows of each shard to a file in `folder`."""
        files = [folder.resolve() / f"{shard:03d}.jsonl" for shard in range(spec.shards)]
        waiting: list[list[str]] = [[] for _ in files]
        for count, (shard, kind, row) in enumerate(self._by_shard(spec.shards), 1):
            waiting[shard].append(f"{_as_text([kind, row])}\n")
            if count % _ROWS_PER_BATCH == 0:
                _append(files, waiting)
        _append(files, waiting)
        work = self.work.resolve()
        return [
            ShardRows(file, spec.hashes[shard], shard, work, self.extractor)
            for shard, file in enumerate(files)
        ]

    def _by_shard(self, shards: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
        folder = records_folder(self.work, self.extractor)
        sources = papers = 0
        for row in self.sources():
            sources += 1
            if row["record"] and is_kept(folder, row["record"]):
                papers += 1
                yield shard_of(row["key"], shards), _SOURCE, row
        if not papers:
            raise BuildError(_none_read(sources, list(self.failures())))
        for row in self.failures():
            yield shard_of(row["key"] or row["path"], shards), _FAILURE, row


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


def _append(files: Sequence[Path], waiting: Sequence[list[str]]) -> None:
    for path, lines in zip(files, waiting, strict=True):
        with changed_in_place(path, make=True) as file:
            file.seek(0, os.SEEK_END)
            file.writelines(line.encode() for line in lines)
        lines.clear()
