"""What the stages did last, for the report that the last of them writes: they may run in processes of their own, hours apart."""

import json
from pathlib import Path
from typing import Any

from pipeline.atomic_files import write_atomically

_FILE = "stages.json"


def leave_figures(work: Path, stage: str, figures: dict[str, Any]) -> None:
    """Leave in `work` what `stage` did just now."""
    write_atomically(work / _FILE, (json.dumps(left_figures(work) | {stage: figures}) + "\n").encode())


def left_figures(work: Path) -> dict[str, dict[str, Any]]:
    """What each stage did when it ran last; nothing of those that left none."""
    try:
        left = json.loads((work / _FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return left if isinstance(left, dict) else {}
