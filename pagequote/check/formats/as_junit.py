"""Findings as JUnit's XML: a test case each quotation, as many servers show them."""

import re
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from lookup.text.printable import printable
from pagequote.check.formats.messages import details
from pagequote.check.judge import Finding

_NOT_XML = re.compile("[\ufffe\uffff]")
"""What XML may not hold, of what can be printed."""


def as_junit(findings: Sequence[Finding]) -> str:
    """Return a suite with a case for each finding: errors fail, what could not be judged is skipped."""
    failed = sum(one.level == "error" for one in findings)
    skipped = sum(one.level == "warning" for one in findings)
    counts = f'tests="{len(findings)}" failures="{failed}" errors="0" skipped="{skipped}"'
    cases = "".join(_case(one) for one in findings)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {counts}>\n'
        f'<testsuite name="pagequote check" {counts}>\n{cases}</testsuite>\n</testsuites>\n'
    )


def _case(finding: Finding) -> str:
    file = finding.manuscript.path.as_posix()
    name = f"{file}:{finding.line}:{finding.column} {finding.quoted[:60]}"
    opening = f"<testcase classname={_attribute(file)} name={_attribute(name)}"
    if finding.level == "ok":
        return f"{opening}/>\n"
    text = " ".join(details(finding))
    element = "failure" if finding.level == "error" else "skipped"
    return f"{opening}><{element} message={_attribute(text)}/></testcase>\n"


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", printable(text)))
