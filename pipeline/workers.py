"""PDFs are read in processes of their own, so that one that hangs, crashes or eats memory costs itself alone."""

import ctypes
import hashlib
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pebble

from pipeline.ocr import PAGE_SECONDS, Ocr
from pipeline.sources import Source

if TYPE_CHECKING:
    import pyarrow as pa

_RECYCLE = 200
"""PDFs that a worker reads before a fresh one takes its place: what MuPDF does not give back goes with it."""

_WAITING = 4
"""Tasks handed to each worker ahead: enough to keep it busy, few enough that a million sources do not fill memory."""

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, prctl(2)


@dataclass(frozen=True)
class Limits:
    """What one PDF may cost: seconds of wall clock, and bytes of address space of the process that reads it.

    Each page that is read by OCR may take ocr.PAGE_SECONDS more.
    """

    seconds: float = 120.0
    memory: int = 4 << 30


@dataclass(frozen=True)
class Extracted:
    """A PDF whose extraction is now in the cache, at `record`; how many of its pages OCR has read, or would have to."""

    source: Source
    record: Path
    pages: int
    by_ocr: int
    unread: int
    seconds: float


@dataclass(frozen=True)
class _Scanned:
    """A PDF that has so many pages to be read by OCR, for which it needs more time."""

    pages: int


@dataclass(frozen=True)
class _Task:
    """A source that is being read: when it was handed to a worker, and the seconds it may take there."""

    source: Source
    began: float
    seconds: float


@dataclass(frozen=True)
class Failed:
    """A PDF that could not be extracted: a short word for the cause, and what happened and what to do."""

    source: Source
    reason: str
    detail: str
    seconds: float


def extract_all(
    sources: Iterable[Source], work: Path, ocr: Ocr, workers: int, limits: Limits
) -> Iterator[Extracted | Failed]:
    """Extract each source into the cache in `work`, in `workers` processes; outcomes come as they are ready.

    A PDF that has pages for OCR says so first, and is then given the time that these may take: so does a scan of 300 pages
    get its hour, and a PDF that hangs none.
    """
    context = multiprocessing.get_context("spawn")
    pool = pebble.ProcessPool(
        max_workers=workers,
        max_tasks=_RECYCLE,
        initializer=_prepare,
        initargs=(os.getpid(), limits),
        context=context,
    )
    pending: dict[Future[Extracted | Failed | _Scanned], _Task] = {}
    queue = iter(sources)

    def schedule(source: Source, granted: int) -> None:
        seconds = limits.seconds + PAGE_SECONDS * granted
        allowed = replace(limits, seconds=seconds)
        future: Future[Extracted | Failed | _Scanned] = pool.schedule(
            _extract_file, args=(source, work, replace(ocr, granted=granted), allowed), timeout=seconds
        )
        pending[future] = _Task(source, time.monotonic(), seconds)

    try:
        while True:
            while len(pending) < _WAITING * workers and (source := next(queue, None)) is not None:
                schedule(source, granted=0)
            if not pending:
                break
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                task = pending.pop(future)
                outcome = _outcome(future, task)
                if isinstance(outcome, _Scanned):
                    schedule(task.source, outcome.pages)
                else:
                    yield outcome
        pool.close()  # type: ignore[no-untyped-call]
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def _outcome(future: "Future[Extracted | Failed | _Scanned]", task: _Task) -> Extracted | Failed | _Scanned:
    error = future.exception()
    if error is None:
        return future.result()
    spent = round(min(time.monotonic() - task.began, task.seconds), 3)  # it may have waited for its worker
    if isinstance(error, TimeoutError):
        detail = (
            f"It was not read within {task.seconds:g} seconds. Give it more with --deadline, or leave it out."
        )
        return Failed(task.source, "timeout", detail, spent)
    if isinstance(error, pebble.ProcessExpired):
        code = error.exitcode
        name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        detail = f"The process that read it ended with {name}. Repair the PDF (mutool clean, qpdf), or leave it out."
        return Failed(task.source, "crash", detail, spent)
    raise error  # not the PDF's: the pool itself is broken


def _prepare(parent: int, limits: Limits) -> None:
    """Make this worker end with its parent, leave Ctrl-C to it, and keep to its memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    import pipeline.extract  # noqa: F401, PLC0415  # before the limit: what the libraries map is not the PDF's

    mapped = 0
    if sys.platform == "linux":
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + limits.memory, resource.RLIM_INFINITY))


def _extract_file(source: Source, work: Path, ocr: Ocr, limits: Limits) -> Extracted | Failed | _Scanned:
    """In a worker: extract the source's file into the cache."""
    from pipeline.extract import extract  # noqa: PLC0415
    from pipeline.ocr import NotGrantedError  # noqa: PLC0415
    from pipeline.reading import UnreadableError  # noqa: PLC0415

    # Should the parent be gone, nobody is left to stop a hanging MuPDF: the kernel does.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(limits.seconds) + 10)
    began = time.monotonic()
    try:
        record = extract(_same_bytes(source), ocr)
    except NotGrantedError as error:
        return _Scanned(error.pages)
    except UnreadableError as error:
        reason, detail = error.reason, error.detail
    except OSError as error:
        reason, detail = "unreadable", f"{error.strerror}. Make the file readable."
    except MemoryError:
        reason = "memory"
        detail = f"It needs more than {limits.memory >> 20} MiB. Give it more with --memory, or leave it out."
    except Exception as error:  # noqa: BLE001  # one PDF must not stop the night: what it was goes into its row
        reason = "error"
        detail = f"{type(error).__name__}: {error}. Please report it, with the PDF if you may."
    else:
        return _kept(source, work, record, round(time.monotonic() - began, 3))
    finally:
        signal.alarm(0)
    return Failed(source, reason, detail, round(time.monotonic() - began, 3))


def _kept(source: Source, work: Path, record: "pa.RecordBatch", seconds: float) -> Extracted:
    """The extraction as an outcome, once it is in the cache."""
    from lookup.schema import PAGES  # noqa: PLC0415
    from pipeline.cache import reading_of, record_path, write_record  # noqa: PLC0415
    from pipeline.records import EXTRACTOR, table_of  # noqa: PLC0415

    path = record_path(work, EXTRACTOR, source.sha256, reading_of(record))
    write_record(path, record)
    from_where = table_of(record, PAGES)["source"].to_pylist()
    unread = record.column("scanned")[0].as_py()
    return Extracted(source, path, len(from_where), from_where.count("ocr"), unread, seconds)


def _same_bytes(source: Source) -> bytes:
    from pipeline.reading import UnreadableError  # noqa: PLC0415

    data = source.path.read_bytes()
    if hashlib.sha256(data).hexdigest() != source.sha256:
        raise UnreadableError("changed", "The file changed while the build ran. The next build will read it.")
    return data
