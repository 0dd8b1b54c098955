"""Figures that each stage leaves for the build report; stages may run hours apart, in separate processes."""

from pathlib import Path
from typing import Any

from pipeline.files.atomic import read_json, write_json

_FILE = "stages.json"


def leave_figures(work: Path, stage: str, figures: dict[str, Any]) -> None:
    """Leave the figures of the last run of `stage` in `work`."""
    write_json(work / _FILE, left_figures(work) | {stage: figures})


def left_figures(work: Path) -> dict[str, dict[str, Any]]:
    """Return the figures of each stage's last run; a stage that left none is missing."""
    left = read_json(work / _FILE)
    return left if isinstance(left, dict) else {}
