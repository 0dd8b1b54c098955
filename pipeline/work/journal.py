"""What became of each build of a corpus: a file of one JSON object a line, the last builds of some years of nights."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.atomic_files import write_atomically

JOURNAL = "builds.jsonl"

_KEPT = 1500
"""Builds that are remembered: four years of nights, some 500 kB."""


@dataclass(frozen=True)
class JournalEntry:
    """One build: when it began (UTC), how it ended ('published', 'unchanged', 'failed', 'interrupted'), what is current since, and its rows."""

    began: str
    outcome: str = "failed"
    seconds: float = 0.0
    release: str | None = None
    rows: dict[str, int] = field(default_factory=dict)
    read: int = 0
    new_failures: int = 0
    message: str = ""

    @property
    def good(self) -> bool:
        """Whether the corpus was then what its sources said."""
        return self.outcome in ("published", "unchanged")


def add(corpus: Path, entry: JournalEntry) -> None:
    """Add a build to the journal of `corpus`; the caller holds its lock."""
    lines = [json.dumps(asdict(one)) for one in (*entries(corpus), entry)]
    write_atomically(corpus / JOURNAL, "".join(f"{line}\n" for line in lines[-_KEPT:]).encode())


def entries(corpus: Path) -> list[JournalEntry]:
    """The builds of `corpus`, oldest first; what is no entry of this form is passed over."""
    try:
        lines = (corpus / JOURNAL).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    found = (_entry(line) for line in lines)
    return [entry for entry in found if entry is not None]


def _entry(line: str) -> JournalEntry | None:
    try:
        said: Any = json.loads(line)
        return JournalEntry(**said)
    except (ValueError, TypeError):
        return None
