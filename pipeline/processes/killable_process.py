"""Processes that can be killed: what hangs, crashes or takes too much memory in one costs only itself.

A process does one piece of work after the other. What it answers is read as plain values, and as those of the
classes that its user names: a file that takes over the process that reads it gets no further.
"""

import io
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import LifoQueue
from typing import IO, Any, NamedTuple

from lookup.errors import PageQuoteError
from pipeline.processes.operating_system import (
    ended_by,
    leave_interrupts,
    processor_seconds,
    without_interrupts,
)

MODULE = "pipeline.processes.killable_process"
_START = f"import sys; sys.path[:] = sys.argv[1:]; import {MODULE}; {MODULE}.work_on()"

_END_SECONDS = 5.0  # Seconds that one that has closed its pipe may take to end by itself.
_SIZE = 8  # Bytes before a message, which say how many follow.


class SlowError(Exception):
    """The work took more time than it may, and its process was killed."""


class StarvedError(SlowError):
    """It took that time without getting half of it from the processor: others had it, or a disk was awaited.

    Only Linux tells them apart.
    """


class EndedError(Exception):
    """The process ended by itself, with the exit code `code`; `begun` is False before its first work."""

    def __init__(self, code: int, *, begun: bool) -> None:
        cause = f"exit status {code}"
        with suppress(ValueError):
            cause = signal.Signals(-code).name
        super().__init__(f"{cause}{'' if begun else ', before it could do anything'}")
        self.code = code
        self.begun = begun


class NotStartedError(EndedError):
    """The process was not ready in its time, and was killed: the machine is busy, or a disk is far away."""

    def __init__(self, seconds: float) -> None:
        super().__init__(0, begun=False)
        self.args = (f"not ready within {seconds:g} seconds",)


class ClosedError(Exception):
    """The processes were closed."""


class Kind(NamedTuple):
    """How processes are begun, and what they may answer."""

    prepare: Callable[..., None] | None = None
    """The function of a module that each begins with, called with `given`."""

    given: tuple[object, ...] = ()

    values: tuple[str, ...] = ()
    """Modules, or packages, whose classes an answer may hold besides what Python has built in."""

    patience: int = 1
    """How often the seconds of a work may go by while others have the processor, before it is killed."""

    start_seconds: float = 60.0
    """Seconds by the clock that one may take to start and to prepare, before its first work."""

    most_works: int = 0
    """Pieces of work after which a fresh process replaces one: memory that a library does not free is freed
    with it. 0 is any number."""

    most_bytes: int = 1 << 30
    """Bytes of an answer, at most."""

    silent: bool = False
    """Whether what a process prints is dropped."""

    folder: Path | None = None
    """The folder that it works in; None: that of this process."""

    environment: Mapping[str, str] | None = None
    """Its environment; None: that of this process."""


class KillableProcess:
    """A process that does one piece of work after the other; it starts when needed, and again after its end.

    One thread at a time may use it; `close` may be called by any.
    """

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._done = 0
        self._closed = False
        self._lock = threading.Lock()

    def start(self) -> "subprocess.Popen[bytes]":
        """Return the process, which is started where none runs; nobody waits until it is ready."""
        with self._lock:
            if self._closed:
                raise ClosedError
            if self._process is not None and self._process.poll() is None:
                return self._process
            self._end()
            paths = [str(Path(path).absolute()) for path in sys.path]
            command = [sys.executable, "-c", _START, *paths]
            with without_interrupts():
                self._process = process = subprocess.Popen(  # noqa: S603  # a program of ours
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL if self._kind.silent else None,
                    cwd=self._kind.folder,
                    env=self._kind.environment,
                )
            self._ready, self._done = False, 0
        with suppress(OSError):  # it has ended: who waits for its answer learns so
            _send(_pipe(process.stdin), pickle.dumps((self._kind.prepare or _nothing, self._kind.given)))
        return process

    def do(self, work: Callable[..., Any], *given: object, seconds: float | None = None) -> Any:
        """Return `work(*given)`, the function of a module, or raise what it raises.

        Raise SlowError or StarvedError after so many `seconds`, without the start of the process;
        NotStartedError where that took too long; EndedError where the process ended; ClosedError. An
        exception of a class that is no value of an answer is a RuntimeError.
        The work is done once more where the process ended that had done other work: that may have ended it.
        """
        try:
            return self._do(work, given, seconds)
        except EndedError:
            if self._done < 2:
                raise
        return self._do(work, given, seconds)

    def _do(self, work: Callable[..., Any], given: tuple[object, ...], seconds: float | None) -> Any:
        process = self.start()
        if not self._ready:
            try:
                self._answer(process, self._kind.start_seconds)
            except SlowError:
                raise NotStartedError(self._kind.start_seconds) from None
            except Exception:
                self._end()
                raise
            self._ready = True
        self._done += 1
        try:
            return self._answer(process, seconds, pickle.dumps((work, given)))
        finally:
            if self._done == self._kind.most_works:
                self._end()

    def close(self) -> None:
        """Kill the process, and start no more; what waits for it gets ClosedError."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                _finish(self._process)

    def _answer(self, process: "subprocess.Popen[bytes]", seconds: float | None, request: bytes = b"") -> Any:
        """Send the request, and return what the process answers."""
        try:
            given = threading.TIMEOUT_MAX if seconds is None else seconds
            with _killed_after(process, given, self._kind.patience if request else 1) as late:
                if request:
                    _send(_pipe(process.stdin), request)
                answer = _received(_pipe(process.stdout), self._kind.most_bytes)
        except (EOFError, OSError, ValueError):  # the process ended, or another thread closed it
            answer = b""
        except BaseException:  # Ctrl-C: the answer would be taken for that to the next request
            self._end()
            raise
        if answer and not late:
            try:
                done, raised = _value(answer, self._kind.values)
            except Exception as refused:  # no answer of ours: what it read may have taken it over
                self._end()
                raise EndedError(0, begun=self._ready) from refused
            if raised is not None:
                raise raised
            return done
        code = self._end(_END_SECONDS)
        if self._closed:
            raise ClosedError
        if late:
            raise late[0]
        if ended_by(code, "SIGALRM", "SIGPROF", "SIGXCPU"):
            raise SlowError
        raise EndedError(code, begun=self._ready)

    def _end(self, patience: float = 0.0) -> int:
        """Kill the process, if it does not end by itself within so many seconds; return its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
        return _finish(process)


