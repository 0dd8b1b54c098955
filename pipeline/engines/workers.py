"""Reads PDFs in killable processes: a PDF that hangs, crashes or takes too much memory costs only itself."""

import hashlib
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from lookup.errors import BuildError
from lookup.storage.untrusted_files import read_file
from pipeline.ocr.tesseract import PAGE_CLOCK_SECONDS, PAGE_SECONDS, TIMED_OUT, Ocr
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout
from pipeline.processes.killable_process import (
    EndedError,
    KillableProcesses,
    Kind,
    NotStartedError,
    SlowError,
)
from pipeline.processes.operating_system import end_with, has_timers, limit_memory, start_timers
from pipeline.work.outcomes import Extracted, Failed, Limits
from pipeline.work.tasks import Done, Each, Task, one_by_one

if TYPE_CHECKING:
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

_MARGIN = 60.0  # Seconds after which the build ends a worker that its own timers did not.

_START = 600.0  # Seconds that a worker has to start: on a disk that is far, beside others, 66 were seen.

_FRUITLESS = 3  # Times in a row that a worker may end with nothing read, before the build gives up.


class _Reading(NamedTuple):
    """A source to read: the pages that OCR may read, and the seconds of processor time allowed."""

    source: "Source"
    granted: int
    seconds: float


_Outcome: TypeAlias = Extracted | Failed | int
"""An outcome, or the number of the pages for OCR of a PDF that needs more time for them."""


class Readers:
    """Killable processes that read PDFs, each for a thread that hands it one after the other."""

    def __init__(self, workers: int, limits: Limits) -> None:
        self._threads = ThreadPoolExecutor(workers)
        # Plain values alone are answers: what a hostile PDF does stays in that process.
        kind = Kind(_prepare, (os.getpid(), limits), start_seconds=_START, most_works=_RECYCLE)
        self._processes = KillableProcesses(workers, kind)

    def start(self) -> None:
        """Start a process now; the others start with their first PDF."""
        self._processes.start()

    def submit(self, task: _Reading, work: Path, ocr: Ocr, limits: Limits) -> "Future[_Outcome]":
        """Have a process read the source; EndedError is raised where it ended before it had begun."""
        ocr, allowed = replace(ocr, granted=task.granted), replace(limits, seconds=task.seconds)
        return self._threads.submit(self._outcome, task, work, ocr, allowed)

    def _outcome(self, task: _Reading, work: Path, ocr: Ocr, limits: Limits) -> "_Outcome":
        began = time.monotonic()
        most = task.seconds * _BY_THE_CLOCK
        try:
            # The worker keeps the deadline itself, by its processor time, and by the clock.
            ended_by_us = most + (_MARGIN if has_timers() else 0)
            read = self._processes.do(extract_file, task.source, work, ocr, limits, seconds=ended_by_us)
        except (SlowError, EndedError) as error:
            if isinstance(error, EndedError) and not error.begun:
                raise
            spent = round(min(time.monotonic() - began, most), 3)
            return _ended(error, task, most, spent)
        return outcome_of(task.source, read)

    def close(self) -> None:
        """Kill all processes, and end the threads."""
        self._processes.close()
        self._threads.shutdown(cancel_futures=True)


def extract_all(
    sources: Iterable["Source"],
    work: Path,
    ocr: Ocr,
    workers: int,
    limits: Limits,
    readers: Readers | None = None,
) -> Iterator[Extracted | Failed]:
    """Extract each source into the cache, in `workers` processes; yield outcomes as they become ready.

    A PDF with pages for OCR reports them first, and then gets the time that they may take: a scan of 300
    pages gets its hour, and a PDF that hangs does not. `readers` are such processes that are started already.
    Raises BuildError where workers end again and again with nothing read.
    """
    waiting = deque[tuple["Source", int]]()  # sources to hand out again, and the pages that OCR may read
    queue = iter(sources)
    pending: dict[Future[_Outcome], _Reading] = {}
    readers = readers or Readers(workers, limits)
    fruitless = 0
    try:
        while True:
            while len(pending) < _WAITING * workers:
                waiting.extend((source, 0) for source in islice(queue, 0 if waiting else 1))
                if not waiting:
                    break
                source, granted = waiting.popleft()
                task = _Reading(source, granted, limits.seconds + PAGE_CLOCK_SECONDS * granted)
                pending[readers.submit(task, work, ocr, limits)] = task
            if not pending:
                break
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                task = pending.pop(future)
                try:
                    outcome = future.result()
                except EndedError as error:
                    fruitless += 1
                    if fruitless > _FRUITLESS:
                        look = (
                            "The machine is too busy, or its disk too slow: build again later"
                            if isinstance(error, NotStartedError)
                            else "Look for what kills them, mostly a lack of memory"
                        )
                        raise BuildError(
                            f"The processes that read PDFs ended {fruitless} times before they had read any "
                            f"({error}). {look}: --workers 1 needs least."
                        ) from error
                    waiting.append((task.source, task.granted))
                    continue
                fruitless = 0
                if isinstance(outcome, int):
                    waiting.append((task.source, outcome))
                else:
                    yield outcome
    finally:
        readers.close()


