"""Is what parses untrusted bytes pinned at its newest version? `python tools/newest.py [--days 60]`.

Prints a line for each package of which the index has had a newer version for so many days, as a warning that
GitHub shows. It asks by `uv pip compile`, without uv by pip, which knows no days; without a network it says
so, and ends with 0 all the same: a build never fails because of the day on which it runs.
"""

import argparse
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

PARSERS = (
    "pymupdf",
    "pikepdf",
    "lxml",
    "starlette",
    "uvicorn",
    "h11",
    "mcp",
    "pygls",
    "duckdb",
    "onnxruntime",
    "tokenizers",
    "pylatexenc",
    "bibtexparser",
    "tantivy",
)
"""What reads bytes that anybody may have written: documents, requests, models, databases."""

_PINNED = Path(__file__).parent / "requirements/dev.txt"
_LINE = re.compile(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", re.MULTILINE)
_SECONDS = 60


def versions(text: str) -> dict[str, str]:
    """Return the version of each package that a list of requirements pins."""
    return {name.lower().replace("_", "-"): version for name, version in _LINE.findall(text)}


def newest(names: list[str], before: datetime) -> dict[str, str]:
    """Return the newest version of each package: before a day if uv is here, else today, by pip.

    Raise OSError or SubprocessError.
    """
    if uv := shutil.which("uv"):
        day = f"{before:%Y-%m-%d}"
        command = [uv, "pip", "compile", "-", "--no-deps", "--no-header", "--quiet", "--exclude-newer", day]
        return versions(_said(command, "\n".join(names)))
    found = {}
    for name in names:
        said = _said([sys.executable, "-m", "pip", "index", "versions", name])
        if newest_one := re.match(r"\S+ \(([^)]+)\)", said):
            found[name] = newest_one[1]
    return found


def _said(command: list[str], given: str = "") -> str:
    done = subprocess.run(  # noqa: S603  # its words are ours
        command, input=given, capture_output=True, text=True, timeout=_SECONDS, check=True
    )
    return done.stdout


def late(pinned: dict[str, str], known: dict[str, str]) -> list[str]:
    """Return a line for each package whose pinned version is older than the known one."""
    return [
        f"{name} is pinned at {pinned[name]}; {version} is there"
        for name, version in known.items()
        if name in pinned and _parts(pinned[name]) < _parts(version)
    ]


def _parts(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]


def main() -> None:
    """Look, and tell."""
    parser = argparse.ArgumentParser(description="Tell which parsers of untrusted bytes are pinned late.")
    parser.add_argument("--days", type=int, default=60, help="days that a version may be there unused")
    asked = parser.parse_args()
    pinned = versions(_PINNED.read_text(encoding="utf-8"))
    names = [name for name in PARSERS if name in pinned]
    try:
        known = newest(names, datetime.now(UTC) - timedelta(days=asked.days))
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        sys.stdout.write(f"The index was not asked: {said.strip()[-200:]}\n")
        return
    for line in late(pinned, known):
        sys.stdout.write(f"::warning title=late dependency::{line}\n")
    sys.stdout.write(f"{len(known)} packages were looked up.\n")


if __name__ == "__main__":
    main()
