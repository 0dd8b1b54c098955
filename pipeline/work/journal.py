"""The journal of a corpus: a file with one JSON object a line for each of the last builds."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.files.atomic import read_json, write_atomically, write_json

JOURNAL = "builds.jsonl"

_KEPT = 1500  # Builds in the journal, at most: four years of nightly builds, some 500 kB.


@dataclass(frozen=True)
class JournalEntry:
    """One build: its start (UTC), the release that is current since then, and the row counts of that.

    `outcome` is 'published', 'unchanged', 'failed' or 'interrupted'.
    """

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
        """Return whether the corpus matched its sources after the build."""
        return self.outcome in ("published", "unchanged")


def add(corpus: Path, entry: JournalEntry) -> None:
    """Add a build to the journal of `corpus`; the caller holds its lock."""
    lines = [json.dumps(asdict(one)) for one in (*entries(corpus), entry)]
    write_atomically(corpus / JOURNAL, "".join(f"{line}\n" for line in lines[-_KEPT:]).encode(), corpus)


def entries(corpus: Path) -> list[JournalEntry]:
    """Return the builds of `corpus`, oldest first; damaged lines are left out."""
    try:
        content = (corpus / JOURNAL).read_bytes()
    except OSError:
        return []
    found = []
    for line in content.decode("utf-8", errors="replace").splitlines():
        with suppress(ValueError, TypeError):
            found.append(JournalEntry(**json.loads(line)))
    return found


_FILE = "stages.json"


def leave_figures(work: Path, stage: str, figures: dict[str, Any]) -> None:
    """Leave the figures of the last run of `stage` in `work`."""
    write_json(work / _FILE, left_figures(work) | {stage: figures}, work)


def left_figures(work: Path) -> dict[str, dict[str, Any]]:
    """Return the figures of each stage's last run; a stage that left none is missing."""
    left = read_json(work / _FILE)
    return left if isinstance(left, dict) else {}
