"""What a release and each of its shards are to hold, told from the state without holding that.

The rows of the state are looked at one by one: for their hashes, to link versions, and by each task for those
of its shard. A release in one piece is shard 0 of 1.
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
from lookup.text.folding import FOLDING
from objectstore.shards import ROWS_APART, shard_of
from pipeline.embedding.last_embedding import lacking_vectors, stored_terms
from pipeline.extractor import EXTRACTOR
from pipeline.publish.paper_versions import LINKING
from pipeline.publish.search_index import index_version
from pipeline.publish.write_database import database_version
from pipeline.work.extraction_cache import is_kept, records_folder
from pipeline.work.state import DERIVED, failure_rows, source_rows

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

    def shard_fingerprint(self, shard: int, versions: Versions) -> str:
        """Return the same of a shard."""
        return self._fingerprint([shard, self.hashes[shard], versions])

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
        lacking = lacking_vectors(self.work) if model else ""
        # A corpus that is in the work folder is on its way to object storage.
        apart = not root or self.work.resolve() in corpus.resolve().parents
        library = root if apart else os.path.relpath(os.path.realpath(root), corpus.resolve())
        terms = stored_terms(self.work) if model else None
        held = [one.hexdigest() for one in hashes]
        return ReleaseSpec(model, held, lacking, root, library, terms)

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