@contextmanager
def task_processes(workers: int) -> Iterator[Each]:
    """Have `workers` processes that do tasks, at most; a task that comes alone is done in this one.

    They start with the first tasks, as many as these are. BuildError is raised where one is killed.
    """
    processes = KillableProcesses(
        workers, Kind(_prepare_task, (os.getpid(),), values=("pathlib", "pipeline"))
    )
    threads = ThreadPoolExecutor(workers)

    def each(function: Callable[[Task], Done], tasks: Sequence[Task], /) -> Sequence[Done]:
        if min(workers, len(tasks)) < 2:
            return one_by_one(function, tasks)
        try:
            return list(threads.map(partial(processes.do, function), tasks))
        except EndedError as error:
            raise BuildError(
                f"A process that wrote a part of the release was lost ({error}). Nothing is published. Look "
                "for what kills it, mostly a lack of memory: --workers 1 needs least."
            ) from error

    try:
        yield each
    finally:
        processes.close()
        threads.shutdown(cancel_futures=True)


def outcome_of(source: "Source", read: dict[str, Any] | int) -> _Outcome:
    """Return the outcome that `extract_file` returned the fields of, or the pages for OCR."""
    if isinstance(read, int):
        return read
    return Failed(source, **read) if "reason" in read else Extracted(source, **read)


def _ended(error: SlowError | EndedError, task: _Reading, most: float, spent: float) -> Failed:
    """Return the row of a source whose reading took too long, or ended its process."""
    if isinstance(error, SlowError):
        detail = (
            f"It was not read within {task.seconds:g} seconds of processor time, or {most:g} by the clock. "
            "Give it more with --deadline, or leave it out."
        )
        return Failed(task.source, "timeout", detail, spent)
    detail = (
        f"The process that read it ended with {error}. Repair the PDF (mutool clean, qpdf), or leave it out."
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
    """Make this worker end with its parent."""
    from pipeline.records import leave_out_pandas  # noqa: PLC0415

    end_with(parent)
    leave_out_pandas()


def extract_file(source: "Source", work: Path, ocr: Ocr, limits: Limits) -> dict[str, Any] | int:
    """In a worker: extract the source's file into the cache; raise OSError where that cannot be written.

    Returns the fields of an outcome, without its source; or the pages for OCR that need more time.
    """
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
    return {"reason": reason, "detail": detail, "seconds": round(time.monotonic() - began, 3)}


def _start_timers(seconds: float) -> None:
    start_timers({timer: (ended, seconds * share) for timer, (ended, share) in _TIMERS.items()})


def _kept(source: "Source", work: Path, record: "pa.RecordBatch", seconds: float) -> dict[str, Any]:
    """Write the extraction to the cache; return the fields of Extracted."""
    from lookup.release.schema import PAGES  # noqa: PLC0415
    from pipeline.records import table_of  # noqa: PLC0415
    from pipeline.work.extraction_cache import reading_of, record_name, records_folder, write_record  # noqa: PLC0415
    from pipeline.work.summaries import summary_of  # noqa: PLC0415

    name = record_name(source.sha256, reading_of(record))
    try:
        write_record(records_folder(work) / name, record, work)
    except (OSError, BuildError) as error:
        raise _NotKeptError(error) from error
    from_where = table_of(record, PAGES)["source"].to_pylist()
    told = record.column("told")[0].as_py()
    if late := ", ".join(map(str, record.column("timed_out")[0].as_py())):
        detail = (
            f"OCR took more than {PAGE_SECONDS} seconds for page {late}, which has no text in this release."
        )
        told.append({"reason": TIMED_OUT, "detail": f"{detail} The next build tries again."})
    return {
        "record": name,
        "summary": summary_of(record),
        "pages": len(from_where),
        "by_ocr": from_where.count("ocr"),
        "unread": record.column("scanned")[0].as_py(),
        "seconds": seconds,
        "in_lines": from_where.count("lines"),
        "told": tuple(told),
    }


class _NotKeptError(Exception):
    """The extraction could not be written: the PDF is not the cause."""

    def __init__(self, cause: OSError | BuildError) -> None:
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
