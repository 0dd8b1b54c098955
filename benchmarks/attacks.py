"""Does what was once broken stand trials by chance? `python benchmarks/attacks.py PDFS HOSTILE CORPUS`.

PDFS is a folder of real papers, HOSTILE one of PDFs that other programs stumbled over, CORPUS is built from
PDFS. Each line is a way in, and the benchmark that tries it by chance, in some minutes all together; more
trials of one are asked of its benchmark. The tests of all ways are a part of `make test`.
"""

import argparse
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

from tables import markdown_table, measured_on

_HERE = Path(__file__).resolve().parent

_WAYS = (
    ("PDFs that other programs stumbled over", "mutants.py {hostile} --as-they-are", "PDFs"),
    ("real papers, damaged by chance", "mutants.py {pdfs} --mutants 60", "PDFs"),
    ("what is damaged, marked", "mutants.py {pdfs} --mutants 60 --marked", "files"),
    ("disturbed builds", "fault_campaign.py --kills 4 --others 1 --reads 0 --jobs 2", "trials"),
    ("damaged releases", "fault_campaign.py --only 'read with' --reads 4 --jobs 2", "trials"),
    ("nights on which something goes wrong", "nights.py --nights 6", "builds"),
    ("silent connections", "strangers.py {corpus}", "trials"),
    ("connections that owe a body", "strangers.py {corpus} --owing --rounds 2", "trials"),
    ("reading room, API and agents", "doors.py {corpus} --seconds 20 --clients 8", "requests"),
    ("texts that parsers read", "fuzz.py {corpus} --seconds 20", "texts"),
)
"""Ways in, with the command that tries each, and the column of its table that counts the trials."""


def tried(command: str, counted: str) -> tuple[int, str]:
    """Return how many trials the table of a benchmark counts, and what it said if it found a fault."""
    script, *given = shlex.split(command)
    ran = subprocess.run(
        [sys.executable, str(_HERE / script), *given],
        cwd=_HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in ran.stdout.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    if not cells:
        return 0, f"{script} printed no table: {ran.stderr[-500:]}"
    column = cells[0].index(counted)
    trials = sum(
        int(row[column]) for row in cells[2:] if row[0] != "all" and re.fullmatch(r"\d+", row[column])
    )
    return trials, ran.stderr.strip() if ran.returncode else ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Try every way in that is known by chance.")
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("hostile", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", default="", help="ways in whose name has this")
    asked = parser.parse_args()
    folders = {name: shlex.quote(str(getattr(asked, name))) for name in ("pdfs", "hostile", "corpus")}
    rows: list[list[str]] = []
    for name, command, counted in _WAYS:
        if asked.only not in name:
            continue
        began = time.monotonic()
        trials, said = tried(command.format(**folders), counted)
        took = time.monotonic() - began
        rows.append([name, str(trials or "-"), str(int(bool(said))), f"{took:.0f}"])
        print(*rows[-1], said, sep="; ", file=sys.stderr)
    print(markdown_table(["way in", "trials by chance", "faults", "s"], rows))
    print(f"\n{measured_on()}")
    sys.exit(any(int(faults) for *_, faults, _ in rows))


if __name__ == "__main__":
    main()
