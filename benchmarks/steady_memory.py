"""Does a build's memory grow with what it reads? `python benchmarks/steady_memory.py FOLDER ... [--times 4]`.

The PDFs of the folders are read several times over under other names, each copy with a comment of its own at
its end. What the process that builds and each of its workers hold in memory is looked at all the while.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tables import markdown_table, measured_on

_EVERY = 0.25
"""Seconds between two looks."""

_STRETCHES = 8


def copies(folders: Sequence[Path], times: int, target: Path) -> int:
    """Fill `target` with the PDFs, so many times over; how many files there are then."""
    made = 0
    for time_ in range(times):
        for folder in folders:
            for path in sorted(path for path in folder.rglob("*.pdf") if path.is_file()):
                made += 1
                data = path.read_bytes()
                (target / f"{path.stem}-{made}.pdf").write_bytes(
                    data + b"\n%% copy %d\n" % made if data else b""
                )
        print(f"{time_ + 1} of {times}: {made} files", file=sys.stderr)
    return made


def watch(process: "subprocess.Popen[bytes]") -> list[tuple[float, float, list[float]]]:
    """Until the process ends: seconds, MiB that it holds, MiB that each of its workers holds."""
    looks = []
    began = time.monotonic()
    while process.poll() is None:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        try:
            pids = children.read_text().split()
        except OSError:
            break
        held = [_resident(pid) for pid in pids if "multiprocessing-fork" in _command_line(pid)]
        looks.append((time.monotonic() - began, _resident(str(process.pid)), [one for one in held if one]))
        time.sleep(_EVERY)
    return looks


def report(looks: Sequence[tuple[float, float, list[float]]]) -> str:
    """The table: what was held in each stretch of the time in which there were workers, and after it."""
    reading = [look for look in looks if look[2]]
    rest = [look for look in looks if look[0] > reading[-1][0]]
    size = max(1, len(reading) // _STRETCHES)
    stretches = [reading[at : at + size] for at in range(0, size * _STRETCHES, size)]
    rows = []
    for stretch in filter(None, stretches):
        workers = [held for _, _, each in stretch for held in each]
        driver = [held for _, held, _ in stretch]
        seconds = f"{stretch[0][0]:.0f} to {stretch[-1][0]:.0f}"
        rows.append(
            [
                seconds,
                f"{median(driver):.0f} ({max(driver):.0f})",
                f"{median(workers):.0f} ({max(workers):.0f})",
            ]
        )
    if rest:
        driver = [held for _, held, _ in rest]
        rows.append(
            [
                f"{rest[0][0]:.0f} to {rest[-1][0]:.0f}, publishing",
                f"{median(driver):.0f} ({max(driver):.0f})",
                "",
            ]
        )
    head = ["seconds", "the build's process: median (most), MiB", "a worker: median (most), MiB"]
    return markdown_table(head, rows)


def _resident(pid: str) -> float:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, IndexError):
        return 0.0


def _command_line(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Watch the memory of a build.")
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="PDFs, to any depth")
    parser.add_argument("--times", type=int, default=4)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        (root / "pdfs").mkdir()
        made = copies(asked.folders, asked.times, root / "pdfs")
        command = [
            sys.executable,
            "-c",
            "from pagequote.cli import main; main()",
            "build",
            "pdfs",
            "--corpus",
            "corpus",
        ]
        process = subprocess.Popen([*command, "--quiet", "--deadline", "60"], cwd=root)
        looks = watch(process)
    print(report(looks))
    print(f"\n{made} files, exit status {process.returncode}. {measured_on()}")


if __name__ == "__main__":
    main()
