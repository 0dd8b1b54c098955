"""Findings as SARIF 2.1.0, which code hosts and editors show beside the lines."""

from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from lookup.results.quote_answer import PRINTED
from lookup.text.printable import json_text
from pagequote.check.formats.messages import details
from pagequote.check.judge import Finding

RULES = {
    "wrong-page": "The words are printed on another page.",
    "near": "The words are printed with differences.",
    "related": "The paper prints something like it, and not these words.",
    "not-found": "The paper does not print these words.",
    "not-covered": "The paper has no text to judge by.",
    "unknown-key": "No paper of the corpus has this key.",
    "not-judged": "There are no words to look for.",
    "abridged": "The words are printed, but for those left out under ellipses and put in with brackets.",
    "verbatim": "The words are printed as quoted.",
    "pinned": "The lock file says that the words were printed; nothing was looked up.",
}


def rule(finding: Finding) -> str:
    """Return the rule that a finding breaks: the page if the words are right, else the verdict."""
    if finding.verdict in PRINTED and finding.page_is_right is False:
        return "wrong-page"
    return finding.verdict.replace(" ", "-")


def as_sarif(findings: Sequence[Finding]) -> str:
    """Return a log with one run."""
    driver = {
        "name": "pagequote",
        "version": version("pagequote"),
        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one) for one in findings],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json_text(log, indent=2) + "\n"


def _result(finding: Finding) -> dict[str, Any]:
    end_line, end_column = finding.manuscript.place(finding.quotation.end)
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": end_line,
        "endColumn": end_column,
    }
    place = {"artifactLocation": {"uri": _uri(finding)}, "region": region}
    return {
        "ruleId": rule(finding),
        "level": "note" if finding.level == "ok" else finding.level,
        "message": {"text": ". ".join(details(finding))},
        "locations": [{"physicalLocation": place}],
    }


def _uri(finding: Finding) -> str:
    from urllib.parse import quote  # noqa: PLC0415  # not on the way to other formats

    return quote(finding.manuscript.path.as_posix())
