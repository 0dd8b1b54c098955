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
from dataclasses import dataclass
from pathlib import Path

import pebble

from pipeline.sources import Source

_RECYCLE = 200
"""PDFs that a worker reads before a fresh one takes its place: what MuPDF does not give back goes with it."""

_WAITING = 4
"""Tasks handed to each worker ahead: enough to keep it busy, few enough that a million sources do not fill memory."""

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, prctl(2)


@dataclass(frozen=True)
class Limits:
    """What one PDF may cost: seconds of wall clock, and bytes of address space of the process that reads it."""

    seconds: float = 120.0
    memory: int = 4 << 30


@dataclass(frozen=True)
class Extracted:
    """A PDF whose extraction is now in the cache."""

    source: Source
    pages: int
    seconds: float


@dataclass(frozen=True)
class Failed:
    """A PDF that could not be extracted: a short word for the cause, and what happened and what to do."""

    source: Source
    reason: str
    detail: str
    seconds: float


def extract_all(
    sources: Iterable[tuple[Source, Path]], workers: int, limits: Limits
) -> Iterator[Extracted | Failed]:
    """Extract each source into the path beside it, in `workers` processes; outcomes come as they are ready."""
    context = multiprocessing.get_context("spawn")
    pool = pebble.ProcessPool(
        max_workers=workers,
        max_tasks=_RECYCLE,
        initializer=_prepare,
        initargs=(os.getpid(), limits),
        context=context,
    )
    pending: dict[Future[Extracted | Failed], tuple[Source, float]] = {}
    queue = iter(sources)
    try:
        while True:
            while len(pending) < _WAITING * workers and (task := next(queue, None)) is not None:
                source, target = task
                future: Future[Extracted | Failed] = pool.schedule(
                    _extract_file, args=(source, target, limits), timeout=limits.seconds
                )
                pending[future] = source, time.monotonic()
            if not pending:
                break
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                source, began = pending.pop(future)
                yield _outcome(source, future, limits, time.monotonic() - began)
        pool.close()  # type: ignore[no-untyped-call]
    finally:
        pool.stop()  # type: ignore[no-untyped-call]
        pool.join()


def _outcome(
    source: Source, future: "Future[Extracted | Failed]", limits: Limits, seconds: float
) -> Extracted | Failed:
    error = future.exception()
    if error is None:
        return future.result()
    spent = round(min(seconds, limits.seconds), 3)  # it may have waited for its worker
    if isinstance(error, TimeoutError):
        detail = f"It was not read within {limits.seconds:g} seconds. Give it more with --deadline, or leave it out."
        return Failed(source, "timeout", detail, spent)
    if isinstance(error, pebble.ProcessExpired):
        code = error.exitcode
        name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
        detail = f"The process that read it ended with {name}. Repair the PDF (mutool clean, qpdf), or leave it out."
        return Failed(source, "crash", detail, spent)
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


def _extract_file(source: Source, target: Path, limits: Limits) -> Extracted | Failed:
    """In a worker: extract the source's file into `target`."""
    from pipeline.cache import write_record  # noqa: PLC0415
    from pipeline.extract import extract  # noqa: PLC0415
    from pipeline.reading import UnreadableError  # noqa: PLC0415

    # Should the parent be gone, nobody is left to stop a hanging MuPDF: the kernel does.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(limits.seconds) + 10)
    began = time.monotonic()
    try:
        record = extract(_same_bytes(source))
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
        write_record(target, record)
        return Extracted(source, len(record.column("pages")[0]), round(time.monotonic() - began, 3))
    finally:
        signal.alarm(0)
    return Failed(source, reason, detail, round(time.monotonic() - began, 3))


def _same_bytes(source: Source) -> bytes:
    from pipeline.reading import UnreadableError  # noqa: PLC0415

    data = source.path.read_bytes()
    if hashlib.sha256(data).hexdigest() != source.sha256:
        raise UnreadableError("changed", "The file changed while the build ran. The next build will read it.")
    return data
