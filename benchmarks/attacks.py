"""Does everything stand that was once broken? `python benchmarks/attacks.py PDFS HOSTILE CORPUS [--full]`.

PDFS is a folder of real papers, HOSTILE one of PDFs that other programs stumbled over, CORPUS is built from
PDFS. Each line is a way in: its tests, and the benchmark that tries it by chance. Without `--full` the
benchmarks take some minutes, with it some hours. With `--rows FILE` each row is written there as soon as it
is known, and a row that stands there is not tried again: a run that was stopped goes on.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

from tables import markdown_table, measured_on

_HERE = Path(__file__).resolve().parent
_TESTS = _HERE.parent / "tests"


@dataclass(frozen=True)
class WayIn:
    """What an attacker or an accident may use: its tests, and the command that tries it by chance."""

    name: str
    tests: tuple[str, ...] = ()
    command: str = ""
    full: str = ""
    """What `--full` adds to the command."""
    counted: str = ""
    """The column of the command's table that counts its trials."""


_WAYS = (
    WayIn("PDFs that other programs stumbled over", (), "mutants.py {hostile} --as-they-are", "", "PDFs"),
    WayIn("real papers, damaged by chance", (), "mutants.py {pdfs} --mutants 60", "--mutants 300", "PDFs"),
    WayIn("what is damaged, marked", (), "mutants.py {pdfs} --mutants 60 --marked", "--mutants 300", "files"),
    WayIn(
        "PDFs that hide, act or are no PDFs",
        ("pdf_to_paragraphs/test_hidden_text.py", "builds/test_workers.py"),
    ),
    WayIn(
        "builds that are killed, starved, lied to",
        ("builds/test_killed_build.py",),
        "fault_campaign.py --kills 4 --others 1 --reads 0 --jobs 2",
        "--kills 200 --others 20",
        "trials",
    ),
    WayIn(
        "files of a release, damaged",
        ("releases/test_damage.py", "builds/test_damaged_files.py"),
        "fault_campaign.py --only 'read with' --reads 4 --jobs 2",
        "--reads 200",
        "trials",
    ),
    WayIn("readers while releases come and go", ("releases/test_readers.py", "releases/test_difference.py")),
    WayIn("odd sources and libraries", ("sources",)),
    WayIn("corpora that strangers wrote", ("releases/test_foreign_sql.py",)),
    WayIn("releases that are handed over in a zip", ("releases/test_handed_over.py",)),
    WayIn(
        "machines that share a disk",
        ("builds/test_late_folders.py",),
        "fault_campaign.py --only 'network disk' --kills 0 --others 4 --reads 0 --jobs 1",
        "--others 20",
        "trials",
    ),
    WayIn("nights on which something goes wrong", (), "nights.py --nights 6", "--nights 200", "builds"),
    WayIn("what a path names", ("faces/test_handed_paths.py",)),
    WayIn(
        "machines that fail",
        ("faces/test_machine_faults.py",),
        "machine_faults.py --only 'full standard output' --command quote",
        "",
        "trials",
    ),
    WayIn("older versions and held releases", ("builds/test_guards.py",)),
    WayIn(
        "paths and settings that strangers name",
        ("faces/test_handed_paths.py", "faces/test_lsp.py"),
        "fuzz.py {corpus} --only toml --seconds 10",
        "--seconds 600",
        "texts",
    ),
    WayIn(
        "documents of word processors",
        (
            "faces/test_check_documents.py",
            "faces/test_sandboxed_reading.py",
            "markup_to_paragraphs/test_formats.py",
        ),
        "fuzz.py {corpus} --only docx --seconds 20",
        "--seconds 600",
        "texts",
    ),
    WayIn(
        "lock files",
        ("faces/test_pins.py",),
        "fuzz.py {corpus} --only lock --seconds 20",
        "--seconds 600",
        "texts",
    ),
    WayIn("connections that say nothing", ("faces/test_killable.py",), "strangers.py {corpus}", "", "trials"),
    WayIn(
        "connections of one network that owe a body",
        (),
        "strangers.py {corpus} --owing --rounds 2",
        "--rounds 40",
        "trials",
    ),
    WayIn(
        "papers that are added, storage that lies", ("builds/test_add.py", "releases/test_object_corpus.py")
    ),
    WayIn("what is printed and logged", ("faces/test_printing.py",)),
    WayIn(
        "the reading room and its API",
        ("faces/test_web.py", "faces/test_web_api.py", "faces/test_killable.py"),
        "doors.py {corpus} --seconds 20 --clients 8",
        "--seconds 600 --clients 20",
        "requests",
    ),
    WayIn("servers that others reach", ("faces/test_serving.py",)),
    WayIn("agents", ("faces/test_mcp.py", "faces/test_remote.py")),
    WayIn(
        "drafts, queries, keys and messages",
        ("faces/test_linear_time.py", "quote/test_bad_input.py"),
        "fuzz.py {corpus} --seconds 20",
        "--seconds 600",
        "texts",
    ),
    WayIn("SQL", ("releases/test_safe_sql.py",), "hostile_sql.py {corpus}", "", "asked"),
    WayIn("the network", ("faces/test_no_word_to_anyone.py",)),
)


