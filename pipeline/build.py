"""The three stages, each over a work folder and a corpus, as the commands run them."""

import os
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lookup.model import Model
from pipeline.cache import is_unread, kept_record, records_folder
from pipeline.embed import embed_stage
from pipeline.files import locked, remove_unfinished
from pipeline.ocr import NO_OCR, Ocr
from pipeline.progress import Progress
from pipeline.publish import DamagedCacheError, Published, publish
from pipeline.records import EXTRACTOR
from pipeline.sources import Rejected, Source, find_sources
from pipeline.state import read_state, write_state
from pipeline.workers import Extracted, Failed, Limits, extract_all


@dataclass
class Extraction:
    """What the first stage did: how many pages it read, how many of them by OCR, and how many only OCR could have read.

    `unread_papers` are all sources that have such pages, whenever they were read; `remedy` is what to do about it.
    """

    sources: int = 0
    read: int = 0
    pages: int = 0
    by_ocr: int = 0
    unread: int = 0
    unread_papers: int = 0
    remedy: str = ""
    seconds: float = 0.0
    same_bytes: list[tuple[str, ...]] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)


def extract_stage(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path],
    work: Path,
    workers: int,
    limits: Limits,
    ocr: Ocr = NO_OCR,
) -> Extraction:
    """Find the sources, extract those whose bytes are new, and leave the state of all of them in `work`."""
    began = time.monotonic()
    with locked(work):
        remove_unfinished(work)
        sources, rejected = find_sources(named, bibliographies)
        by_bytes: dict[str, list[Source]] = {}
        for source in sources:
            by_bytes.setdefault(source.sha256, []).append(source)
        records = {
            sha256: path
            for sha256 in by_bytes
            if (path := kept_record(work, EXTRACTOR, sha256, ocr)) is not None
        }
        new = [same[0] for sha256, same in by_bytes.items() if sha256 not in records]
        done = Extraction(sources=len(sources), remedy=ocr.remedy)
        done.same_bytes = [
            tuple(source.key for source in same) for same in by_bytes.values() if len(same) > 1
        ]
        failures = [_rejected_row(one) for one in rejected]
        if new:
            with Progress("extract", len(new), "PDFs") as progress:
                for outcome in extract_all(new, work, ocr, min(workers, len(new)), limits):
                    progress.step()
                    if isinstance(outcome, Extracted):
                        done.read += 1
                        done.pages += outcome.pages
                        done.by_ocr += outcome.by_ocr
                        done.unread += outcome.unread
                        records[outcome.source.sha256] = outcome.record
                    else:
                        progress.note(f"{outcome.source.path}: {outcome.reason}: {outcome.detail}")
                        failures += [
                            _failed_row(outcome, source) for source in by_bytes[outcome.source.sha256]
                        ]
        done.failures.update(row["reason"] for row in failures)
        done.unread_papers = sum(len(by_bytes[sha256]) for sha256, path in records.items() if is_unread(path))
        folder = records_folder(work, EXTRACTOR)
        names = {sha256: str(path.relative_to(folder)) for sha256, path in records.items()}
        write_state(work, sources, names, failures)
    done.seconds = time.monotonic() - began
    return done


def build(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path],
    work: Path,
    corpus: Path,
    workers: int,
    limits: Limits,
    model: Model | None = None,
    ocr: Ocr = NO_OCR,
) -> tuple[Extraction, Published]:
    """All three stages; extractions that turn out to be damaged in the cache are made again."""
    extraction = extract_stage(named, bibliographies, work, workers, limits, ocr)
    embedding = embed_stage(work, model)
    try:
        return extraction, replace(publish_stage(work, corpus), embedding=embedding)
    except DamagedCacheError:
        again = extract_stage(named, bibliographies, work, workers, limits, ocr)
        again.read += extraction.read
        again.pages += extraction.pages
        again.by_ocr += extraction.by_ocr
        again.unread += extraction.unread
        again.seconds += extraction.seconds
        embedding = embed_stage(work, model)
        return again, replace(publish_stage(work, corpus), embedding=embedding)


def available_workers() -> int:
    """As many as this process may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def publish_stage(work: Path, corpus: Path) -> Published:
    """Publish what is extracted in `work` as the current release of `corpus`."""
    with locked(corpus):
        sources, failures = read_state(work)
        return publish(sources, failures, work, corpus, EXTRACTOR)


def _rejected_row(rejected: Rejected) -> dict[str, Any]:
    return {
        "path": str(rejected.path), "key": rejected.key, "sha256": rejected.sha256, "stage": "sources",
        "reason": rejected.reason, "detail": rejected.detail, "seconds": 0.0,
    }  # fmt: skip


def _failed_row(failed: Failed, source: Source) -> dict[str, Any]:
    return {
        "path": str(source.path), "key": source.key, "sha256": source.sha256, "stage": "extract",
        "reason": failed.reason, "detail": failed.detail, "seconds": failed.seconds,
    }  # fmt: skip
