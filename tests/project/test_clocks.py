"""No test depends on a clock: tests/support/waiting.py alone has one.

How long something takes says more of the machine, and of what else runs on it, than of the code. What grows
is counted (tests/support/counting.py), what happens elsewhere is waited for with `wait_until`, and a module
that looks at the clock itself gets a `FakeClock`.
"""

import ast
import re
from pathlib import Path

import pytest

from tests.support.project import ROOT

_CLOCKS = re.compile(
    r"\b(?:process_time|perf_counter|monotonic|thread_time)(?:_ns)?\b|\btime\(\)|\bsleep\s*\("
)
"""Also in programs within strings. `asyncio.sleep(0)` lets others go on, and waits for no time."""

_SHORT = 120.0
"""Seconds: a `timeout` of a call that must be answered is not below."""

_ANSWERED_BY_NOTHING = {
    ("test_mcp.py", 2.0),  # an address at which nobody listens: the test is that nobody answers
}

FILES = sorted((ROOT / "tests").rglob("*.py"))
ALLOWED = {"waiting.py", "costs.py", Path(__file__).name}


def clocks(source: str) -> list[str]:
    return _CLOCKS.findall(source.replace("asyncio.sleep(0)", ""))


def timeouts(source: str) -> list[float]:
    """The numbers that calls are given as `timeout`."""
    return [
        float(given.value.value)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        for given in node.keywords
        if given.arg == "timeout"
        and isinstance(given.value, ast.Constant)
        and isinstance(given.value.value, int | float)
        and given.value.value  # 0 asks once
    ]


def test_no_test_looks_at_a_clock_or_sleeps():
    found = {
        path.name: clocks(path.read_text(encoding="utf-8")) for path in FILES if path.name not in ALLOWED
    }
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.long
def test_what_must_be_answered_has_time():
    found = {
        (path.name, seconds)
        for path in FILES
        for seconds in timeouts(path.read_text(encoding="utf-8"))
        if seconds < _SHORT
    }
    assert found - _ANSWERED_BY_NOTHING == set()


@pytest.mark.parametrize(
    "source",
    ["time.process_time()", "from time import monotonic", "began = time()", '"import time; time.sleep(60)"'],
)
def test_clocks_are_found(source):
    assert clocks(source)


@pytest.mark.parametrize(
    "source", ["await asyncio.sleep(0)", "datetime.time(1)", "the paper sleeps (it does)"]
)
def test_what_is_no_clock_is_not(source):
    assert not clocks(source)
