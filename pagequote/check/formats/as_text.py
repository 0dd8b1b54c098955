"""Findings as lines that a terminal and an editor understand: file:line:column: level: message."""

from collections.abc import Iterator, Sequence

from lookup.text.printable import on_one_line
from pagequote.check.formats.messages import left_out, message
from pagequote.check.judge import Finding


def as_text(findings: Sequence[Finding]) -> str:
    """Return a line for each finding, then its word diff, the nearest words, and what to do, indented."""
    return "".join(f"{on_one_line(line)}\n" for finding in findings for line in _lines(finding))


def _lines(finding: Finding) -> Iterator[str]:
    place = f"{finding.manuscript.path.as_posix()}:{finding.line}:{finding.column}"
    yield f"{place}: {finding.level}: {message(finding)}"
    yield from (f"    {line}" for line in _details(finding))


def comment_lines(finding: Finding) -> list[str]:
    """Return a finding as lines beside its words: the verdict, and what tells more."""
    return [f"{finding.level}: {message(finding)}", *_details(finding)]


def _details(finding: Finding) -> Iterator[str]:
    if finding.diff is not None:
        yield finding.diff
    elif finding.level != "ok":
        yield f"quoted: {_short(finding.quoted)}"
        if finding.verdict == "related" and finding.printed:
            yield f"nearest: {_short(finding.printed)}"
    if words := left_out(finding):
        yield words
    if finding.hint:
        yield finding.hint


_SHOWN = 160
"""Characters of a quotation that are shown."""


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
