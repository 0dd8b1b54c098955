"""Manuscripts of others, read where it can be killed: files of word processors, and long texts."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import Manuscript, content_of, is_document, read_manuscript
from pagequote.sandbox import run_in_sandbox

T = TypeVar("T")

SECONDS = 60.0
"""Seconds for a manuscript. A text of 8 million characters takes 2; a copy of 300 MB of photographs, 12."""

_MEMORY = 3 << 29  # Bytes beside those of the program: a document of 512 MiB is held whole.

_HERE = 1 << 18
"""Characters of a text that are read in this process: what was made to take long takes 2.5 s of processor,
a chapter of 100,000 characters 0.06 s. A process of its own takes 0.3 s."""


def read_in_sandbox(path: Path, vocabulary: Vocabulary, content: bytes | None = None) -> Manuscript:
    """Return what `read_manuscript` does. Raise QueryError, too, for what takes too long or much memory."""
    document = is_document(path)
    if content is None and not document:
        content = content_of(path)
    if not document and len(content or b"") <= _HERE:
        return read_manuscript(path, vocabulary, content)
    return in_sandbox(path, read_manuscript, path, vocabulary, content)


def in_sandbox(path: Path, work: Callable[..., T], *given: object) -> T:
    """Return what `work` makes of the arguments, in a process that can be killed. Raise QueryError."""
    what, less = repr(str(path)), "Check it in parts."
    return run_in_sandbox(work, *given, label=what, seconds=SECONDS, memory=_MEMORY, advice=less)
