"""What a build finds before it does anything: the sources, what changed since the last build, and what has to be read, and why.

A build does what the survey says, and `pagequote build --plan` prints it: there is no second opinion.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.ocr.tesseract import Ocr
from pipeline.sources.added import with_added
from pipeline.sources.find_sources import Contents, Rejected, Source, file_contents, find_sources
from pipeline.sources.object_sources import Objects, known_objects
from pipeline.work.extraction_cache import kept_record, records_folder
from pipeline.work.failure_cache import KeptFailure, kept_failure
from pipeline.work.outcomes import Limits
from pipeline.work.state import State, last_state, metadata_row


@dataclass(frozen=True)
class Request:
    """What may be asked of a build beside its sources.

    With `since`, files that the last build knew and that were not touched since stay as they were, unopened. `retry` reads again
    what failed, `force` all there is.
    """

    since: datetime | None = None
    retry: bool = False
    force: bool = False


@dataclass(frozen=True)
class Found:
    """A source, and how it differs from what the last build had.

    `change` is 'new', 'changed' (other bytes), 'renamed', 'moved' (to another folder), 'rekeyed' (another key), 'metadata' (the .bib says
    something else), 'unchanged'. `was` is the path or key that it had, `why` why its bytes have to be read, '' where they have not:
    'new', 'changed', 'extractor' (of another version), 'ocr' (other pages or another Tesseract), 'retry' (it failed), 'lost' (its
    extraction is not there any more), 'force'.
    """

    source: Source
    change: str
    was: str
    why: str


@dataclass
class Survey:
    """All that a build starts from. `records` and `failed` are by SHA-256: what is kept, and what is known to fail."""

    found: list[Found] = field(default_factory=list)
    gone: list[dict[str, Any]] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    records: dict[str, Path] = field(default_factory=dict)
    failed: dict[str, KeptFailure] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    objects: Objects = field(default_factory=Objects)

    @property
    def sources(self) -> list[Source]:
        """All sources, by key."""
        return [found.source for found in self.found]

    @property
    def to_read(self) -> list[Source]:
        """The sources whose bytes have to be read, each content once."""
        return list(
            {found.source.sha256: found.source for found in reversed(self.found) if found.why}.values()
        )[::-1]

    @property
    def by_bytes(self) -> dict[str, list[Source]]:
        """The sources by SHA-256."""
        same: dict[str, list[Source]] = {}
        for source in self.sources:
            same.setdefault(source.sha256, []).append(source)
        return same

    @property
    def same_bytes(self) -> list[tuple[str, ...]]:
        """The keys of the sources that are the same file."""
        return [tuple(one.key for one in same) for same in self.by_bytes.values() if len(same) > 1]


def survey(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path],
    work: Path,
    extractor: str,
    ocr: Ocr,
    limits: Limits,
    request: Request,
) -> Survey:
    """Look at the sources and at what `work` keeps; nothing is written."""
    last = last_state(work)
    contents = _contents_since(request.since, last) if request.since else file_contents
    objects = Objects(known_objects(work))
    sources, rejected = with_added(*find_sources(named, bibliographies, contents, objects), work)
    result = Survey(rejected=rejected, objects=objects)
    result.seconds = {row["sha256"]: row["seconds"] for row in last.sources if row.get("seconds") is not None}
    why: dict[str, str] = {}
    changes = _changes(sources, last)
    had = {row["sha256"]: row["record"] for row in last.sources}
    others = _other_versions(work, extractor)
    for source in sources:
        change, was = changes[source.key]
        sha256 = source.sha256
        if sha256 not in why:
            record = kept_record(work, extractor, sha256, ocr)
            failure = None if record else kept_failure(work, extractor, sha256)
            if request.force:
                why[sha256] = "force"
            elif record is not None:
                result.records[sha256] = record
                why[sha256] = ""
            elif failure is not None and failure.stands(ocr, limits) and not request.retry:
                result.failed[sha256] = failure
                why[sha256] = ""
            elif failure is not None:
                why[sha256] = "retry"
            elif _has_other(records_folder(work, extractor), sha256):
                why[sha256] = "ocr"
            elif any(_has_other(folder, sha256) for folder in others):
                why[sha256] = "extractor"
            elif sha256 in had:
                why[sha256] = "lost" if had[sha256] else "retry"
            else:
                why[sha256] = "changed" if change == "changed" else "new"
        result.found.append(Found(source, change, was, why[sha256]))
    kept = {str(source.path) for source in sources} | {
        was for change, was in changes.values() if change in _PATHS
    }
    result.gone = [row for row in last.sources if row["path"] not in kept]
    return result


_PATHS = ("renamed", "moved")
"""Changes of which `was` is a path."""


def _changes(sources: Iterable[Source], last: State) -> dict[str, tuple[str, str]]:
    """For each key what became of its source since the last build, and what it was called then."""
    sources = list(sources)
    at = {row["path"]: row for row in last.sources}
    left = _left_behind(last.sources, {str(source.path) for source in sources})
    changes = {}
    for source in sources:
        row = at.get(str(source.path))
        if row is None and left.get(source.sha256):
            was = left[source.sha256].pop(0)
            same_folder = Path(was).parent == source.path.parent
            changes[source.key] = ("renamed" if same_folder else "moved", was)
        elif row is None:
            changes[source.key] = ("new", "")
        elif row["sha256"] != source.sha256:
            changes[source.key] = ("changed", "")
        elif row["key"] != source.key:
            changes[source.key] = ("rekeyed", row["key"])
        else:
            said = metadata_row(source.metadata)
            same = all(row[name] == value for name, value in said.items())
            changes[source.key] = ("unchanged" if same else "metadata", "")
    return changes


def _left_behind(rows: Iterable[Mapping[str, Any]], paths: set[str]) -> dict[str, list[str]]:
    """By SHA-256, the paths of the last build that lead nowhere now: what was renamed came from there."""
    left: dict[str, list[str]] = {}
    for row in rows:
        if row["path"] not in paths:
            left.setdefault(row["sha256"], []).append(row["path"])
    return left


def _contents_since(since: datetime, last: State) -> Contents:
    """What tells a file's content by what the last build saw, where it is known and untouched since.

    Touched is what the file system says of content (mtime) and of name, place and permissions (ctime): a file that was copied with its
    times, or moved here, counts as touched.
    """
    known = {row["path"]: row for row in last.sources}
    moment = since.timestamp()

    def contents(path: Path) -> tuple[str, int]:
        row = known.get(str(path))
        if row is not None:
            now = path.stat()
            if max(now.st_mtime, now.st_ctime) < moment and now.st_size == row["bytes"]:
                return row["sha256"], row["bytes"]
        return file_contents(path)

    return contents


def _other_versions(work: Path, extractor: str) -> list[Path]:
    ours = records_folder(work, extractor)
    return [folder for folder in sorted(ours.parent.glob("*")) if folder.is_dir() and folder != ours]


def _has_other(folder: Path, sha256: str) -> bool:
    """Whether `folder` keeps any reading of these bytes."""
    return next((folder / sha256[:2]).glob(f"{sha256}.*arrow"), None) is not None
