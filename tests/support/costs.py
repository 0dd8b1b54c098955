"""What each test costs: seconds of processor of setup, call and teardown, and of processes it waited for.

What several tests share, a fixture of a module or of the run, is charged to the fixture. A test of more than
`MOST` is `long`, and one that is not fails. How long that is on this machine, at this moment, a loop says
that is measured right after the test. `--costs` shows the sums and the dearest.
"""

import os
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

MOST = 1.0
"""Seconds of processor of a test without the mark `long`, at the speed at which the loop takes `LOOP`."""
LOOP = 0.1
NOISE = 8.0
"""A test fails that takes so many times what it may, for neighbours and what it is the first to import."""
SHOWN = 20


def processor_seconds() -> float:
    """Return the seconds of processor of this process and of those it waited for."""
    return sum(os.times()[:4])


def slowness() -> float:
    """Return how many times longer than `LOOP` the loop takes now; 1 on a machine that is faster."""
    began = time.process_time()
    sum(len(str(number)) for number in range(1_000_000))
    return max(1.0, (time.process_time() - began) / LOOP)


class Costs:
    """Notes what tests cost, in each process of pytest-xdist, and shows it in the end."""

    def __init__(self, config: pytest.Config) -> None:
        self._shown = bool(config.getoption("--costs"))
        self._shared: dict[str, float] = defaultdict(float)
        self._began = self._inner = 0.0
        finish = pytest.FixtureDef.finish

        def charged(fixturedef: pytest.FixtureDef[Any], request: Any) -> None:
            with self._charged_to(fixturedef):
                finish(fixturedef, request)

        # pytest has no hook for the end of a fixture.
        pytest.FixtureDef.finish = charged  # type: ignore[assignment]
        self.tests: dict[str, float] = {}
        self.fixtures: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Generator[None, Any, Any]:
        self._began, self._shared = processor_seconds(), defaultdict(float)
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        with self._charged_to(fixturedef):
            return (yield)

    @contextmanager
    def _charged_to(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """Charge what is done to a fixture that is shared, without what was charged to others meanwhile."""
        if fixturedef.scope == "function":
            yield
            return
        began, outer, self._inner = processor_seconds(), self._inner, 0.0
        try:
            yield
        finally:
            spent = processor_seconds() - began
            self._shared[fixturedef.argname] += spent - self._inner
            self._inner = outer + spent

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            spent = processor_seconds() - self._began - sum(self._shared.values())
            report.user_properties.append(("costs", [spent, dict(self._shared)]))
            may = MOST * NOISE
            if spent > may and not item.get_closest_marker("long") and spent > may * slowness():
                report.outcome = "failed"
                report.longrepr = f"{spent:.1f} s of processor: mark it with pytest.mark.long"
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        properties: list[Any] = report.user_properties
        for spent, shared in (costs for name, costs in properties if name == "costs"):
            self.tests[report.nodeid] = spent
            for fixture, seconds in shared.items():
                self.fixtures[fixture] += seconds

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self._shown:
            return
        files: dict[str, float] = defaultdict(float)
        for test, seconds in self.tests.items():
            files[test.partition("::")[0]] += seconds
        for title, spent in (("tests", self.tests), ("files", files), ("shared fixtures", self.fixtures)):
            terminalreporter.section(f"seconds of processor of {title}: {sum(spent.values()):.0f}")
            for name in sorted(spent, key=spent.__getitem__, reverse=True)[:SHOWN]:
                terminalreporter.line(f"{spent[name]:7.2f}  {name}")
