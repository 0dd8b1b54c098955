"""The first stage over many sources: what the survey says has to be read is read, what fails is a row, all that is found is left as the state."""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.atomic_files import remove_unfinished
from pipeline.build.survey import Request, Survey, survey
from pipeline.engines import Engine
from pipeline.ocr.tesseract import Ocr
from pipeline.records import EXTRACTOR
from pipeline.sources.find_sources import Rejected, Source
from pipeline.work.extraction_cache import is_unread, kept_record, records_folder
from pipeline.work.failure_cache import KeptFailure, forget_failure, keep_failure
from pipeline.work.outcomes import Extracted, Failed, Limits
from pipeline.work.progress import Progress
from pipeline.work.stage_figures import leave_figures
from pipeline.work.state import write_state


@dataclass
class Extraction:
    """What the first stage did: how many pages it read, how many of them by OCR, and how many only OCR could have read.

    `unread_papers` are all sources that have such pages, whenever they were read; `remedy` is what to do about it. `changes` and `why`
    count the sources in the words of survey.Found; `new_failures` are those of the failures that were tried just now.
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
    new_failures: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)

    def with_earlier(self, earlier: "Extraction") -> "Extraction":
        """The whole, with what an earlier one of the same build did before it had to be repeated."""
        self.read += earlier.read
        self.pages += earlier.pages
        self.by_ocr += earlier.by_ocr
        self.unread += earlier.unread
        self.seconds += earlier.seconds
        self.new_failures += earlier.new_failures
        self.changes = earlier.changes
        self.why += earlier.why
        return self


def extract_sources(
    named: Sequence[str | Path],
    bibliographies: Sequence[Path],
    work: Path,
    engine: Engine,
    limits: Limits,
    ocr: Ocr,
    request: Request,
) -> Extraction:
    """Find the sources, have `engine` read those that have to be, and leave the state of all in `work`, whose lock the caller holds."""
    began = time.monotonic()
    remove_unfinished(work)
    found = survey(named, bibliographies, work, EXTRACTOR, ocr, limits, request)
    by_bytes = found.by_bytes
    done = Extraction(sources=len(found.found), remedy=ocr.remedy, same_bytes=found.same_bytes)
    done.changes.update(one.change for one in found.found)
    done.changes["gone"] = len(found.gone)
    done.why.update(one.why for one in found.found if one.why)
    failures = failures_of(found)
    for outcome in _outcomes(found, work, engine, limits, ocr):
        if isinstance(outcome, Extracted):
            done.read += 1
            done.pages += outcome.pages
            done.by_ocr += outcome.by_ocr
            done.unread += outcome.unread
        else:
            same = by_bytes[outcome.source.sha256]
            done.new_failures += len(same)
            failures += [_failed_row(source, outcome) for source in same]
    done.failures.update(row["reason"] for row in failures)
    done.unread_papers = sum(
        len(by_bytes[sha256]) for sha256, path in found.records.items() if is_unread(path)
    )
    folder = records_folder(work, EXTRACTOR)
    names = {sha256: str(path.relative_to(folder)) for sha256, path in found.records.items()}
    write_state(work, found.sources, names, failures, found.seconds)
    found.objects.keep(work)
    done.seconds = time.monotonic() - began
    leave_figures(work, "extract", figures(done))
    return done


def figures(done: Extraction) -> dict[str, Any]:
    """What it did, as JSON has it."""
    return {
        "papers": done.read,
        "pages": done.pages,
        "seconds": round(done.seconds, 2),
        "pages_a_second": round(done.pages / done.seconds, 1) if done.pages else None,
        "pages_by_ocr": done.by_ocr,
        "pages_for_ocr": done.by_ocr + done.unread,
        "failures": dict(sorted(done.failures.items())),
        "new_failures": done.new_failures,
        "same_bytes": [list(keys) for keys in done.same_bytes],
        "changes": {change: count for change, count in sorted(done.changes.items()) if count},
        "read_because": dict(sorted(done.why.items())),
    }


def failures_of(found: Survey) -> list[dict[str, Any]]:
    """The rows of `failures` that are known before anything is read."""
    by_bytes = found.by_bytes
    rejected = [_rejected_row(one) for one in found.rejected]
    return rejected + [
        _failed_row(source, kept) for sha256, kept in found.failed.items() for source in by_bytes[sha256]
    ]


def _outcomes(
    found: Survey, work: Path, engine: Engine, limits: Limits, ocr: Ocr
) -> Iterator[Extracted | Failed]:
    """Read what has to be read; what is kept of it goes into `found.records` and `found.seconds`, and failures are kept."""
    to_read = found.to_read
    if not to_read:
        return
    with Progress("extract", len(to_read), "PDFs") as progress:
        for outcome in engine.extract(to_read, work, ocr, limits):
            progress.step()
            sha256 = outcome.source.sha256
            found.seconds[sha256] = outcome.seconds
            if isinstance(outcome, Extracted):
                found.records[sha256] = outcome.record
                forget_failure(work, EXTRACTOR, sha256)
            else:
                progress.note(f"{outcome.source.path}: {outcome.reason}: {outcome.detail}")
                if (refuted := kept_record(work, EXTRACTOR, sha256, ocr)) is not None:
                    refuted.unlink()  # it was read anew because somebody asked for it: this is how it ended
                keep_failure(work, EXTRACTOR, outcome, ocr, limits)
            yield outcome


def _rejected_row(rejected: Rejected) -> dict[str, Any]:
    return {
        "path": str(rejected.path), "key": rejected.key, "sha256": rejected.sha256, "stage": "sources",
        "reason": rejected.reason, "detail": rejected.detail, "seconds": 0.0,
    }  # fmt: skip


def _failed_row(source: Source, failed: Failed | KeptFailure) -> dict[str, Any]:
    return {
        "path": str(source.path), "key": source.key, "sha256": source.sha256, "stage": "extract",
        "reason": failed.reason, "detail": failed.detail, "seconds": failed.seconds,
    }  # fmt: skip
