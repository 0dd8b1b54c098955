"""The first stage: read what the survey says, and leave the state of all sources and failures."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lookup.release.current import CUT_SHORT, LAYOUT_FAILED, WRONG_LANGUAGE
from lookup.text.printable import on_one_line
from pipeline.builds.survey import BuildSettings, Survey, survey
from pipeline.engines import Engine
from pipeline.files.atomic import remove, remove_unfinished
from pipeline.sources.names import NamedSources
from pipeline.sources.source import NO_PDF, Rejected, Source
from pipeline.work.extraction_cache import (
    KeptFailure,
    forget_failure,
    is_kept,
    is_unread,
    keep_failure,
    kept_record,
    records_folder,
)
from pipeline.work.journal import leave_figures
from pipeline.work.outcomes import Failed
from pipeline.work.progress import Progress
from pipeline.work.state import DERIVED, State, state_of, write_state


@dataclass
class Extraction:
    """The work of the first stage: PDFs and pages read, pages read by OCR, and pages unread for lack of OCR.

    `in_lines` counts the pages of which no paragraphs were made, `unread_papers` all sources with pages that
    are unread, whenever they were read; `remedy` is what to do about them. `changes` and `why` count the
    sources in the words of `changes_since` and Survey. `new_failures` counts the failures of this run,
    `wrong_language` the papers of which OCR read another language than asked, by what is to be done.
    """

    sources: int = 0
    read: int = 0
    pages: int = 0
    by_ocr: int = 0
    unread: int = 0
    in_lines: int = 0
    unread_papers: int = 0
    remedy: str = ""
    seconds: float = 0.0
    same_bytes: list[tuple[str, ...]] = field(default_factory=list)
    failures: Counter[str] = field(default_factory=Counter)
    wrong_language: Counter[str] = field(default_factory=Counter)
    new_failures: int = 0
    changes: Counter[str] = field(default_factory=Counter)
    why: Counter[str] = field(default_factory=Counter)
    named: NamedSources = field(default_factory=NamedSources)

    def with_earlier(self, earlier: "Extraction") -> "Extraction":
        """Return the sum with the first run of the same build, which had to be repeated."""
        for name in ("read", "pages", "by_ocr", "unread", "in_lines", "seconds", "new_failures"):
            setattr(self, name, getattr(self, name) + getattr(earlier, name))
        self.changes = earlier.changes
        self.why += earlier.why
        return self


def extract_sources(
    settings: BuildSettings, engine: Engine, broken: Mapping[str, str] | None = None
) -> Extraction:
    """Find the sources, have `engine` read those that are not in the caches, and leave the state of all.

    The readings of those in `broken` (what is wrong, by key) go: such a paper is a row of `failures`. The
    caller holds the lock of the work folder.
    """
    began = time.monotonic()
    work, ocr = settings.work, settings.ocr
    remove_unfinished(work, work)
    found = survey(settings)
    if broken:
        _leave_out(found, settings, broken)
        found = survey(settings)
    found.check_gone(settings)
    found.contents.keep(work, work)
    done = Extraction(remedy=ocr.remedy)
    done.why.update(filter(None, map(found.reason, found.named.sources)))
    told = _read(found, settings, engine, done)
    if found.to_read:  # what was read may say other keys
        found.settle(settings, found.records)
    by_bytes = found.by_bytes
    done.sources, done.same_bytes, done.named = len(found.named.sources), found.same_bytes, found.named
    done.changes.update(change for change, _ in found.changes.values())
    done.changes["gone"] = len(found.gone)
    read = {one.sha256 for one in found.to_read}
    done.new_failures = sum(len(by_bytes.get(sha256, ())) for sha256 in read & found.failed.keys())
    failures = failures_of(found, told)
    stay = {
        (row["sha256"], row["reason"]): row  # once, however many files have these bytes
        for row in found.last.failures
        if row["reason"] in (WRONG_LANGUAGE, LAYOUT_FAILED, CUT_SHORT) and row["sha256"] not in read
    }
    failures += [
        {**row, "path": str(source.path), "key": source.key}
        for (sha256, _), row in stay.items()
        if sha256 not in found.failed
        for source in by_bytes.get(sha256, ())
    ]
    done.wrong_language.update(row["detail"] for row in failures if row["reason"] == WRONG_LANGUAGE)
    done.failures.update(row["reason"] for row in failures if row["reason"] != NO_PDF)
    done.unread_papers = sum(
        len(by_bytes.get(sha256, ())) for sha256, name in found.records.items() if is_unread(name)
    )
    state = state_of(found.named.sources, found.records, failures, found.seconds, found.summaries)
    _keep_whole(state, found.last, records_folder(work))
    if state != found.last:
        write_state(work, state)
    done.seconds = time.monotonic() - began
    leave_figures(work, "extract", figures(done))
    return done


def figures(done: Extraction) -> dict[str, Any]:
    """Return the figures of the stage, for JSON."""
    return {
        "papers": done.read,
        "pages": done.pages,
        "seconds": round(done.seconds, 2),
        "pages_a_second": round(done.pages / done.seconds, 1) if done.pages else None,
        "pages_by_ocr": done.by_ocr,
        "pages_in_lines": done.in_lines,
        "pages_for_ocr": done.by_ocr + done.unread,
        "failures": dict(sorted(done.failures.items())),
        "new_failures": done.new_failures,
        "same_bytes": [list(keys) for keys in done.same_bytes],
        "entries_with_pdf": done.named.with_pdf,
        "entries_without_pdf": list(done.named.without_pdf),
        "papers_without_entry": list(done.named.without_entry),
        "changes": {change: count for change, count in sorted(done.changes.items()) if count},
        "read_because": dict(sorted(done.why.items())),
    }


def failures_of(found: Survey, told: Iterable[tuple[str, Failed]] = ()) -> list[dict[str, Any]]:
    """Return the rows of `failures` that are known by now, and what is `told` of others, by SHA-256."""
    by_bytes = found.by_bytes
    return [failure_row(one, "sources", one) for one in found.named.rejected] + [
        failure_row(source, "extract", why)
        for sha256, why in (*found.failed.items(), *told)
        for source in by_bytes.get(sha256, ())
    ]


def _read(
    found: Survey, settings: BuildSettings, engine: Engine, done: Extraction
) -> list[tuple[str, Failed]]:
    """Read what has to be read, and add it to `found` and `done`; failures are cached.

    Return what is told of sources that were read, by SHA-256.
    """
    work, ocr, limits = settings.work, settings.ocr, settings.limits
    told: list[tuple[str, Failed]] = []
    to_read = found.to_read
    if not to_read:
        return told
    folder = records_folder(work)
    with Progress("extract", len(to_read), "PDFs") as progress:
        for outcome in engine.extract(to_read, work, ocr, limits):
            progress.step()
            source, seconds = outcome.source, outcome.seconds
            sha256 = source.sha256
            found.seconds[sha256] = seconds
            if isinstance(outcome, Failed):
                found.failed[sha256] = outcome
                progress.note(f"{source.path}: {outcome.reason}: {outcome.detail}")
                if (refuted := kept_record(folder, source, ocr)) is not None:
                    remove(folder / refuted, work)  # a forced reading failed: the older one no longer counts
                keep_failure(work, outcome, ocr, limits)
                continue
            found.records[sha256] = outcome.record
            found.summaries[outcome.record] = outcome.summary
            forget_failure(work, sha256)
            done.read += 1
            done.pages += outcome.pages
            done.by_ocr += outcome.by_ocr
            done.unread += outcome.unread
            done.in_lines += outcome.in_lines
            told += [(sha256, Failed(source, **one, seconds=seconds)) for one in outcome.told]
    return told


def _leave_out(found: Survey, settings: BuildSettings, broken: Mapping[str, str]) -> None:
    for source in found.named.sources:
        if source.key in broken:
            detail = f"What was read of {source.key!r} breaks the contract: {broken[source.key]}. "
            detail += "It is left out. Please report it, with the file."
            failed = Failed(source, "contract", detail, seconds=0.0)
            keep_failure(settings.work, failed, settings.ocr, settings.limits)
            if record := found.records.get(source.sha256):
                remove(records_folder(settings.work) / record, settings.work)


def _keep_whole(state: State, last: State, folder: Path) -> None:
    """Have the rows of changed files that are cut short be those of the last build, if they were whole.

    Their reading must still be in `folder`. Each row of `failures` then says that it stays.
    """
    cut, cut_before = (
        {(row["path"], row["sha256"]): row for row in one.failures if row["reason"] == CUT_SHORT}
        for one in (state, last)
    )
    whole = {row["path"]: row for row in last.sources if (row["path"], row["sha256"]) not in cut_before}
    for row in state.sources:
        before = whole.get(row["path"])
        if (row["path"], row["sha256"]) not in cut or not before or before["sha256"] == row["sha256"]:
            continue
        if before["record"] and is_kept(folder, before["record"]):
            failure = cut[row["path"], row["sha256"]]
            failure["detail"] = f"{failure['detail'].removesuffix(_STAYS)}{_STAYS}"
            row |= {name: before.get(name) for name in ("sha256", "bytes", "record", *DERIVED)}


_STAYS = " What was read of the whole file before stays."


def failure_row(one: Source | Rejected, stage: str, why: Rejected | Failed | KeptFailure) -> dict[str, Any]:
    """Return a row of `failures`."""
    return {
        "path": str(one.path),
        "key": one.key,
        "sha256": one.sha256,
        "stage": stage,
        "reason": why.reason,
        "detail": on_one_line(why.detail),
        "seconds": 0.0 if isinstance(why, Rejected) else why.seconds,
    }
