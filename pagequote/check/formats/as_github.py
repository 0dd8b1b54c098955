"""Findings as workflow commands of GitHub Actions, which annotate the lines of a pull request."""

from collections.abc import Sequence

from lookup.text.printable import printable
from pagequote.check.formats.messages import details
from pagequote.check.judge import Finding

_LEVELS = {"error": "error", "warning": "warning", "ok": "notice"}


def as_github(findings: Sequence[Finding]) -> str:
    """Return a command for each finding."""
    return "".join(f"{_command(one)}\n" for one in findings)


def _command(finding: Finding) -> str:
    text = "\n".join(details(finding))
    properties = {
        "file": finding.manuscript.path.as_posix(),
        "line": str(finding.line),
        "col": str(finding.column),
        "title": f"pagequote: {finding.verdict}",
    }
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS[finding.level]} {named}::{_data(text)}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
