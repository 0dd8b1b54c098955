"""Reads PDFs in killable processes: a PDF that hangs, crashes or takes too much memory costs only itself."""

import hashlib
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from lookup.errors import BuildError
from lookup.storage.operating_system import can_time, end_with, ended_by, limit_memory, start_timers
from lookup.storage.untrusted_files import read_file
from pipeline.ocr.tesseract import PAGE_CLOCK_SECONDS, Ocr
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout
from pipeline.work.outcomes import Extracted, Failed, Limits
from pipeline.work.tasks import Done, Each, Task, one_by_one

if TYPE_CHECKING:
    import pebble
    import pyarrow as pa

    from pipeline.sources.source import Source

_RECYCLE = 200
"""PDFs that a worker reads before a fresh one replaces it: memory that MuPDF does not free is freed with
it."""

_WAITING = 4
"""Tasks that each worker gets in advance: enough to keep it busy, few enough that a million sources need no
memory."""

_BY_THE_CLOCK = 10.0
"""How many times its processor time a PDF may take by the clock: a busy machine must not cost a paper."""

_TIMERS = {"ITIMER_PROF": ("SIGPROF", 1.0), "ITIMER_REAL": ("SIGALRM", _BY_THE_CLOCK)}
"""The timers of a PDF, the signal that each ends it with, and its seconds, as a share of the PDF's."""

_SILENCE = 60.0  # Seconds after the last deadline without any outcome, after which the workers count as lost.
_FRUITLESS = 3  # Times in a row that all workers may be lost with nothing read, before the build gives up.


@dataclass(frozen=True)
class _Reading:
    """A source to read: the pages that OCR may read, the seconds allowed, and the time of its start."""

    source: "Source"
    granted: int
    seconds: float
    began: float


_Outcome: TypeAlias = Extracted | Failed | int
"""An outcome, or the number of the pages for OCR of a PDF that needs more time for them."""


def extract_all(
    sources: Iterable["Source"],
    work: Path,
    ocr: Ocr,
    workers: int,
    limits: Limits,
    pool: "pebble.ProcessPool | None" = None,
) -> Iterator[Extracted | Failed]:
    """Extract each source into the cache, in `workers` processes; yield outcomes as they become ready.

    A PDF with pages for OCR reports them first, and then gets the time that they may take: a scan of 300
    pages gets its hour, and a PDF that hangs does not. `pool` has such processes that are started already.
    Raises BuildError where workers end again and again with nothing read.
    """
    waiting = deque[tuple["Source", int]]()  # sources to hand out again, and the pages that OCR may read
    queue = iter(sources)
    pending: dict[Future[_Outcome], _Reading] = {}
    pool = pool or started(workers, limits)
    fruitless = 0
    try:
        while True:
            while len(pending) < _WAITING * workers:
                waiting.extend((source, 0) for source in islice(queue, 0 if waiting else 1))
                if not waiting:
                    break
                source, granted = waiting.popleft()
                seconds = limits.seconds + PAGE_CLOCK_SECONDS * granted
                task = _Reading(source, granted, seconds, time.monotonic())
                pending[_scheduled(pool, task, work, ocr, limits)] = task
            if not pending:
                break
            longest = max(task.seconds for task in pending.values()) * _BY_THE_CLOCK
            done = wait(pending, longest + _SILENCE, return_when=FIRST_COMPLETED).done
            lost = {future for future in done if isinstance(future.exception(), BrokenProcessPool)}
            for future in done - lost:
                fruitless = 0
                task = pending.pop(future)
                outcome = _ended(future, task)
                if isinstance(outcome, int):
                    waiting.append((task.source, outcome))
                else:
                    yield outcome
            if lost or not done:
                fruitless += 1
                if fruitless > _FRUITLESS:
                    raise BuildError(
                        f"The processes that read PDFs ended {fruitless} times before they had read any. "
                        "Look for what kills them, mostly a lack of memory: --workers 1 needs least."
                    )
                waiting.extend((task.source, task.granted) for task in pending.values())
                pending.clear()
                stop(pool)
                pool = started(workers, limits)
        pool.close()  # type: ignore[no-untyped-call]
    finally:
        stop(pool)


