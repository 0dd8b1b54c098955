"""The three stages as the commands run them: under the locks, and with a line in the journal of builds."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lookup.errors import BuildError, PageQuoteError
from lookup.release.current import CURRENT
from lookup.results.answer import counted
from lookup.storage.object_path import ObjectPath
from objectstore.objects import write_object
from pipeline.builds.embed_sentences import embed_sentences
from pipeline.builds.extract_sources import Extraction, extract_sources
from pipeline.builds.survey import FEW, MAX_GONE, BuildSettings
from pipeline.embedding.last_embedding import Embedding
from pipeline.embedding.pending import lacking
from pipeline.embedding.vector_cache import VectorCache
from pipeline.engines import Engine
from pipeline.engines.local import Local
from pipeline.files.atomic import locked, read_json, write_json
from pipeline.publish.checks import BrokenPapersError
from pipeline.publish.content import DamagedCacheError
from pipeline.publish.publish import Published, publish
from pipeline.releases.history import refuse_newer
from pipeline.storage.object_corpus import check_reachable, publish_objects, shards_of, staging
from pipeline.work import journal
from pipeline.work.machine_errors import machine_troubles
from pipeline.work.progress import note
from pipeline.work.state import source_rows
from retrieval.embedding.model import Model


def extract_stage(settings: BuildSettings, engine: Engine, wait: float = 0.0) -> Extraction:
    """Find the sources, extract those whose bytes are new, and leave the state of all in the work folder."""
    with machine_troubles(), locked(settings.work, wait):
        return extract_sources(settings, engine)


def embed_stage(
    work: Path, model: Model | None, engine: Engine, wait: float = 0.0, *, keep_vectors: bool = False
) -> Embedding:
    """Embed each sentence in `work` that has no vector of `model` yet; see embed_sentences."""
    with machine_troubles(), locked(work, wait):
        return embed_sentences(work, model, engine, keep_vectors=keep_vectors)


def build(
    settings: BuildSettings,
    corpus: Path,
    engine: Engine,
    model: Model | None = None,
    wait: float = 0.0,
    *,
    keep_vectors: bool = False,
    at_once: bool = False,
) -> tuple[Extraction, Published]:
    """Run all three stages under one lock; extractions that are damaged in the cache are made again.

    Without a model there are no vectors, or with `keep_vectors` those that were made before. Where many
    sentences wait for vectors, what was read is published before they are made, so that it can be quoted;
    with `at_once` it is published with them alone.

    The journal of the corpus gets a line, whether the build succeeds or fails.
    """
    work = settings.work
    with _publishing(work, corpus, wait, force=settings.force) as line:
        extraction = extract_sources(settings, engine)
        if model is not None and not at_once:
            _publish_for_quotes(work, corpus, engine, model, fresh=settings.force, shards=settings.shards)
        embedding = embed_sentences(work, model, engine, keep_vectors=keep_vectors)
        for left in range(_TRIES, -1, -1):
            try:
                published = _publish(work, corpus, engine, fresh=settings.force, shards=settings.shards)
                break
            except (DamagedCacheError, BrokenPapersError) as error:
                broken = error.papers if isinstance(error, BrokenPapersError) else {}
                if not left or len(broken) > max(FEW, MAX_GONE * extraction.sources):
                    raise  # so many are no fault of the papers
                again = extract_sources(replace(settings, force=False), engine, broken)
                extraction = again.with_earlier(extraction)
                embedding = embed_sentences(work, model, engine, keep_vectors=keep_vectors)
        published = replace(published, embedding=embedding)
        line.update(_success(published, extraction))
    return extraction, published


_TRIES = 3  # Times that a build begins again, without what was damaged or breaks the contract.

MANY_SENTENCES = 1000
"""Sentences without a vector from which on a build publishes before it makes vectors: 8 s of two processors
(benchmarks/results/embedding.md), where a release of 57 papers takes 2.3 s."""


def publish_for_quotes(work: Path, corpus: Path, engine: Engine, model: Model, wait: float) -> None:
    """Publish what was read, if many sentences wait for vectors; the caller holds the lock of `work`."""
    with locked(_staged(corpus, work), wait):
        _claim(work, corpus)
        refuse_newer(corpus)
        _publish_for_quotes(work, corpus, engine, model)


def _publish_for_quotes(
    work: Path, corpus: Path, engine: Engine, model: Model, *, fresh: bool = False, shards: int | None = None
) -> None:
    """Publish what was read, with the vectors that there are, if many sentences wait for theirs."""
    cache = VectorCache(work, model.id, model.dimensions, mend=False)
    _, missing, _ = lacking(source_rows(work), work, cache)
    if len(missing) < MANY_SENTENCES:
        return
    embed_sentences(work, None, engine, keep_vectors=True)
    with suppress(DamagedCacheError, BrokenPapersError):  # once the vectors are made it is left out
        published = _publish(work, corpus, engine, fresh=fresh, shards=shards)
        if published.new:
            papers = counted(published.rows["papers"], "paper")
            note(
                f"You can quote {papers} now. For searches by meaning, {len(missing):,} sentences follow; "
                "the build may be interrupted, and goes on from there the next time."
            )


def _staged(corpus: Path, work: Path) -> Path:
    """Return the folder of the corpus on this disk; raise BuildError where its storage does not answer."""
    if isinstance(corpus, ObjectPath):
        check_reachable(corpus)
    return staging(corpus, work)


_CORPUS_FILE = "corpus.json"  # In a work folder: the way from there to the corpus on a disk that it is for.


def _claim(work: Path, corpus: Path) -> None:
    """Keep the work folder for this corpus; raise BuildError where it is that of another one.

    Else each would publish the papers of the other, and `pagequote releases gc` remove what the other needs.
    A copy in object storage of the same papers is no other corpus.
    """
    if isinstance(corpus, ObjectPath):
        return
    here = work.resolve()
    place = os.path.relpath(corpus.resolve(), here)  # folders that are moved or copied together stay together
    owner = read_json(work / _CORPUS_FILE)
    if owner == place:
        return
    if isinstance(owner, str) and os.path.lexists(here / owner / CURRENT):
        raise BuildError(
            f"The work folder {str(work)!r} is that of another corpus, {os.path.normpath(here / owner)!r}. "
            f"Give {str(corpus)!r} one of its own: --work FOLDER."
        )
    write_json(work / _CORPUS_FILE, place, work)


def available_workers() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def publish_stage(
    work: Path,
    corpus: Path,
    *,
    fresh: bool = False,
    wait: float = 0.0,
    shards: int | None = None,
    engine: Engine | None = None,
) -> Published:
    """Publish the extractions in `work` as the current release; with `fresh` even without a change.

    In `shards`, by default as many as now; `engine`, by default this machine, writes them side by side.
    """
    with _publishing(work, corpus, wait, force=fresh) as line:
        published = _publish(work, corpus, engine or Local(available_workers()), fresh=fresh, shards=shards)
        line.update(_success(published))
    return published


def _publish(work: Path, corpus: Path, engine: Engine, *, fresh: bool, shards: int | None) -> Published:
    with engine.side_by_side() as each:
        published = publish(
            work,
            staging(corpus, work),
            fresh=fresh,
            shards=shards_of(corpus, work, shards),
            each=each,
        )
    if isinstance(corpus, ObjectPath):
        release, new = publish_objects(published.release, corpus, fresh=fresh)
        published = replace(published, release=release, new=new)
    return published


def _success(published: Published, extraction: Extraction | None = None) -> dict[str, Any]:
    """Return what the journal says of a build that went well."""
    return {
        "outcome": "published" if published.new else "unchanged",
        "release": published.release.name,
        "rows": published.rows,
        "read": extraction.read if extraction else 0,
        "new_failures": extraction.new_failures if extraction else 0,
    }


@contextmanager
def _publishing(work: Path, corpus: Path, wait: float, *, force: bool) -> Iterator[dict[str, Any]]:
    """Lock both folders for a build within, and add a line on it to the journal, unless it is killed.

    The build puts what is to be said into the dictionary. Beside a corpus in object storage lies a copy of
    the journal, of the last build that ended well. What a newer version wrote is refused, if not with
    `force`.
    """
    staged = _staged(corpus, work)
    began, clock = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
    line: dict[str, Any] = {}

    def add() -> None:
        seconds = round(time.monotonic() - clock, 2)
        journal.add(staged, journal.JournalEntry(began, seconds=seconds, **line))

    with machine_troubles(), locked(work, wait), locked(staged, wait):
        try:
            _claim(work, corpus)
            if not force:
                refuse_newer(corpus)
            yield line
            add()
            if isinstance(corpus, ObjectPath):
                with suppress(OSError):  # it is published
                    write_object(corpus / journal.JOURNAL, (staged / journal.JOURNAL).read_bytes())
        except BaseException as error:
            message = str(error) if isinstance(error, PageQuoteError) else f"{type(error).__name__}: {error}"
            outcome = "interrupted" if isinstance(error, KeyboardInterrupt) else "failed"
            line |= {"outcome": outcome, "message": message}
            with suppress(OSError):  # a full disk, for example: the first error is the one to report
                add()
            raise
