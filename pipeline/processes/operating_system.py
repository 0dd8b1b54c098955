"""What systems do in different ways: locks, limits, links, priorities; each with a portable way.

Linux is what PageQuote is developed and tested on. Where a system has not what a function needs, the function
does what its docstring says instead, and never fails for that.
"""

import math
import os
import re
import signal
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

fcntl: Any
resource: Any
try:
    import fcntl
    import resource
except ModuleNotFoundError:  # Windows
    fcntl = resource = None

WINDOWS: bool = os.name == "nt"
CASE_COUNTS = sys.platform not in ("win32", "darwin")  # Whether Ant.pdf and ant.pdf are two files.

_LOCKED_BYTE = 1 << 40
"""Where Windows locks a byte of a file: beyond all that is in it, which others may read."""

_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, prctl(2)

_STILL_ACTIVE = 259  # GetExitCodeProcess of a process that runs
_QUERY = 0x1000  # PROCESS_QUERY_LIMITED_INFORMATION


_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)", re.IGNORECASE)


def file_name(name: str) -> str:
    """Return the name as each system takes it for a file, before its ending: `a/b` is a_b, `aux` is aux_."""
    return _RESERVED.sub(r"\g<0>_", re.sub(r"[^\w.-]", "_", name).strip(".")) or "_"


def same_name(path: str) -> str:
    """Return what two spellings of a path have in common that mean one file on this system."""
    return path if CASE_COUNTS else unicodedata.normalize("NFC", path).casefold()


def can_bound() -> bool:
    """Return whether this system bounds the memory, the files and the processor time of a process."""
    return resource is not None


def take_lock(descriptor: int) -> bool:
    """Lock an open file for this process, without waiting; return whether it is locked.

    The system releases it when the file is closed, or its process ends.
    """
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            import msvcrt  # noqa: PLC0415

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            module: Any = msvcrt
            try:
                module.locking(descriptor, module.LK_NBLCK, 1)
            finally:
                os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError as error:
        if isinstance(error, BlockingIOError | PermissionError):
            return False
        raise
    return True


def sync_names(folder: Path) -> None:
    """Write the names in `folder`, or what a file holds, to the disk; Windows writes names by itself."""
    if WINDOWS and folder.is_dir():
        return
    descriptor = os.open(folder, os.O_RDWR if WINDOWS else os.O_RDONLY)  # Windows syncs what may be written
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def process_runs(pid: int) -> bool:
    """Return whether a process of this machine runs."""
    if WINDOWS:
        return _runs_on_windows(pid)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _runs_on_windows(pid: int) -> bool:
    import ctypes  # noqa: PLC0415

    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined]  # os.kill would end the process
    process = kernel.OpenProcess(_QUERY, False, pid)  # noqa: FBT003  # a C function
    if not process:
        return False
    code = ctypes.c_ulong()
    kernel.GetExitCodeProcess(process, ctypes.byref(code))
    kernel.CloseHandle(process)
    return code.value == _STILL_ACTIVE


def limit_memory(more: int) -> None:
    """Let this process map `more` bytes beyond those that it has mapped, and never more than it may now.

    Nothing is limited where the system has no such limit: a deadline is what bounds it there.
    """
    if resource is None:
        return
    mapped = 0
    if sys.platform == "linux":
        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    set_already = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min([mapped + more, *set_already]), hard))


_NO_MEMORY_FOR_THREADS = 127  # The exit status with which glibc ends such a process.


def survive_libraries() -> None:
    """Go on in a child process where the address space is limited; this process then ends as the child does.

    Libraries end a process that gets no memory by a signal: that becomes a sentence, and the exit status 2.
    """
    if resource is None or resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY:
        return
    handed_on = {signal.SIGTERM, signal.SIGHUP}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {*handed_on, signal.SIGCHLD})  # so that none is missed
    child = os.fork()
    if not child:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        die_with_parent()
        return
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal interrupts both
    signal.signal(signal.SIGCHLD, lambda *_: None)  # what is ignored cannot be waited for
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if (received := signal.sigwait({*handed_on, signal.SIGCHLD})) in handed_on:
            os.kill(child, received)
    status = os.waitstatus_to_exitcode(ended[1])
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if -status in {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGTRAP, -_NO_MEMORY_FOR_THREADS}:
        named = signal.Signals(-status).name if status < 0 else f"exit status {status}"
        most = resource.getrlimit(resource.RLIMIT_AS)[0] >> 20
        sys.stderr.write(
            f"pagequote: A library got no more memory, and ended the command ({named}): it may map {most} "
            "MiB. Raise the limit (ulimit -v).\n"
        )
        os._exit(2)
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


def limit_processor(seconds: int, most: int | None = None) -> None:
    """End this process after so many seconds of processor time, by SIGXCPU; at `most` in any case.

    It leaves no picture of its memory behind.
    """
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, most or seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has had; NaN where it has ended, or nobody can tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return math.nan
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def refuse_files() -> None:
    """Have the system refuse this process to open, and to write into, any further file."""
    for what in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
        resource.setrlimit(what, (0, 0))


def be_kind() -> None:
    """Let other processes go first."""
    if hasattr(os, "nice"):
        os.nice(10)


def has_timers() -> bool:
    """Return whether `start_timers` starts any on this system."""
    return hasattr(signal, "setitimer")


def start_timers(timers: Mapping[str, tuple[str, float]]) -> None:
    """End this process by a signal when a timer is over, by the names of timers and of signals; 0 stops one.

    The kernel stops a library that hangs and holds Python's lock. Where it cannot, whoever waits for this
    process has to end it.
    """
    for timer, (ended, seconds) in timers.items():
        if has_timers():
            signal.signal(getattr(signal, ended), signal.SIG_DFL)
            signal.setitimer(getattr(signal, timer), seconds)


def ended_by(code: int | None, *names: str) -> bool:
    """Return whether the exit code of a process says that a signal of these names ended it."""
    return code is not None and -code in {getattr(signal, name, None) for name in names}


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let a process be begun that no Ctrl-C reaches before it calls `leave_interrupts`."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_interrupts() -> None:
    """Leave Ctrl-C to the process that began this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def end_with(parent: int) -> None:
    """End this process with its parent on Linux; elsewhere it ends when it answers."""
    if sys.platform == "linux":
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)


def die_with_parent() -> None:
    """Have Linux kill this process when the one that began it ends."""
    if _LIBC is not None:
        _LIBC.prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)


_LIBC: Any = None
if sys.platform == "linux":  # loaded here: between fork and exec, a child should only call it
    import ctypes

    _LIBC = ctypes.CDLL(None)
