"""The third stage: extractions become a release, and the release becomes current."""

import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path

from lookup.errors import BuildError
from lookup.release.current import MANIFEST, RELEASES, Release
from pipeline.atomic_files import TEMPORARY, remove_unfinished, sync_folder, sync_tree
from pipeline.embedding.last_embedding import Embedding, stored_model
from pipeline.publish.checksums import intact_files, keep_proven, read_proven, write_checksums
from pipeline.publish.summaries import paper_rows
from pipeline.publish.write_release import Before, Content, write_for_quotes, write_release
from pipeline.publish.write_shards import Each, write_shards
from pipeline.releases.history import KEPT, buildable_release, collect, make_current, next_name
from pipeline.releases.spare import SPARE
from pipeline.report.release_report import write_report
from pipeline.work.extraction_cache import records_folder
from pipeline.work.journal import entries
from pipeline.work.stage_figures import left_figures
from pipeline.work.state import State


@dataclass(frozen=True)
class Published:
    """The release that is current now, its row counts by table, and whether it is new.

    `embedding` is the work of the stage before, where one build ran both.
    """

    release: Release
    rows: dict[str, int]
    new: bool
    embedding: Embedding | None = None


def publish(
    state: State,
    work: Path,
    corpus: Path,
    extractor: str,
    *,
    fresh: bool = False,
    shards: int | None = None,
    each: Each = map,
) -> Published:
    """Publish the papers of `state` whose extraction is in `work`; the caller holds the lock of `corpus`.

    The current release stays when it already holds the same. With `fresh` there is a new release in any case,
    without files of the current one. It has so many `shards` as are named, by default as the current one has;
    1 is a release in one piece. Raises BuildError where no paper could be read, or a check of the new release
    fails.
    """
    began = time.monotonic()
    releases = corpus / RELEASES
    releases.mkdir(parents=True, exist_ok=True)
    remove_unfinished(releases)
    remove_unfinished(corpus)
    previous = buildable_release(corpus)
    content = _content(state, work, extractor, stored_model(work), shards, previous)
    proven = read_proven(corpus)
    before = Before(previous, intact_files(previous.folder, proven)) if previous else None
    if previous and before and not fresh and _holds(before, content.fingerprint):
        return Published(previous, previous.manifest["rows"], new=False)
    content = replace(content, papers=paper_rows(content.sources, work, extractor))
    name = next_name(releases)
    folder = releases / f"{TEMPORARY}{name}"
    folder.mkdir()
    try:
        shared = None if fresh else before
        if content.shards > 1:
            written = write_shards(folder, name, content, work, corpus, shared, each)
        else:
            base = shared if shared and not shared.release.shards else None
            written = write_release(folder, name, content, work, base, corpus / SPARE, proven)
        stages = left_figures(work) | {"publish": {"seconds": round(time.monotonic() - began, 2)}}
        damaged = before is not None and not _whole(before)
        now = written.manifest
        write_report(folder, now, content.sources, stages, previous, entries(corpus), damaged=damaged)
        proven = write_checksums(folder, {**proven, **written.proven}, written.by_difference)
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
    return Published(Release(final.resolve(), now), now["rows"], new=True)


def publish_for_quotes(state: State, work: Path, corpus: Path, extractor: str) -> None:
    """Publish what quotes and pages are read from, as the first release of `corpus`; see `publish`.

    It has no vectors, index of words, report or checksums, is not checked, and may be lost in a power cut.
    """
    content = _content(state, work, extractor, None, 1, None)
    content = replace(content, papers=paper_rows(content.sources, work, extractor))
    releases = corpus / RELEASES
    releases.mkdir(parents=True, exist_ok=True)
    remove_unfinished(releases)
    name = next_name(releases)
    folder = releases / f"{TEMPORARY}{name}"
    folder.mkdir()
    write_for_quotes(folder, name, content, work)
    folder.rename(releases / name)
    make_current(corpus, name)


def would_publish(
    state: State, model: str | None, work: Path, corpus: Path, extractor: str, shards: int | None = None
) -> bool:
    """Return whether `publish` would make a release of `state` and the vectors of `model`; write nothing."""
    current = buildable_release(corpus)
    if not current:
        return True
    content = _content(state, work, extractor, model, shards, current)
    return not _holds(Before(current, intact_files(current.folder, read_proven(corpus))), content.fingerprint)


def _content(
    state: State,
    work: Path,
    extractor: str,
    model: str | None,
    shards: int | None,
    previous: Release | None,
) -> Content:
    """Return what a release is to hold, but for the rows of `papers`. Raise BuildError without a paper."""
    folder = records_folder(work, extractor)
    readable = [one for one in state.sources if one["record"] and (folder / one["record"]).exists()]
    if not readable:
        raise BuildError(f"None of the {len(state.sources)} sources could be read, so nothing is published.")
    if shards is None:
        shards = previous.shards if previous else 0
    return Content(readable, (), state.failures, extractor, model, shards)


def _holds(before: Before, fingerprint: str) -> bool:
    return _whole(before) and before.release.manifest["fingerprint"] == fingerprint


def _whole(before: Before) -> bool:
    """Return whether all files that readers may open are intact."""
    if not before.release.shards:
        return before.whole
    return MANIFEST in before.intact and all(one.whole for one in before.shards)
