"""The third stage: extractions become a release, and the release becomes current."""

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lookup.release.current import RELEASES, Release
from pipeline.embedding.last_embedding import Embedding, last_model
from pipeline.files.atomic import TEMPORARY, make_folder, remove, remove_unfinished, rename, sync_tree
from pipeline.processes.operating_system import sync_names
from pipeline.publish.checksums import intact_files, keep_proven, read_proven, write_checksums
from pipeline.publish.content import ReleaseSpec, StateRows, content_of, left_rows, link_papers
from pipeline.publish.write_release import Before, write_for_quotes, write_release
from pipeline.publish.write_shards import write_shards
from pipeline.releases import history
from pipeline.report.release_report import write_report
from pipeline.work.journal import entries, left_figures
from pipeline.work.state import State
from pipeline.work.tasks import Each, one_by_one


@dataclass(frozen=True)
class Published:
    """The release that is current now, its row counts by table, and whether it is new.

    It may be `held`: then no build publishes. `embedding` is the work of the stage before, where one build
    ran both.
    """

    release: Release
    rows: dict[str, int]
    new: bool
    held: bool = False
    embedding: Embedding | None = None

    @property
    def state(self) -> str:
        """In a word: 'published', 'unchanged' or 'held'."""
        return "published" if self.new else "held" if self.held else "unchanged"


def publish(
    work: Path,
    corpus: Path,
    *,
    fresh: bool = False,
    shards: int = 1,
    each: Each = one_by_one,
) -> Published:
    """Publish the papers of the state in `work` that were read; the caller holds the lock of `corpus`.

    The current release stays when it is held, and when it already holds the same. With `fresh` there is a new
    release even then, without files of the current one. It has so many `shards`; 1 is a release in one piece.
    Raises BuildError where no paper could be read, or a check of the new release fails.
    """
    began = time.monotonic()
    releases = corpus / RELEASES
    make_folder(releases, corpus)
    remove_unfinished(releases, corpus)
    remove_unfinished(corpus, corpus)
    if stays := history.held_release(corpus):
        return Published(stays, stays.manifest["rows"], new=False, held=True)
    previous = history.buildable_release(corpus)
    rows = left_rows(work)
    spec = rows.spec(last_model(work).model, shards, corpus)
    proven = read_proven(corpus)
    before = Before(previous, intact_files(previous.folder, proven)) if previous else None
    if previous and before and not fresh and _holds(before, spec):
        return Published(previous, previous.manifest["rows"], new=False)
    name = history.next_name(releases)
    folder = releases / f"{TEMPORARY}{name}"
    folder.mkdir()
    try:
        versions = link_papers(rows, spec.shards)
        shared = None if fresh else before
        if spec.shards > 1:
            now, made = write_shards(folder, name, spec, versions, work, corpus, shared, each)
        else:
            content = content_of(rows, spec, versions[0])
            base = shared if shared and not shared.release.shards else None
            now, made = write_release(folder, name, content, work, base), {}
        stages = left_figures(work) | {"publish": {"seconds": round(time.monotonic() - began, 2)}}
        damaged = before is not None and not before.whole
        write_report(folder, now, work, stages, previous, entries(corpus), damaged=damaged)
        proven = write_checksums(folder, {**proven, **made})
        sync_tree(folder)
        final = releases / name
        rename(folder, final, corpus)
    except BaseException:
        with suppress(OSError):  # the first error is the one to tell
            remove(folder, corpus)  # a full disk must not stay full until the next build
        raise
    sync_names(releases)
    keep_proven(corpus, name, proven)
    history.make_current(corpus, name)
    history.collect(corpus, history.KEPT)
    return Published(Release(final.resolve(), now), now["rows"], new=True)


def publish_for_quotes(work: Path, corpus: Path) -> None:
    """Publish what quotes and pages are read from, as the first release of `corpus`; see `publish`.

    It has no vectors, index of words, report or checksums, is not checked, and may be lost in a power cut.
    """
    rows = left_rows(work)
    spec = rows.spec(None, 1, corpus)
    releases = corpus / RELEASES
    make_folder(releases, corpus)
    remove_unfinished(releases, corpus)
    name = history.next_name(releases)
    folder = releases / f"{TEMPORARY}{name}"
    folder.mkdir()
    (versions,) = link_papers(rows, 1)
    write_for_quotes(folder, name, content_of(rows, spec, versions), work)
    rename(folder, releases / name, corpus)
    history.make_current(corpus, name)


def would_publish(state: State, model: str | None, work: Path, corpus: Path, shards: int) -> bool:
    """Return whether `publish` would make a release of `state` and the vectors of `model`; write nothing."""
    current = history.buildable_release(corpus)
    if not current:
        return True
    rows = StateRows(lambda: state.sources, lambda: state.failures, work)
    spec = rows.spec(model, shards, corpus)
    return not _holds(Before(current, intact_files(current.folder, read_proven(corpus))), spec)


def _holds(before: Before, spec: ReleaseSpec) -> bool:
    return before.whole and before.release.manifest["fingerprint"] == spec.fingerprint
