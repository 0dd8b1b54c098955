"""What does a corpus of millions of paragraphs cost those who build it and those who ask it?
`python benchmarks/scale.py FOLDER [--paragraphs N] [--shards N] [--model MODEL]`.

Made papers are published in full but for some, then night by night with one paper more, and then with 1 %
more. Each night is a process of its own, which embeds (nothing is left to embed) and publishes, and of which
processor time and memory are told too. Then questions are asked. FOLDER keeps all, so that a second run asks
alone.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

import polars as pl
from cases import Case, draw_cases
from shards import phrase
from synthetic import write_synthetic
from tables import markdown_table, measured_on, resident_mebibytes

import lookup
from lookup.embedding.model import find_model
from pipeline.work.state import SOURCES_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

_NIGHTS = 4
"""Nights with one paper, and with 1 %, so that at last a database is spare (docs/decisions/0039)."""

_PUBLISH = """
import resource, sys
from pathlib import Path
from lookup.embedding.model import find_model
from pipeline.build.stages import embed_stage, publish_stage
from pipeline.engines.local import Local
if __name__ == "__main__":
    work, corpus, shards, workers, *model = sys.argv[1:]
    engine = Local(int(workers))
    embed_stage(Path(work), find_model(model[0]) if model else None, engine)
    publish_stage(Path(work), Path(corpus), shards=int(shards), engine=engine)
    own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Prints the most memory of the process, and of the largest that it started, in KiB (Linux).

The command `publish` has no number of shards; it keeps that of the release before.
"""

_WARM_UP = 20
"""Cases that are asked for before the clock runs."""


def grow(folder: Path, paragraphs: int, shards: int, workers: int, model: str | None) -> None:
    """Make the papers, publish them night by night and print what each night cost."""

    def publish(made: Path, corpus: Path) -> None:
        work = folder / "work"
        shutil.copytree(made, work, copy_function=shutil.move)
        print(f"made in {time.monotonic() - began:.0f} s", flush=True)
        rows = nights(work, corpus, shards, workers, model)
        print(
            markdown_table(
                ["what is new", "papers", "seconds", "processor s", "MiB", "MiB of a worker"], rows
            )
        )

    began = time.monotonic()
    found = find_model(model) if model else None
    write_synthetic(folder / "corpus", paragraphs, model=found, publish=publish)


def nights(work: Path, corpus: Path, shards: int, workers: int, model: str | None) -> list[list[str]]:
    """Publish all but some papers, then these; a row for each publish."""
    all_papers = pl.read_parquet(work / SOURCES_FILE)
    # by their hash, so that new papers are spread over all parts
    some = len(all_papers) // (100 + _NIGHTS)  # 1 % of those that are there before
    late = all_papers.sort("sha256")["key"].to_list()[: _NIGHTS * (1 + some)]
    steps = [("all of them", len(late))]
    steps += [("1 paper", _NIGHTS * some + number) for number in reversed(range(_NIGHTS))]
    steps += [("1 %", number * some) for number in reversed(range(_NIGHTS))]
    steps += [("nothing", 0)]
    rows = []
    for what, missing in steps:
        held = all_papers.filter(~pl.col("key").is_in(late[:missing]))
        held.write_parquet(work / SOURCES_FILE)
        command = [sys.executable, "-c", _PUBLISH, str(work), str(corpus), str(shards), str(workers)]
        command += [model] if model else []
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        printed = process.stdout.read().split()[-2:]  # after bars of DuckDB
        most = [f"{int(one) / 1024:.0f}" for one in printed]
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"publishing {what} ended with {status}")
        seconds, busy = time.monotonic() - began, used.ru_utime + used.ru_stime
        rows.append([what, f"{len(held):,}", f"{seconds:.1f}", f"{busy:.1f}", *most])
        print(rows[-1], flush=True)
    return rows


def ask(corpus_folder: Path, count: int) -> list[list[str]]:
    """Return a row for each kind of question: median and 95th percentile in ms."""
    drawn = draw_cases(corpus_folder, count + _WARM_UP)
    words = Counter(word for case in drawn for word in case.words.split(" ") if word.isalpha())
    common = words.most_common(1)[0][0]
    calls: dict[str, Callable[[lookup.Corpus, Case], object]] = {
        "a paper asked for the first time": lambda corpus, case: corpus.quote(case.key, case.words),
        "asked again": lambda corpus, case: corpus.quote(case.key, case.words),
        "eight words in all papers": lambda corpus, case: corpus.grep(phrase(case)),
        "the commonest word, first 50 places": lambda corpus, _: corpus.grep(common),
        "one of its words, first 50 places": lambda corpus, case: corpus.grep(case.words.split(" ")[0]),
        "search by words": lambda corpus, case: corpus.search(phrase(case), mode="lexical"),
    }
    rows = []
    for name, call in calls.items():
        began = time.perf_counter()
        with lookup.open(corpus_folder) as corpus:
            call(corpus, drawn[0])
            opened = 1000 * (time.perf_counter() - began)
            for case in drawn[1:_WARM_UP]:
                call(corpus, case)
            times = []
            for case in drawn[_WARM_UP:]:
                if name == "asked again":
                    call(corpus, case)
                began = time.perf_counter()
                call(corpus, case)
                times.append(1000 * (time.perf_counter() - began))
        row = [f"{opened:.0f}", f"{median(times):.2f}", f"{quantiles(times, n=20)[-1]:.2f}"]
        rows.append([name, *row, f"{resident_mebibytes():.0f}"])
    return rows


def sizes(release: Path) -> list[list[str]]:
    """Return the bytes of each part of a release."""
    of: Counter[str] = Counter()
    for path in release.rglob("*"):
        if path.is_file():
            inner = [one for one in path.relative_to(release).parts if one != "shards" and not one.isdigit()]
            of[inner[0]] += path.stat().st_size
    return [[name, f"{size / 1e6:,.1f}"] for name, size in of.most_common() if size >= 50_000]


def main() -> None:
    parser = argparse.ArgumentParser(description="Grow a corpus of made papers, and ask it.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--paragraphs", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--model", help="with random vectors under this model's id")
    parser.add_argument("--cases", type=int, default=200)
    given = parser.parse_args()
    if not (given.folder / "corpus" / "current").exists():
        given.folder.mkdir(parents=True, exist_ok=True)
        arguments = given.folder, given.paragraphs, given.shards, given.workers, given.model
        making = get_context("fork").Process(target=grow, args=arguments)
        making.start()
        making.join()
        if making.exitcode:
            raise SystemExit("The corpus was not published.")
    print(f"{measured_on()}; {given.paragraphs:,} paragraphs in {given.shards} shards\n")
    print(markdown_table(["", "first call with opening, ms", "median, ms", "95th percentile, ms", "MiB held"],
                         ask(given.folder / "corpus", given.cases)))  # fmt: skip
    print()
    print(markdown_table(["part of the release", "MB"], sizes(given.folder / "corpus" / "current")))


if __name__ == "__main__":
    main()
