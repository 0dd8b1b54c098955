"""Does a quote by key cost the same in a large corpus as in a small one?
`python benchmarks/lookup_by_key.py [--folder CACHE]`.

All corpora are open in one process and asked in turn, so that what else the machine does slows both alike.
Each case is asked for twice: of a paper that the Corpus has not seen (over a database that is open and has
answered others), and again.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

from cases import Case, draw_cases
from synthetic import write_synthetic
from tables import markdown_table, measured_on, resident_mebibytes

import lookup

_SIZES = {"10k": 10_000, "1m": 1_000_000, "10m": 10_000_000}
_WARM_UP = 20
"""Cases that are asked for before the clock runs."""

_TARGET = "median at most 3 ms, ratio at most 1.5"


@dataclass
class Timings:
    """Milliseconds by whether the paper was asked for before, and the KiB that were read from files for the
    first answer.
    """

    first: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)


def measure(folders: dict[str, Path], count: int) -> dict[str, Timings]:
    """`count` cases in each corpus, in turn; raises SystemExit where one is not answered verbatim."""
    cases = {name: draw_cases(folder, count + _WARM_UP) for name, folder in folders.items()}
    # While these are open, a Corpus opened beside them shares their database but not the papers they hold.
    opened = [lookup.open(folder) for folder in folders.values()]
    timings = {name: Timings() for name in folders}
    for place in range(count + _WARM_UP):
        order = list(folders) if place % 2 else list(reversed(folders))
        for name in order:
            with lookup.open(folders[name]) as corpus:
                before = _read_kibibytes()
                first = _milliseconds(corpus, cases[name][place])
                read = _read_kibibytes() - before
                again = _milliseconds(corpus, cases[name][place])
            if place >= _WARM_UP:
                timings[name].first.append(first)
                timings[name].again.append(again)
                timings[name].read.append(read)
    for corpus in opened:
        corpus.close()
    return timings


def _milliseconds(corpus: lookup.Corpus, case: Case) -> float:
    began = time.perf_counter()
    answer = corpus.quote(case.key, case.words)
    took = 1000 * (time.perf_counter() - began)
    if not answer or (answer.matches[0].tier, answer.matches[0].verdict) != (1, "verbatim"):
        raise SystemExit(f"{case} has no verbatim answer: {answer.hint}")
    return took


def _read_kibibytes() -> float:
    """What this process has read from files by now, whether the disk or the system's memory had it
    (Linux).
    """
    return int(Path("/proc/self/io").read_text().split()[1]) / 1024


def report(timings: dict[str, Timings]) -> str:
    """The table of medians and 95th percentiles, and the ratio of the medians (last corpus to first)."""
    head = [
        "a paper asked for",
        *(f"{_SIZES[name]:,} paragraphs: median (95th percentile), ms" for name in timings),
        "ratio",
    ]
    rows = []
    for label, what in (("the first time", "first"), ("again", "again")):
        lists = [getattr(each, what) for each in timings.values()]
        shown = [f"{median(values):.2f} ({quantiles(values, n=20)[-1]:.2f})" for values in lists]
        rows.append([label, *shown, f"{median(lists[-1]) / median(lists[0]):.2f}"])
    read = [median(each.read) for each in timings.values()]
    rows.append(["KiB read for it the first time, median", *(f"{one:.0f}" for one in read), ""])
    return markdown_table(head, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time quotes by key in a small and a large corpus.")
    parser.add_argument(
        "--folder", type=Path, help="where the corpora are kept  [default: a temporary folder]"
    )
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--sizes", nargs="+", choices=list(_SIZES), default=["10k", "1m"])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        folders = {name: folder / name for name in asked.sizes}
        for name, path in folders.items():
            if not path.exists():
                write_synthetic(path, _SIZES[name])
        timings = measure(folders, asked.cases)
        print(report(timings))
    print(
        f"\n{asked.cases} cases each, in turn; target: {_TARGET}. The process with all corpora open holds "
        f"{resident_mebibytes():.0f} MiB.\n\n{measured_on()}"
    )


if __name__ == "__main__":
    main()
