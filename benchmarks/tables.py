"""What the benchmarks print: Markdown tables, and a line that says when and on what they were measured."""

import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import duckdb


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows under `head`, numbers and all as they are given."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows))


def measured_on() -> str:
    """Date, cores, memory and versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB, "
        f"Python {platform.python_version()}, DuckDB {duckdb.__version__}"
    )


def resident_mebibytes() -> float:
    """Memory of this process that is in RAM now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
