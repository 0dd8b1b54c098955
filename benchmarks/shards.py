"""What do shards cost readers, and gain builds? `python benchmarks/shards.py FOLDER [--paragraphs N]
[--shards N]`.

The same made papers are published in one piece by one worker, in shards by one worker and in shards by two.
Then the same questions go to the corpus in one piece and to the one in shards, in turn. FOLDER keeps both
corpora for another run.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles

from cases import Case, draw_cases
from synthetic import write_synthetic
from tables import markdown_table, measured_on

import lookup
from pipeline.builds.stages import publish_stage
from pipeline.engines.local import Local

_WARM_UP = 20
"""Cases that are asked for before the clock runs."""


def publish(folder: Path, shards: int, work: Path, _: Path) -> None:
    """Publish what is in `work` in one piece and in shards, and print the seconds of each."""
    for name, number, workers in (("one", 1, 1), ("by one", shards, 1), ("shards", shards, 2)):
        began = time.perf_counter()
        (work / "corpus.json").unlink(missing_ok=True)
        publish_stage(work, folder / name, shards=number, engine=Local(workers))
        print(f"{number} shards, {workers} workers: {time.perf_counter() - began:.1f} s", flush=True)


def asked(
    corpora: dict[str, lookup.Corpus],
    ask: Callable[[lookup.Corpus, Case], object],
    cases: list[Case],
    *,
    again: bool = False,
) -> list[str]:
    """Return median and 95th percentile of the milliseconds of a call, or of the call after it, in each
    corpus.
    """
    times: dict[str, list[float]] = {name: [] for name in corpora}
    for case in cases:
        for name, corpus in corpora.items():
            if again:
                ask(corpus, case)
            began = time.perf_counter()
            ask(corpus, case)
            times[name].append(1000 * (time.perf_counter() - began))
    return [f"{median(one):.2f} ({quantiles(one, n=20)[-1]:.2f})" for one in times.values()]


def phrase(case: Case) -> str:
    """Return the first eight words of a case."""
    return " ".join(case.words.split(" ")[:8])


def main() -> None:
    parser = argparse.ArgumentParser(
        description="Compare a corpus in shards with the same papers in one piece."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--paragraphs", type=int, default=1_000_000)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--cases", type=int, default=200)
    given = parser.parse_args()
    if not (given.folder / "shards").exists():
        given.folder.mkdir(parents=True, exist_ok=True)
        write_synthetic(
            given.folder / "one", given.paragraphs, publish=partial(publish, given.folder, given.shards)
        )
    drawn = draw_cases(given.folder / "one", given.cases + _WARM_UP)
    first, cases = drawn[:_WARM_UP], drawn[_WARM_UP:]
    corpora = {name: lookup.open(given.folder / name) for name in ("one", "shards")}
    calls: dict[str, Callable[[lookup.Corpus, Case], object]] = {
        "a paper asked for the first time": lambda corpus, case: corpus.quote(case.key, case.words),
        "asked again": lambda corpus, case: corpus.quote(case.key, case.words),
        "eight words in all papers": lambda corpus, case: corpus.grep(phrase(case)),
        "one of its words, first 50 places": lambda corpus, case: corpus.grep(case.words.split(" ")[0]),
        "search by words": lambda corpus, case: corpus.search(phrase(case), mode="lexical"),
    }
    rows = []
    for name, ask in calls.items():
        asked(corpora, ask, first)
        rows.append([name, *asked(corpora, ask, cases, again=name == "asked again")])
    print(f"{measured_on()}; {given.paragraphs:,} paragraphs, median (95th percentile), ms\n")
    print(markdown_table(["", "in one piece", f"in {given.shards} shards"], rows))


if __name__ == "__main__":
    main()
