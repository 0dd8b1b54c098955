"""How long does a lookup take, and the same in a large corpus? `python benchmarks/latency.py CORPUS ...`.

The corpora (of real papers, or from `synthetic.py`) are open in one process and asked in turn, so that what
else the machine does slows all of them alike. Cases are runs of words that papers print, drawn with a fixed
seed. Then `pagequote quote` in a new process, next to a Python that only imports duckdb and selects.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles

from cases import Case, draw_cases
from tables import markdown_table, measured_on, resident_mebibytes

import lookup
from lookup.release.current import current_release
from lookup.text.folding import fold

_WARM_UP = 10
"""Cases that are asked for before the clock runs."""

_MISREAD = {"e": "c", "o": "0", "i": "l", "a": "o", "n": "ri", "s": "5", "t": "f"}

_BARE = (
    "import duckdb, sys; con = duckdb.connect(sys.argv[1], read_only=True); "
    "print(con.execute('SELECT text FROM paragraphs WHERE key = ? AND contains(text_norm, ?)', "
    "sys.argv[2:]).fetchall())"
)


def misread(words: str) -> str:
    """`words` with one in eight, and at least one, read wrong in one letter; the same for the same words."""
    parts = words.split()
    rng = random.Random(words)
    long = [i for i, word in enumerate(parts) if len(word) > 4 and word.isalpha()] or [0]
    for i in rng.sample(long, min(len(long), max(1, len(parts) // 8))):
        at = next((k for k, char in enumerate(parts[i]) if k and char in _MISREAD), 1)
        parts[i] = parts[i][:at] + _MISREAD.get(parts[i][at : at + 1], "x") + parts[i][at + 1 :]
    return " ".join(parts)


def _question(case: Case) -> str:
    """The longer words in another order: what no tier but the third can answer."""
    words = sorted({word for word in case.words.split() if len(word) > 4}, key=lambda word: word[::-1])
    return "what about " + " and ".join(words or [case.words])


Ask = Callable[[lookup.Corpus, Case], object]

WAYS: dict[str, Ask] = {
    "a quote as printed": lambda corpus, case: corpus.quote(case.key, case.words),
    "a quote, misread": lambda corpus, case: corpus.quote(case.key, misread(case.words)),
    "a quote of which no paper is named": lambda corpus, case: corpus.verify(case.words),
    "a question to one paper": lambda corpus, case: corpus.quote(case.key, _question(case)),
    "a search of one paper": lambda corpus, case: corpus.search(_question(case), keys=[case.key]),
    "a search of all papers, by words": lambda corpus, case: corpus.search(_question(case), mode="lexical"),
    "a search of all papers, hybrid": lambda corpus, case: corpus.search(_question(case), mode="hybrid"),
    "search_context": lambda corpus, case: corpus.search_context(_keywords(case)),
    "search_boolean_and": lambda corpus, case: corpus.search_boolean_and(_keywords(case)),
    "search_fuzzy": lambda corpus, case: corpus.search_fuzzy(_keywords(case)),
    "grep of four words": lambda corpus, case: corpus.grep(" ".join(case.words.split()[:4])),
}


def _keywords(case: Case) -> list[str]:
    return [word for word in case.words.split() if len(word) > 4][:3] or case.words.split()


def measure(folders: Sequence[Path], way: Ask, cases: int) -> list[str]:
    """Cells of each corpus: milliseconds of a call for a paper not asked for yet, of the same call again, and
    the KiB that were read for the first.
    """
    drawn = [draw_cases(folder, cases + _WARM_UP) for folder in folders]
    took: list[list[list[float]]] = [[[], [], []] for _ in folders]
    with ExitStack() as stack:
        corpora = [stack.enter_context(lookup.open(folder)) for folder in folders]
        for place in range(cases + _WARM_UP):
            for number in range(len(folders)) if place % 2 else reversed(range(len(folders))):
                before = _read_kibibytes()
                first = _milliseconds(corpora[number], way, drawn[number][place])
                read = _read_kibibytes() - before
                again = _milliseconds(corpora[number], way, drawn[number][place])
                for values, value in zip(took[number], (first, again, read), strict=True):
                    values.extend([value] if place >= _WARM_UP else [])
    return [
        cell for first, again, read in took for cell in (_shown(first), _shown(again), f"{median(read):.0f}")
    ]


def _milliseconds(corpus: lookup.Corpus, way: Ask, case: Case) -> float:
    began = time.perf_counter()
    way(corpus, case)
    return 1000 * (time.perf_counter() - began)


def _read_kibibytes() -> float:
    """What this process has read from files by now, of the disk or of the system's memory (Linux)."""
    return int(Path("/proc/self/io").read_text().split()[1]) / 1024


def _shown(values: Sequence[float]) -> str:
    return f"{median(values):.2f} ({quantiles(values, n=20)[-1]:.2f})"


def in_new_processes(corpus: Path, runs: int) -> str:
    """The table of `pagequote quote` and of the bare engine, run in turn, as after a first run: compiled."""
    (case,) = draw_cases(corpus, 1)
    database = str(current_release(corpus).database)
    console_script = str(Path(sys.executable).with_name("pagequote"))
    commands: Mapping[str, Sequence[str]] = {
        "pagequote quote": [console_script, "quote", case.key, case.words, "--corpus", str(corpus)],
        "python, duckdb, SELECT": [sys.executable, "-c", _BARE, database, case.key, fold(case.words)],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    with tempfile.TemporaryDirectory() as bytecode:
        environment = os.environ | {"PYTHONPYCACHEPREFIX": bytecode}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for run in range(runs + 1):
            for name, command in commands.items():
                began = time.perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
                times[name] += [1000 * (time.perf_counter() - began)] if run else []
    rows = [[name, f"{median(values):.0f}", f"{min(values):.0f}"] for name, values in times.items()]
    ours, bare = (median(values) for values in times.values())
    table = markdown_table(["new process", "median, ms", "fastest, ms"], rows)
    return f"{table}\n\nRatio of the medians: {ours / bare:.2f}."


def main() -> None:
    parser = argparse.ArgumentParser(description="Time lookups in one corpus or several.")
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--runs", type=int, default=10, help="new processes of each kind; 0 for none")
    asked = parser.parse_args()
    head = ["median (95th percentile), ms"]
    for path in asked.corpora:
        with lookup.open(path) as corpus:
            [(papers, paragraphs)] = corpus.sql("SELECT count(*), sum(paragraphs) FROM papers").fetchall()
        head += [f"{papers:,} papers, {paragraphs:,} paragraphs: first", "again", "KiB read first"]
    rows = []
    for name, way in WAYS.items():
        try:
            rows.append([name, *measure(asked.corpora, way, asked.cases)])
        except lookup.PageQuoteError as error:
            print(f"{name}: {error}", file=sys.stderr)
    print(markdown_table(head, rows))
    print(f"\n{asked.cases} cases each, in turn; the process holds {resident_mebibytes():.0f} MiB.\n")
    if asked.runs:
        print(in_new_processes(asked.corpora[0], asked.runs))
    print(f"\nload {os.getloadavg()[0]:.1f}; {measured_on()}")


if __name__ == "__main__":
    main()
