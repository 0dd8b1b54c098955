"""How much memory does the build's process take for each paper, to plan a release in shards?
`python benchmarks/plan_memory.py FOLDER [--papers N ...] [--shards N]`.

Sources are made, all with the same extraction. A publish of them in a process of its own goes as far as the
tasks that write the shards, which are not done. FOLDER is made, and removed.
"""

import argparse
import hashlib
import os
import random
import shutil
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path

import polars as pl
from synthetic import write_synthetic
from tables import markdown_table, measured_on

from pipeline.engines.local import Local
from pipeline.extractor import EXTRACTOR
from pipeline.publish.publish import publish
from pipeline.work.extraction_cache import records_folder
from pipeline.work.state import SOURCES_FILE
from pipeline.work.tasks import Done, Each, Task

_ROW_GROUP = 4096
"""Rows, as a build writes them."""

_LINKS = 50_000
"""Names of a file; ext4 allows 65,000."""


class PlannedError(Exception):
    """All tasks are known."""


def make_sources(work: Path, papers: int) -> None:
    """Leave the state of so many papers in `work`, each with a title, an abstract and its own extraction."""
    folder = records_folder(work, EXTRACTOR)
    (record,) = folder.glob("*/*.arrow")
    one = pl.read_parquet(work / SOURCES_FILE)
    drawn = random.Random(1)
    rows = []
    for number in range(papers):
        sha256 = hashlib.sha256(str(number).encode()).hexdigest()
        (folder / sha256[:2]).mkdir(exist_ok=True)
        path = folder / sha256[:2] / f"{sha256}.arrow"
        if number % _LINKS:
            os.link(record, path)
        else:
            record = shutil.copyfile(record, path)
        rows.append(
            {
                "key": f"maker{number}",
                "path": f"/made/{number}.pdf",
                "sha256": sha256,
                "bytes": 1_000_000,
                "record": f"{sha256[:2]}/{sha256}.arrow",
                "title": f"On the made words of paper {number}, which is one of very many papers",
                "authors": [f"Maker, {number}"],
                "year": 2026,
                "abstract": drawn.randbytes(400).hex(),
            }
        )
    made = pl.DataFrame(rows, schema_overrides=one.schema).sort("key")
    pl.concat([one, made], how="diagonal")[1:].write_parquet(work / SOURCES_FILE, row_group_size=_ROW_GROUP)


def plan(work: Path, corpus: Path, shards: int) -> None:
    """Publish as far as the tasks that write the shards, and print the memory that it took (Linux)."""
    with Local(2).side_by_side() as each:
        before = _most()
        try:
            publish(work, corpus, EXTRACTOR, shards=shards, each=_until_written(each))
        except PlannedError:
            (work / "memory").write_text(f"{before} {_most()}")


def _until_written(each: Each) -> Each:
    def done(function: Callable[[Task], Done], tasks: Sequence[Task], /) -> Sequence[Done]:
        if function.__name__ == "make_papers":
            return each(function, tasks)
        raise PlannedError

    return done


def _most() -> int:
    """Return the most memory that this process has had, in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def measure(folder: Path, papers: int, shards: int) -> list[str]:
    """Return a row: papers, MiB before the publish, at most, and what the publish took."""
    work = folder / "work"
    spawn = get_context("spawn")
    write_synthetic(folder / "one", 1, publish=lambda made, _: shutil.copytree(made, work))
    for function, given in ((make_sources, (work, papers)), (plan, (work, folder / "corpus", shards))):
        process = spawn.Process(target=function, args=given)
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(f"{function.__name__} ended with {process.exitcode}")
    before, after = map(int, (work / "memory").read_text().split())
    shutil.rmtree(folder)
    return [f"{papers:,}", *(f"{size / 1024:.0f}" for size in (before, after, after - before))]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the plan of a publish in shards.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--papers", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--shards", type=int, default=4)
    given = parser.parse_args()
    rows = [measure(given.folder, papers, given.shards) for papers in given.papers]
    print(f"{measured_on()}; {given.shards} shards\n")
    print(markdown_table(["papers", "MiB before", "MiB at most", "MiB for the plan"], rows))


if __name__ == "__main__":
    main()