def started(workers: int, limits: Limits) -> "pebble.ProcessPool":
    """Return processes that read PDFs; each starts with its first task."""
    return _pool(workers, _prepare, limits, most_tasks=_RECYCLE)


def _pool(
    workers: int, prepare: Callable[..., None], *limits: Limits, most_tasks: int = 0
) -> "pebble.ProcessPool":
    """Return processes that are prepared, and each replaced after so many tasks; 0 is any number."""
    import pebble  # noqa: PLC0415  # with the first process alone

    return pebble.ProcessPool(
        max_workers=workers,
        max_tasks=most_tasks,
        initializer=prepare,
        initargs=(os.getpid(), *limits),
        context=multiprocessing.get_context("spawn"),
    )


@contextmanager
def task_processes(workers: int) -> Iterator[Each]:
    """Have `workers` processes that do tasks, at most; a task that comes alone is done in this one.

    They start with the first tasks, as many as these are. BuildError is raised where one is killed.
    """
    pools: list[pebble.ProcessPool] = []

    def each(function: Callable[[Task], Done], tasks: Sequence[Task], /) -> Sequence[Done]:
        side_by_side = min(workers, len(tasks))
        if side_by_side < 2:
            return one_by_one(function, tasks)
        if not pools:
            pools.append(_pool(side_by_side, _prepare_task))
        from pebble import ProcessExpired  # noqa: PLC0415  # see `_pool`

        waiting = [pools[0].schedule(function, args=(task,)) for task in tasks]
        try:
            return [future.result() for future in waiting]
        except (ProcessExpired, BrokenProcessPool) as error:
            raise BuildError(
                f"A process that wrote a part of the release was lost ({error}). Nothing is published. Look "
                "for what kills it, mostly a lack of memory: --workers 1 needs least."
            ) from error

    try:
        yield each
    finally:
        for pool in pools:
            stop(pool)


def stop(pool: "pebble.ProcessPool") -> None:
    """Kill all its processes."""
    pool.stop()  # type: ignore[no-untyped-call]
    pool.join()


def _scheduled(
    pool: "pebble.ProcessPool", task: _Reading, work: Path, ocr: Ocr, limits: Limits
) -> "Future[_Outcome]":
    """Hand the task to a worker, which keeps the deadline itself: the pool would use the wall clock alone."""
    allowed = replace(limits, seconds=task.seconds)
    by_the_pool = None if can_time() else task.seconds * _BY_THE_CLOCK
    future: Future[_Outcome]
    try:
        future = pool.schedule(
            _extract_file,
            args=(task.source, work, replace(ocr, granted=task.granted), allowed),
            timeout=by_the_pool,
        )
    except RuntimeError as error:  # the pool has just lost its last worker
        future = Future()
        future.set_exception(BrokenProcessPool(str(error)))
    return future


def _ended(future: "Future[_Outcome]", task: _Reading) -> "_Outcome":
    error = future.exception()
    if error is None:
        return future.result()
    from pebble import ProcessExpired  # noqa: PLC0415  # see `_pool`

    if not isinstance(error, ProcessExpired | TimeoutError):
        raise error  # not the PDF's: the disk is full, say
    most = task.seconds * _BY_THE_CLOCK
    spent = round(min(time.monotonic() - task.began, most), 3)  # it may have waited for its worker
    code = getattr(error, "exitcode", 0)
    if isinstance(error, TimeoutError) or ended_by(code, *(ended for ended, _ in _TIMERS.values())):
        detail = (
            f"It was not read within {task.seconds:g} seconds of processor time, or {most:g} by the clock. "
            "Give it more with --deadline, or leave it out."
        )
        return Failed(task.source, "timeout", detail, spent)
    name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
    detail = (
        f"The process that read it ended with {name}. Repair the PDF (mutool clean, qpdf), or leave it out."
    )
    return Failed(task.source, "crash", detail, spent)


