"""What does the command line add to the bare engine? `python benchmarks/cold_start.py CORPUS`.

`pagequote quote KEY "words"` against a Python that only imports duckdb and asks for the same paragraph, each
in a new process.
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

from cases import draw_cases
from tables import markdown_table, measured_on

from lookup.release.current import current_release
from lookup.text.folding import fold

_TARGET = 2.0
_BARE = (
    "import duckdb, sys; con = duckdb.connect(sys.argv[1], read_only=True); "
    "print(con.execute('SELECT text FROM paragraphs WHERE key = ? AND contains(text_norm, ?)', "
    "sys.argv[2:]).fetchall())"
)


def measure(commands: dict[str, Sequence[str]], runs: int, bytecode: str) -> dict[str, list[float]]:
    """Milliseconds of each command, run in turn, after one run each that is not counted and leaves its
    modules compiled in the folder `bytecode`.

    As they are after any installation and first run, whatever the environment says of writing bytecode.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = bytecode
    times: dict[str, list[float]] = {name: [] for name in commands}
    for run in range(runs + 1):
        for name, command in commands.items():
            began = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
            if run:
                times[name].append(1000 * (time.perf_counter() - began))
    return times


def commands(corpus: Path) -> dict[str, Sequence[str]]:
    """Both commands, for the same words of the same paper."""
    (case,) = draw_cases(corpus, 1)
    database = str(current_release(corpus).database)
    console_script = str(Path(sys.executable).with_name("pagequote"))
    return {
        "pagequote quote": [console_script, "quote", case.key, case.words, "--corpus", str(corpus)],
        "python, duckdb, SELECT": [sys.executable, "-c", _BARE, database, case.key, fold(case.words)],
    }


def report(times: dict[str, list[float]]) -> str:
    """The table of medians, and their ratio."""
    rows = [[name, f"{median(values):.0f}", f"{min(values):.0f}"] for name, values in times.items()]
    ours, bare = (median(values) for values in times.values())
    return (
        markdown_table(["new process", "median, ms", "fastest, ms"], rows)
        + f"\n\nRatio of the medians: {ours / bare:.2f} (target: at most {_TARGET})."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the command line against the bare engine.")
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("--runs", type=int, default=10)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as bytecode:
        times = measure(commands(asked.corpus), asked.runs, bytecode)
    print(report(times) + f"\n\n{asked.runs} runs each, in turn; {measured_on()}")


if __name__ == "__main__":
    main()
