"""Which tests skip on a machine that nobody has prepared: no other may where `.ci/bare` has set BARE."""

import os
from typing import Any

import pytest

from tests.support.project import ROOT

LISTED = ROOT / "tests" / "bare_skips.txt"
"""A line each: a file of tests, or * for any, and why some of its tests skip."""


class Skips:
    """Notes the skips of a run, and lets it fail where BARE is set and one is not listed."""

    def __init__(self) -> None:
        self._found: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped and isinstance(report.longrepr, tuple | list):
            why = report.longrepr[2].removeprefix("Skipped: ").partition(": ")[0]
            self._found.add(f"{report.nodeid.partition('::')[0]}: {why}")

    def _unlisted(self) -> list[str]:
        listed = LISTED.read_text(encoding="utf-8").splitlines() if "BARE" in os.environ else self._found
        return sorted(
            one for one in self._found.difference(listed) if f"*: {one.partition(': ')[2]}" not in listed
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._unlisted():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if unlisted := self._unlisted():
            terminalreporter.section(f"skips that {LISTED.name} does not list", red=True)
            for line in unlisted:
                terminalreporter.line(line)