def _prepare(parent: int, limits: Limits) -> None:
    """Make this worker end with its parent, leave Ctrl-C to the parent, and limit its memory."""
    end_with(parent)
    skip_pymupdf_layout()
    import pyarrow as pa  # noqa: PLC0415

    import pipeline.extract  # noqa: F401, PLC0415  # before the limit, which is for the PDF alone
    from pipeline.records import leave_out_pandas  # noqa: PLC0415

    leave_out_pandas()
    pa.set_memory_pool(pa.system_memory_pool())  # Arrow's own takes a GiB of addresses with its first array
    limit_memory(limits.memory)


def _prepare_task(parent: int) -> None:
    """Make this worker end with its parent, and draw no bars of progress."""
    from pipeline.records import leave_out_pandas  # noqa: PLC0415

    end_with(parent)
    leave_out_pandas()
    sys.modules["__main__"].__file__ = __file__  # without one DuckDB takes a process for a terminal


def _extract_file(source: "Source", work: Path, ocr: Ocr, limits: Limits) -> _Outcome:
    """In a worker: extract the source's file into the cache; raise OSError where that cannot be written."""
    from pipeline.extract import extract  # noqa: PLC0415
    from pipeline.formats import format_of  # noqa: PLC0415
    from pipeline.ocr.pages import NotGrantedError  # noqa: PLC0415
    from pipeline.pdf.opening import UnreadableError  # noqa: PLC0415

    _start_timers(limits.seconds)
    began = time.monotonic()
    try:
        text = source.text
        record = extract(
            _same_bytes(source.path, source.sha256),
            ocr,
            format_of(source.path),
            _same_bytes(text.path, text.sha256) if text else None,
            f"+{text.stamp}" if text else "",
        )
        seconds = round(time.monotonic() - began, 3)
        return _kept(source, work, record, seconds)
    except NotGrantedError as error:
        return error.pages
    except UnreadableError as error:
        reason, detail = error.reason, error.detail
    except _NotKeptError as error:
        raise error.cause from None
    except MemoryError:
        reason = "memory"
        detail = f"It needs more than {limits.memory >> 20} MiB. Give it more with --memory, or leave it out."
    except Exception as error:  # noqa: BLE001  # one PDF must not stop the build: the error goes into its row
        reason = "error"
        detail = f"{type(error).__name__}: {error}. Please report it, with the PDF if you may."
    finally:
        _start_timers(0)
    return Failed(source, reason, detail, round(time.monotonic() - began, 3))


def _start_timers(seconds: float) -> None:
    start_timers({timer: (ended, seconds * share) for timer, (ended, share) in _TIMERS.items()})


def _kept(source: "Source", work: Path, record: "pa.RecordBatch", seconds: float) -> Extracted:
    """Write the extraction to the cache; return the outcome."""
    from lookup.release.schema import PAGES  # noqa: PLC0415
    from pipeline.extractor import EXTRACTOR  # noqa: PLC0415
    from pipeline.records import table_of  # noqa: PLC0415
    from pipeline.work.extraction_cache import reading_of, record_name, records_folder, write_record  # noqa: PLC0415

    name = record_name(source.sha256, reading_of(record))
    try:
        write_record(records_folder(work, EXTRACTOR) / name, record, work)
    except OSError as error:
        raise _NotKeptError(error) from error
    from_where = table_of(record, PAGES)["source"].to_pylist()
    unread = record.column("scanned")[0].as_py()
    late = tuple(record.column("timed_out")[0].as_py())
    told = tuple(record.column("told")[0].as_py())
    by_ocr, in_lines = from_where.count("ocr"), from_where.count("lines")
    return Extracted(source, name, len(from_where), by_ocr, unread, seconds, late, in_lines, told)


class _NotKeptError(Exception):
    """The extraction could not be written: the PDF is not the cause."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


def _same_bytes(path: Path, sha256: str) -> bytes:
    from pipeline.formats import LARGEST  # noqa: PLC0415
    from pipeline.pdf.opening import UnreadableError  # noqa: PLC0415

    try:
        data = read_file(path, LARGEST)
    except OSError as error:
        raise UnreadableError("unreadable", f"{error.strerror}. Make the file readable.") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise UnreadableError("changed", "The file changed while the build ran. The next build will read it.")
    return data
