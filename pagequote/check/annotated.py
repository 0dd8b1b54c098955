"""A copy of a manuscript with its findings as comments, and corrections as tracked changes."""

import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pagequote.check.documents.comments import Change, Comment
from pagequote.check.fixes import tracked_edits
from pagequote.check.in_words import in_words
from pagequote.check.judge import Finding, Level
from pagequote.check.sandboxed_reading import annotate_in_sandbox
from pipeline.files.atomic import replaced

COMMENTED = (".docx", ".docm", ".pdf")
"""Suffixes of manuscripts that can have comments."""

_COLOURS: dict[Level, tuple[float, float, float]] = {
    "error": (1.0, 0.6, 0.6),
    "warning": (1.0, 0.9, 0.4),
    "ok": (0.7, 0.9, 0.6),
}
"""The colour of a comment in a PDF."""


def write_annotated(
    manuscript: Path,
    copy: Path,
    findings: Sequence[Finding],
    named: Mapping[str, str],
    *,
    pages: bool = False,
    words: bool = False,
) -> tuple[int, int]:
    """Write the copy of a .docx or PDF; return how many comments and tracked changes of a .docx it has.

    With `pages` right pages, with `words` printed words are changes. `named` has authors and year by keys.
    Raise QueryError.
    """
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    comments = [
        Comment(
            one.quotation.start, one.quotation.end, in_words(one, named), now, one.boxes, _COLOURS[one.level]
        )
        for one in findings
    ]
    changes = [Change(*edit, now) for edit in tracked_edits(findings, pages=pages, words=words)]
    with TemporaryDirectory(prefix="pagequote-") as folder:
        made = Path(folder) / copy.name
        annotate_in_sandbox(manuscript, comments, made, changes)
        with replaced(copy, copy.parent) as file, made.open("rb") as written:
            shutil.copyfileobj(written, file)
    return len(comments), len(changes)
