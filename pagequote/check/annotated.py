"""A copy of a manuscript with its findings as comments, and corrections as tracked changes."""

import shutil
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pagequote.check.documents.comments import Comment, annotate
from pagequote.check.documents.document_text import archive
from pagequote.check.fixes import tracked_edits
from pagequote.check.formats import in_words
from pagequote.check.judge import Finding, Level
from pagequote.check.manuscript import content_of, in_sandbox
from pagequote.check.quotation import Edit
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
        Comment(one.quotation.start, one.quotation.end, in_words(one, named), one.boxes, _COLOURS[one.level])
        for one in findings
    ]
    edits = tracked_edits(findings, pages=pages, words=words)
    with TemporaryDirectory(prefix="pagequote-") as folder:
        made = Path(folder) / copy.name
        in_sandbox(manuscript, _annotate, manuscript, comments, made, now, edits)
        with replaced(copy, copy.parent) as file, made.open("rb") as written:
            shutil.copyfileobj(written, file)
    return len(comments), len(edits)


def _annotate(
    manuscript: Path, comments: Sequence[Comment], copy: Path, date: str, edits: Sequence[Edit]
) -> None:
    """Write the copy, where it can be killed."""
    content = content_of(manuscript)
    if manuscript.suffix.lower() == ".pdf":
        from pagequote.highlights.pdf import on_each_page, with_highlights  # PyMuPDF  # noqa: PLC0415

        marks = [mark for one in comments for mark in on_each_page(one.boxes, one.text, one.colour)]
        copy.write_bytes(with_highlights(content, marks))
        return
    with archive(content, str(manuscript)) as opened, copy.open("wb") as file:
        annotate(opened, comments, file, date, edits)