@contextmanager
def _killed_after(
    process: "subprocess.Popen[bytes]", seconds: float, patience: int = 1
) -> Iterator[list[SlowError]]:
    """Kill the process if this lasts longer, and put into the list what is to be raised then.

    One that got less than half of the seconds from the processor has them again, `patience` times in all.
    """
    late: list[SlowError] = []
    before = processor_seconds(process.pid)
    ended = threading.Event()

    def watch() -> None:
        error: SlowError = StarvedError()
        for _ in range(patience):
            if ended.wait(seconds):
                return
            if not processor_seconds(process.pid) - before < seconds / 2:  # nor where nobody can tell
                error = SlowError()
                break
        late.append(error)
        process.kill()

    watching = threading.Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield late
    finally:
        ended.set()
        watching.join()


def _finish(process: "subprocess.Popen[bytes]") -> int:
    """Kill the process, close its pipes, and return its exit code."""
    process.kill()
    code = process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            _pipe(pipe).close()
    return code


class KillableProcesses:
    """Some of these processes, each for one piece of work at a time; who finds none free waits for one."""

    def __init__(self, count: int, kind: Kind) -> None:
        self._all = [KillableProcess(kind) for _ in range(count)]
        self._free: LifoQueue[KillableProcess] = LifoQueue()
        for process in self._all:
            self._free.put(process)  # the last is taken first

    def start(self) -> None:
        """Start the process that is taken first; nobody waits until it is ready."""
        self._all[-1].start()

    def do(self, work: Callable[..., Any], *given: object, seconds: float | None = None) -> Any:
        """See KillableProcess."""
        process = self._free.get()
        try:
            return process.do(work, *given, seconds=seconds)
        finally:
            self._free.put(process)

    def close(self) -> None:
        """Kill all processes, and start no more."""
        for process in self._all:
            process.close()


class _Values(pickle.Unpickler):
    """Reads plain values, and nothing that runs."""

    def __init__(self, data: bytes, modules: tuple[str, ...]) -> None:
        super().__init__(io.BytesIO(data))
        self._modules = modules

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of the modules, or an exception of Python."""
        if module == "builtins" or any(f"{module}.".startswith(f"{one}.") for one in self._modules):
            found = super().find_class(module, name)
            if isinstance(found, type) and (module != "builtins" or issubclass(found, Exception)):
                return found
            if (module, name) == ("array", "_array_reconstructor"):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no value of an answer")


def _value(answer: bytes, modules: tuple[str, ...]) -> tuple[Any, Exception | None]:
    """Return what a process answered: what it did, or what was raised."""
    done, error, text = _Values(answer, ()).load()
    if not text:
        return _Values(done, modules).load(), None
    with suppress(pickle.UnpicklingError, ImportError, AttributeError, TypeError, EOFError):
        raised = _Values(error, modules).load()
        if isinstance(raised, Exception):
            return None, raised
    return None, RuntimeError(text)


def work_on() -> None:
    """Do what standard input asks for, piece by piece, until it ends: the program of such a process."""
    leave_interrupts()  # whoever began this process ends it
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123  # a device, by its name for this system
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)  # libraries print
    sys.modules["__main__"].__file__ = __file__  # without one DuckDB takes a process for a terminal
    with suppress(EOFError, OSError):
        while True:
            request = _received(requests, sys.maxsize)
            _send(answers, _answered(request))
    os._exit(0)  # with whatever memory is left


def _answered(request: bytes) -> bytes:
    """Return the answer to a request: what was done, or the error and its text."""
    try:
        work, given = pickle.loads(request)  # noqa: S301  # of the process that began this one
        return pickle.dumps((pickle.dumps(work(*given)), b"", ""))
    except MemoryError:
        error: Exception = MemoryError()
    except Exception as raised:  # noqa: BLE001  # whoever waits is told
        if not isinstance(raised, PageQuoteError):
            raised.add_note(traceback.format_exc())
        error = raised
    text = f"{type(error).__name__}: {error}"
    try:
        return pickle.dumps((b"", pickle.dumps(error), text))
    except Exception:  # noqa: BLE001  # of a class that cannot be sent
        return pickle.dumps((b"", b"", text))


def _nothing() -> None:
    """Prepare nothing."""


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _send(pipe: IO[bytes], message: bytes) -> None:
    pipe.write(len(message).to_bytes(_SIZE))
    pipe.write(message)
    pipe.flush()


def _received(pipe: IO[bytes], most: int) -> bytes:
    """Return the next message. Raise EOFError where the pipe ends, or more bytes than `most` would come."""
    size = pipe.read(_SIZE)
    if len(size) < _SIZE or int.from_bytes(size) > most:
        raise EOFError
    message = pipe.read(int.from_bytes(size))
    if len(message) < int.from_bytes(size):
        raise EOFError
    return message
