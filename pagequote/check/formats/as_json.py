"""Findings as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from lookup.text.printable import json_text
from pagequote.check.judge import Finding


def as_json(findings: Sequence[Finding]) -> str:
    """Return an array with an object a finding."""
    return json_text([to_dict(one) for one in findings], indent=2) + "\n"


def to_dict(finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding, as JSON has them."""
    return {
        "file": finding.manuscript.path.as_posix(),
        "line": finding.line,
        "column": finding.column,
        "where": finding.where,
        "level": finding.level,
        "form": finding.quotation.form,
        "key": finding.key,
        "quote": finding.quoted,
        "verdict": finding.verdict,
        "page_given": finding.page_given,
        "page_is_right": finding.page_is_right,
        "counted": finding.counted,
        "page": finding.page,
        "page_label": finding.page_label,
        "pages": [page for page, _ in finding.pages],
        "printed": finding.printed,
        "diff": finding.diff,
        "differences": [asdict(one) for one in finding.differences],
        "omitted": list(finding.omitted),
        "elsewhere": [asdict(one) for one in finding.elsewhere],
        "hint": finding.hint,
        **({"pinned": finding.pinned} if finding.pinned else {}),
    }
