"""What is done in a process that can be killed costs nobody else, and gets no further than its answer."""

import os
import pickle
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from pipeline.processes import killable_process
from pipeline.processes.killable_process import (
    ClosedError,
    EndedError,
    KillableProcess,
    KillableProcesses,
    Kind,
    SlowError,
    StarvedError,
    _Values,
)
from tests.support.killable_works import broken, colour, full, refuse, unfit
from tests.support.processes import end_by_a_kill, gone, own_number
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.system


@pytest.fixture
def process():
    made = KillableProcess(Kind())
    yield made
    made.close()
    assert ended(made)


def ended(made):
    """Whether no process of `made` runs; others of this worker may."""
    return made._process is None or made._process.poll() is not None


def test_a_process_does_one_work_after_the_other_and_is_replaced_after_some():
    made = KillableProcess(Kind(most_works=2))
    try:
        numbers = [made.do(own_number, 0) for _ in range(4)]
    finally:
        made.close()
    first, second, third, fourth = numbers
    assert first == second != third == fourth
    assert os.getpid() not in numbers


def test_work_that_takes_too_long_is_killed_and_the_next_is_done(process):
    with pytest.raises(SlowError):
        process.do(signal.pause, seconds=0.1)
    assert process.do(abs, -3, seconds=PATIENCE) == 3


@pytest.mark.parametrize(("seconds", "error"), [((1.0, 1.01), StarvedError), ((1.0, 9.0), SlowError)])
def test_work_that_got_no_processor_is_told_apart_from_slow_work(process, monkeypatch, seconds, error):
    had = iter(seconds)
    monkeypatch.setattr(killable_process, "processor_seconds", lambda _pid: next(had))
    with killable_process._killed_after(process.start(), 0.1) as late:
        process.start().wait()
    assert [type(one) for one in late] == [error]


def test_a_process_that_ends_is_told_by_its_signal_and_the_next_is_done(process):
    with pytest.raises(EndedError, match="SIGKILL") as ended:
        process.do(end_by_a_kill)
    assert ended.value.begun
    assert process.do(abs, -3) == 3
    with pytest.raises(EndedError, match="exit status 3"):
        process.do(os._exit, 3)


def test_a_process_that_was_killed_between_two_works_costs_neither(process):
    for _ in range(3):
        os.kill(process.do(own_number, 0), signal.SIGKILL)
    assert process.do(abs, -3) == 3


def test_what_the_work_raises_is_raised(process):
    with pytest.raises(ZeroDivisionError, match="modulo by zero") as raised:
        process.do(divmod, 1, 0)
    assert "Traceback" in "".join(raised.value.__notes__)
    with pytest.raises(MemoryError):
        process.do(full)
    with pytest.raises(RuntimeError, match="UnknownKeyError: No paper has the key 'nobody'"):
        process.do(refuse)  # its class is no value of an answer of this process
    with pytest.raises(TypeError, match="cannot pickle"):
        process.do(unfit)
    assert process.do(abs, -3) == 3


def test_an_answer_holds_nothing_that_runs_and_no_class_that_is_not_named(process):
    for work in (colour, broken):
        with pytest.raises(EndedError):
            process.do(work)
    named = KillableProcess(Kind(values=("pathlib",)))
    try:
        assert named.do(Path, "a") == Path("a")
    finally:
        named.close()
    for data in (pickle.dumps(os.system), pickle.dumps(print), pickle.dumps(os.path.join), b"cos\nsystem\n."):
        with pytest.raises(pickle.UnpicklingError):
            _Values(data, ("pathlib",)).load()


def test_processes_that_are_closed_end_the_work_that_they_do_and_begin_none():
    made = KillableProcesses(2, Kind())
    caught: list[Exception] = []

    def wait() -> None:
        try:
            made.do(signal.pause)
        except ClosedError as error:
            caught.append(error)

    waiting = [threading.Thread(target=wait) for _ in range(3)]
    for one in waiting:
        one.start()
    wait_until(lambda: all(one._process for one in made._all))
    made.close()
    for one in waiting:
        one.join(PATIENCE)
    assert len(caught) == 3
    assert all(map(ended, made._all))
    with pytest.raises(ClosedError):
        made.do(abs, -3)


def test_a_process_whose_parent_is_gone_ends():
    program = (
        "import os, signal\n"
        "from pipeline.processes.killable_process import KillableProcess, Kind\n"
        "from tests.support.processes import own_number\n"
        "made = KillableProcess(Kind())\n"
        "print(made.do(own_number, 0), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    wait_until(lambda: gone(done.stdout.strip()))
