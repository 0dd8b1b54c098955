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
from pipeline.releases.history import KEPT
from pipeline.work.state import SOURCES_FILE

if TYPE_CHECKING:
    from collections.abc import Callable

_PUBLISH = """
import resource, sys
from pathlib import Path
from lookup.embedding.model import find_model
from pipeline.builds.stages import embed_stage, publish_stage
from pipeline.engines.local import Local
from pipeline.publish import publish
if __name__ == "__main__":
    work, corpus, shards, workers, kept, *model = sys.argv[1:]
    publish.KEPT = int(kept)
    engine = Local(int(workers))
    embed_stage(Path(work), find_model(model[0]) if model else None, engine)
    publish_stage(Path(work), Path(corpus), shards=int(shards), engine=engine)
    own = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Prints the most memory of the process, and of the largest that it started, in KiB (Linux).

The command `publish` has no number of shards; it keeps that of the release before.
"""

_FIRST = 50
"""Places that grep gives: of a sentence that many made papers have in common it reads so many."""

_WARM_UP = 20
"""Cases that are asked for before the clock runs."""


def make(folder: Path, paragraphs: int, model: str | None) -> None:
    """Leave the extractions and vectors of made papers in the work folder."""

    def keep(made: Path, _: Path) -> None:
        shutil.copytree(made, folder / "work", copy_function=shutil.move)

    began = time.monotonic()
    write_synthetic(folder / "corpus", paragraphs, model=find_model(model) if model else None, publish=keep)
    print(f"made in {time.monotonic() - began:.0f} s", flush=True)


def nights(folder: Path, given: argparse.Namespace) -> list[list[str]]:
    """Publish all but some papers, then these; a row for each publish.

    With so many nights of a kind that the last one changes files of a release that was removed
    (docs/decisions/0039-a-release-by-difference.md).
    """
    work, count = folder / "work", given.kept + 1
    all_papers = pl.read_parquet(work / SOURCES_FILE)
    # by their hash, so that new papers are spread over all parts
    some = len(all_papers) // (100 + count)  # 1 % of those that are there before
    late = all_papers.sort("sha256")["key"].to_list()[: count * (1 + some)]
    steps = [("all of them", len(late))]
    steps += [("1 paper", count * some + number) for number in reversed(range(count))]
    steps += [("1 %", number * some) for number in reversed(range(count))]
    steps += [("nothing", 0)]
    rows = []
    for what, missing in steps:
        held = all_papers.filter(~pl.col("key").is_in(late[:missing]))
        held.write_parquet(work / SOURCES_FILE)
        options = [given.shards, given.workers, given.kept, *([given.model] if given.model else [])]
        command = [sys.executable, "-c", _PUBLISH, str(work), str(folder / "corpus"), *map(str, options)]
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
            times, few = [], []
            for case in drawn[_WARM_UP:]:
                if name == "asked again":
                    call(corpus, case)
                began = time.perf_counter()
                found = call(corpus, case)
                times.append(1000 * (time.perf_counter() - began))
                if isinstance(found, tuple) and len(found) < _FIRST:
                    few.append(times[-1])
        held = f"{resident_mebibytes():.0f}"
        rows.append([name, f"{opened:.0f}", *_median_and_most(times), held])
        if 1 < len(few) < len(times):
            rows.append([f"those {len(few)} that stand in fewer places", "", *_median_and_most(few), ""])
    return rows


def _median_and_most(times: list[float]) -> list[str]:
    return [f"{median(times):.2f}", f"{quantiles(times, n=20)[-1]:.2f}"]


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
    parser.add_argument("--kept", type=int, default=KEPT, help="releases that stay on the disk")
    parser.add_argument("--cases", type=int, default=200)
    given = parser.parse_args()
    if not (given.folder / "work").exists():
        given.folder.mkdir(parents=True, exist_ok=True)
        making = get_context("fork").Process(target=make, args=(given.folder, given.paragraphs, given.model))
        making.start()
        making.join()
        if making.exitcode:
            raise SystemExit("The papers were not made.")
    if not (given.folder / "corpus" / "current").exists():
        heads = ["what is new", "papers", "seconds", "processor s", "MiB", "MiB of a worker"]
        print(markdown_table(heads, nights(given.folder, given)))
    print(f"{measured_on()}; {given.paragraphs:,} paragraphs in {given.shards} shards\n")
    print(markdown_table(["", "first call with opening, ms", "median, ms", "95th percentile, ms", "MiB held"],
                         ask(given.folder / "corpus", given.cases)))  # fmt: skip
    print()
    print(markdown_table(["part of the release", "MB"], sizes(given.folder / "corpus" / "current")))


if __name__ == "__main__":
    main()
