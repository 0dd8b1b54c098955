"""The three stages, each over a work folder and a corpus, as the commands run them: who may write, and what is remembered of it."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from lookup.embedding.model import Model
from lookup.errors import PageQuoteError
from lookup.storage.object_path import ObjectPath
from pipeline.atomic_files import locked
from pipeline.build.embed_sentences import embed_sentences
from pipeline.build.extract_sources import Extraction, extract_sources
from pipeline.build.survey import Request
from pipeline.embedding.last_embedding import Embedding
from pipeline.engines import Engine
from pipeline.engines.local import Local
from pipeline.ocr.tesseract import NO_OCR, Ocr
from pipeline.publish.publish import DamagedCacheError, Published, publish
from pipeline.records import EXTRACTOR
from pipeline.releases.object_corpus import check_reachable, publish_objects, staging
from pipeline.work import journal
from pipeline.work.machine_errors import machine_troubles
from pipeline.work.outcomes import Limits
from pipeline.work.state import read_state

PLAIN = Request()


def extract_stage(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path],
    work: Path,
    workers: int,
    limits: Limits,
    ocr: Ocr = NO_OCR,
    request: Request = PLAIN,
    wait: float = 0.0,
    engine: Engine | None = None,
) -> Extraction:
    """Find the sources, extract those whose bytes are new, and leave the state of all of them in `work`.

    `workers` processes of this machine read them, unless there is an `engine`.
    """
    with machine_troubles(), locked(work, wait):
        return extract_sources(named, bibliographies, work, engine or Local(workers), limits, ocr, request)


def embed_stage(
    work: Path, model: Model | None, wait: float = 0.0, engine: Engine | None = None
) -> Embedding:
    """Embed each sentence in `work` that has no vector of `model` yet: see embed.embed_sentences."""
    with machine_troubles(), locked(work, wait):
        return embed_sentences(work, model, engine or Local(available_workers()))


def build(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path],
    work: Path,
    corpus: Path,
    workers: int,
    limits: Limits,
    model: Model | None = None,
    ocr: Ocr = NO_OCR,
    request: Request = PLAIN,
    wait: float = 0.0,
    engine: Engine | None = None,
) -> tuple[Extraction, Published]:
    """All three stages, under one lock; extractions that turn out to be damaged in the cache are made again.

    The first two run on this machine, with `workers` processes that read PDFs, unless there is an `engine`.
    What it did, or what stopped it, is a line of the corpus's journal.
    """
    staged = _staged(corpus, work)
    engine = engine or Local(workers)
    with machine_troubles(), locked(work, wait), locked(staged, wait), _in_journal(staged) as night:
        extraction = extract_sources(named, bibliographies, work, engine, limits, ocr, request)
        embedding = embed_sentences(work, model, engine)
        try:
            published = _publish(work, corpus, fresh=request.force)
        except DamagedCacheError:
            mended = replace(request, force=False)
            again = extract_sources(named, bibliographies, work, engine, limits, ocr, mended)
            extraction = again.with_earlier(extraction)
            embedding = embed_sentences(work, model, engine)
            published = _publish(work, corpus, fresh=request.force)
        published = replace(published, embedding=embedding)
        night.done(published, extraction)
    return extraction, published


def _staged(corpus: Path, work: Path) -> Path:
    """The corpus on the disk that is built; one in object storage has to answer before anything is done for it."""
    if isinstance(corpus, ObjectPath):
        check_reachable(corpus)
    return staging(corpus, work)


def available_workers() -> int:
    """As many as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def publish_stage(work: Path, corpus: Path, *, fresh: bool = False, wait: float = 0.0) -> Published:
    """Publish what is extracted in `work` as the current release of `corpus`; with `fresh` even where it is the same."""
    staged = _staged(corpus, work)
    with machine_troubles(), locked(work, wait), locked(staged, wait), _in_journal(staged) as night:
        published = _publish(work, corpus, fresh=fresh)
        night.done(published)
    return published


def _publish(work: Path, corpus: Path, *, fresh: bool) -> Published:
    published = publish(read_state(work), work, staging(corpus, work), EXTRACTOR, fresh=fresh)
    if isinstance(corpus, ObjectPath):
        release, new = publish_objects(published.release, corpus, fresh=fresh)
        published = replace(published, release=release, new=new)
    return published


class _Night:
    """A build under way, until it is a line of the journal."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.entry = journal.JournalEntry(datetime.now(UTC).isoformat(timespec="seconds"))

    def done(self, published: Published, extraction: Extraction | None = None) -> None:
        """It reached its end."""
        self.entry = replace(
            self.entry,
            outcome="published" if published.new else "unchanged",
            release=published.release.name,
            rows=published.rows,
            read=extraction.read if extraction else 0,
            new_failures=extraction.new_failures if extraction else 0,
        )

    def ended(self) -> journal.JournalEntry:
        """The line, with the time that it took."""
        return replace(self.entry, seconds=round(time.monotonic() - self._began, 2))


@contextmanager
def _in_journal(corpus: Path) -> Iterator[_Night]:
    """Write down how the build within ends, whatever ends it (but a kill, which leaves no time)."""
    night = _Night()
    try:
        yield night
        journal.add(corpus, night.ended())
    except BaseException as error:
        message = str(error) if isinstance(error, PageQuoteError) else f"{type(error).__name__}: {error}"
        outcome = "interrupted" if isinstance(error, KeyboardInterrupt) else "failed"
        night.entry = replace(night.entry, outcome=outcome, message=message)
        with suppress(OSError):  # a full disk, say: what stopped the build is what has to be said
            journal.add(corpus, night.ended())
        raise