def tested(way: WayIn) -> tuple[int, list[str]]:
    """Return how many of the tests of a way in ran, and the names of those that failed."""
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "tests.xml")
        subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "--quiet",
                "--numprocesses",
                "2",
                f"--junitxml={written}",
                *(str(_TESTS / path) for path in way.tests),
            ],
            cwd=_HERE.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        if not written.is_file():
            return 0, ["its tests did not run"]
        cases = [one for one in ET.parse(written).iter("testcase") if one.find("skipped") is None]
    failed = [one.attrib["name"] for one in cases if len(one.findall("failure") + one.findall("error"))]
    return len(cases), failed if cases else ["its tests did not run"]


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


def row_of(way: WayIn, folders: dict[str, Path], *, full: bool) -> tuple[list[str], list[str]]:
    """Return the cells of a way in, and what gave way."""
    began, ran, trials = time.monotonic(), 0, 0
    wrong: list[str] = []
    if way.tests:
        ran, wrong = tested(way)
    if way.command:
        command = way.command.format(**folders)
        trials, said = tried(f"{command} {way.full}" if full else command, way.counted)
        wrong += [said] if said else []
    took = time.monotonic() - began
    return [way.name, str(ran or "-"), str(trials or "-"), str(len(wrong)), f"{took:.0f}"], wrong


def main() -> None:
    parser = argparse.ArgumentParser(description="Try every way in that is known.")
    parser.add_argument("pdfs", type=Path)
    parser.add_argument("hostile", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--full", action="store_true", help="as many trials as were ever made: hours")
    parser.add_argument("--only", default="", help="ways in whose name has this")
    parser.add_argument("--rows", type=Path, default=Path(os.devnull), help="rows that are known, added to")
    asked = parser.parse_args()
    # Hundreds of processes are begun, and would each compile what they import.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    folders = {"pdfs": asked.pdfs, "hostile": asked.hostile, "corpus": asked.corpus}
    lines = asked.rows.read_text().splitlines() if asked.rows.exists() else []
    known = {line.split("\t")[0]: line.split("\t") for line in lines}
    ways = [one for one in _WAYS if asked.only in one.name]
    for way in ways:
        if way.name in known:
            continue
        known[way.name], wrong = row_of(way, folders, full=asked.full)
        print(*known[way.name], *wrong, sep="; ", file=sys.stderr)
        with asked.rows.open("a") as written:
            written.write("\t".join(known[way.name]) + "\n")
    rows = [known[way.name] for way in ways]
    print(markdown_table(["way in", "tests", "trials by chance", "faults", "s"], rows))
    print(f"\n{measured_on()}")
    sys.exit(any(int(faults) for *_, faults, _ in rows))


if __name__ == "__main__":
    main()
