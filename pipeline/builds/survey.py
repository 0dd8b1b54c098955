"""The survey before a build: the sources, what changed since the last build, what has to be read, and why.

A build does what the survey says, and `pagequote build --plan` prints it.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from lookup.errors import BuildError
from lookup.release.schema import PARAGRAPHS
from lookup.storage.object_path import place
from lookup.text.folding import blind
from pipeline.files.known_contents import KnownContents
from pipeline.formats import LARGEST
from pipeline.ocr.tesseract import LATE, NO_OCR, Ocr
from pipeline.records import table_of
from pipeline.sources.added import added_library, metadata_of, with_added
from pipeline.sources.find_sources import candidates
from pipeline.sources.names import Keys, NamedSources, Printed, name_sources, to_look_into
from pipeline.sources.source import TEXT, Rejected, Source
from pipeline.storage.object_sources import Objects
from pipeline.work import extraction_cache
from pipeline.work.outcomes import Failed, Limits
from pipeline.work.state import State, last_state, metadata_row, state_of
from pipeline.work.summaries import kept_summary, summary_of

MAX_GONE = 0.1
"""Share of the papers of the last build that may be gone: more is mostly a disk that is not there."""

FEW = 10  # Papers that may always be gone: so few are removed by hand.


@dataclass(frozen=True)
class BuildSettings:
    """The sources of a build, its work folder, and how the PDFs are read.

    With `since`, files that the last build knew and that were not touched since then stay as they were,
    unopened. `retry` reads again what failed. `force` reads everything again, and publishes a release even
    without a change. `keys` says which keys the papers have that no library names. `max_gone` is the
    share of the last build's papers that may be gone; None is survey.MAX_GONE, and any FEW of them. `shards`
    is the number of shards of the release; None is as many as the current one has.
    """

    sources: Sequence[str | Path]
    bibliographies: Sequence[Path]
    work: Path
    limits: Limits = field(default_factory=Limits)
    ocr: Ocr = NO_OCR
    since: datetime | None = None
    retry: bool = False
    force: bool = False
    keys: Keys = "auto"
    max_gone: float | None = None
    shards: int | None = None


@dataclass
class Survey:
    """The start of a build. `records` (names of extractions), `failed`, `seconds` and `why` are by SHA-256.

    `summaries` are by the names of extractions. `why` is the reason to read the bytes, of plan.BECAUSE.
    `candidates` and `refused` are what the sources led to, `named` what `settle` made of them, and `changes`
    what changed so since the last build, by path: see `changes_since`.
    """

    contents: KnownContents
    why: dict[str, str] = field(default_factory=dict)
    records: dict[str, str] = field(default_factory=dict)
    failed: dict[str, extraction_cache.KeptFailure | Failed] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    named: NamedSources = field(default_factory=NamedSources)
    changes: dict[str, tuple[str, str]] = field(default_factory=dict)
    last: State = field(default_factory=lambda: state_of((), {}, ()))
    candidates: list[Source] = field(default_factory=list)
    refused: list[Rejected] = field(default_factory=list)

    def settle(
        self, settings: BuildSettings, records: Mapping[str, str], unread: Collection[str] = ()
    ) -> None:
        """Give the sources the entries and keys that their `records` tell; those `unread` have them later."""
        wanted = to_look_into(self.candidates, self.refused, settings.keys)
        read = {sha256: records[sha256] for sha256 in wanted & records.keys()}
        printed = printed_in(settings.work, read, self.summaries)
        before = {row[name]: row["key"] for name in ("sha256", "path") for row in self.last.sources}
        self.named = name_sources(
            self.candidates,
            self.refused,
            printed,
            settings.keys,
            before,
            wanted & set(unread),
            added_library(settings.work),
        )
        self.changes = changes_since(self.last, self.named.sources)

    def check_gone(self, settings: BuildSettings) -> None:
        """Raise BuildError where more papers are gone than the settings allow."""
        before = [row for row in self.last.sources if row["record"]]
        gone = [row for row in self.gone if row["record"]]
        allowed = MAX_GONE if settings.max_gone is None else settings.max_gone
        few = FEW if settings.max_gone is None else 0
        if len(gone) <= max(few, allowed * len(before)):
            return
        some = ", ".join(row["key"] for row in gone[:3]) + (", ..." if len(gone) > 3 else "")
        raise BuildError(
            f"{len(gone)} of the {len(before)} papers of the last build are gone from the sources, more than "
            f"{100 * allowed:.4g} %: {some} ({gone[0]['path']}). Nothing was changed. See whether all disks "
            "are mounted and all sources are named; where the papers are to go, build with --max-gone 100%."
        )

    @property
    def to_read(self) -> list[Source]:
        """Return the sources whose bytes have to be read, each content once."""
        first = {one.sha256: one for one in reversed(self.named.sources) if one.sha256 in self.why}
        return list(first.values())[::-1]

    def reason(self, source: Source) -> str:
        """Return the reason to read a source: `why`, or 'changed' where its path had other bytes; or ''."""
        why = self.why.get(source.sha256, "")
        return "changed" if why == "new" and self.changes[str(source.path)][0] == "changed" else why

    @property
    def gone(self) -> list[dict[str, Any]]:
        """Return the rows of the last build that the sources lack."""
        there = {*self.changes, *(was for change, was in self.changes.values() if change in _PATHS)}
        return [row for row in self.last.sources if row["path"] not in there]

    @property
    def by_bytes(self) -> dict[str, list[Source]]:
        """Return the sources by SHA-256."""
        same: defaultdict[str, list[Source]] = defaultdict(list)
        for source in self.named.sources:
            same[source.sha256].append(source)
        return dict(same)

    @property
    def same_bytes(self) -> list[tuple[str, ...]]:
        """Return the keys of the sources that are the same file."""
        return [tuple(one.key for one in same) for same in self.by_bytes.values() if len(same) > 1]


def survey(settings: BuildSettings) -> Survey:
    """Compare the sources with the last build and with the caches in the work folder; write nothing."""
    work = settings.work
    last = last_state(work)
    known = KnownContents(work, fresh=settings.force, most=LARGEST)
    of_file = _contents_since(settings.since, last, known) if settings.since else None
    found = candidates(settings.sources, settings.bibliographies, Objects(known, of_file))
    result = Survey(contents=known, last=last)
    result.candidates, result.refused = with_added(*found, work)
    result.seconds = {row["sha256"]: row["seconds"] for row in last.sources if row.get("seconds") is not None}
    result.summaries = {row["record"]: summary for row in last.sources if (summary := kept_summary(row))}
    last_records = {row["sha256"]: row["record"] for row in last.sources}
    folder = extraction_cache.records_folder(work)
    others = [one for one in sorted(folder.parent.glob("*")) if one.is_dir() and one != folder]
    kept: dict[str, str] = {}
    why = result.why
    for sha256, source in {source.sha256: source for source in result.candidates}.items():
        record = extraction_cache.kept_record(folder, source, settings.ocr)
        failure = None if settings.force or record else extraction_cache.kept_failure(work, sha256)
        if record is not None:
            kept[sha256] = record
            if settings.force:
                why[sha256] = "force"
            else:
                result.records[sha256] = record
        elif (
            failure is not None
            and not settings.retry
            and failure.stands(source, settings.ocr, settings.limits)
        ):
            result.failed[sha256] = failure
        elif settings.force or failure is not None:
            why[sha256] = "force" if settings.force else "retry"
        else:
            why[sha256] = _why_unknown(source, work, others, last_records)
    result.settle(settings, kept, unread=why.keys() - kept.keys())
    return result


def _why_unknown(
    source: Source, work: Path, others: Iterable[Path], last_records: Mapping[str, str | None]
) -> str:
    """Return the reason to read a source of which the caches hold no usable extraction and no failure."""
    sha256 = source.sha256
    ours = extraction_cache.records_folder(work)
    stamp = source.text.stamp if source.text else TEXT
    if (record := last_records.get(sha256)) and (stamp in record) != (source.text is not None):
        return "text"
    if _has_other(ours, sha256):
        return "retry" if _has_other(ours, sha256, LATE) else "ocr"
    if any(_has_other(folder, sha256) for folder in others):
        return "extractor"
    if sha256 in last_records:
        return "lost" if last_records[sha256] else "retry"
    return "new"


_PATHS = ("renamed", "moved")  # Changes whose `was` is a path.


def changes_since(last: State, sources: Iterable[Source]) -> dict[str, tuple[str, str]]:
    """Return, by path, the change of the source since the last build, and its former path or key.

    It is 'new', 'changed' (other bytes), 'renamed', 'moved' (to another folder), 'rekeyed' (another key),
    'metadata' (other metadata in the library) or 'unchanged'.
    """
    sources = list(sources)
    at = {row["path"]: row for row in last.sources}
    paths = {str(source.path) for source in sources}
    left: defaultdict[str, list[str]] = defaultdict(list)  # a renamed file came from one of these
    for gone in last.sources:
        if gone["path"] not in paths:
            left[gone["sha256"]].append(gone["path"])
    changes = {}
    for source in sources:
        row = at.get(str(source.path))
        if row is None and left.get(source.sha256):
            was = left[source.sha256].pop(0)
            same_folder = place(was).parent == source.path.parent
            changes[str(source.path)] = ("renamed" if same_folder else "moved", was)
        elif row is None:
            changes[str(source.path)] = ("new", "")
        elif row["sha256"] != source.sha256:
            changes[str(source.path)] = ("changed", "")
        elif row["key"] != source.key:
            changes[str(source.path)] = ("rekeyed", row["key"])
        else:
            metadata = metadata_row(source.metadata)
            same = all(row[name] == value for name, value in metadata.items())
            changes[str(source.path)] = ("unchanged" if same else "metadata", "")
    return changes


def _contents_since(since: datetime, last: State, hashed: KnownContents) -> Callable[[Path], tuple[str, int]]:
    """Return a function that takes the hash of an untouched file from the last build.

    A file is touched when its content (mtime) or its name, place or permissions (ctime) change: a file that
    was copied with its times, or moved here, counts as touched.
    """
    known = {row["path"]: row for row in last.sources}
    moment = since.timestamp()

    def contents(path: Path) -> tuple[str, int]:
        row = known.get(str(path))
        if row is not None:
            now = path.stat()
            if max(now.st_mtime, now.st_ctime) < moment and now.st_size == row["bytes"]:
                return row["sha256"], row["bytes"]
        return hashed.contents(path)

    return contents


def _has_other(folder: Path, sha256: str, late: str = "") -> bool:
    """Return whether `folder` keeps any extraction of these bytes; with LATE, one that lacks pages."""
    return next((folder / sha256[:2]).glob(f"{sha256}.*{late}{'.' if late else ''}arrow"), None) is not None


_FRONT_PAGES = 2  # Pages on which a title stands: the first, or the one after a publisher's cover.


def printed_in(work: Path, records: Mapping[str, str], summaries: Mapping[str, str]) -> dict[str, Printed]:
    """Return what the extractions print of their papers, both by SHA-256; damaged ones are left out.

    `records` are names of extractions, and `summaries` those of them that are known, by these.
    """
    folder = extraction_cache.records_folder(work)
    printed = {}
    for sha256, name in records.items():
        summary = json.loads(summaries.get(name, "null"))
        whole = summary is not None and summary["metadata"]["title"] and summary["metadata"]["authors"]
        record = None if whole else extraction_cache.read_record(folder / name)
        if summary is None and record is not None:
            summary = json.loads(summary_of(record))
        if summary is None:
            continue
        metadata = metadata_of(summary["metadata"])
        front = ""
        if record is not None and not (metadata.title and metadata.authors):
            rows = table_of(record, PARAGRAPHS).select(["page", "text_norm"]).to_pylist()
            front = "".join(blind(row["text_norm"]) for row in rows if row["page"] <= _FRONT_PAGES)
        printed[sha256] = Printed(metadata, summary["arxiv"], summary["pages"], front)
    return printed
