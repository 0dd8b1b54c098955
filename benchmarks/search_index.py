"""What does the index of words cost? `python benchmarks/search_index.py CORPUS ...`.

For each corpus: its index made from nothing, then taken over with 1 % of the papers changed (which are said
to be of other extractions, so that their paragraphs are deleted and come again), and the index's size.
"""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb
from tables import markdown_table, measured_on

from lookup.index.layout import FOLDER
from lookup.release.current import DATABASE, Release, current_release
from pipeline.publish.search_index import write_search_index

_CHANGED = 0.01


def measure(corpus: Path, scratch: Path) -> list[str]:
    """Papers, paragraphs, seconds from nothing and with little changed, and the size of the index."""
    release = current_release(corpus)
    with duckdb.connect(str(release.database), read_only=True) as connection:
        keys = [key for (key,) in connection.execute("SELECT key FROM papers ORDER BY key").fetchall()]
    first, second = (scratch / name for name in ("first", "second"))
    for folder in (first, second):
        folder.mkdir()
        (folder / DATABASE).symlink_to(release.database)
    sources: list[dict[str, Any]] = [{"key": key, "record": key} for key in keys]
    began = time.perf_counter()
    said = write_search_index(first, sources, "benchmark", None)
    from_nothing = time.perf_counter() - began
    step = int(1 / _CHANGED)
    changed = [one | {"record": "new"} if i % step == 0 else one for i, one in enumerate(sources)]
    began = time.perf_counter()
    write_search_index(second, changed, "benchmark", Release(first, {"search": said}))
    taken_over = time.perf_counter() - began
    size = sum(path.stat().st_size for path in (first / FOLDER).iterdir())
    documents = said["documents"]
    return [
        f"{len(keys):,}",
        f"{documents:,}",
        f"{from_nothing:.1f}",
        f"{taken_over:.2f}",
        f"{size / 2**20:.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the index of words.")
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    rows = []
    for corpus in parser.parse_args().corpora:
        scratch = Path(tempfile.mkdtemp(dir=corpus))
        try:
            rows.append(measure(corpus, scratch))
        finally:
            shutil.rmtree(scratch)
    head = ["papers", "paragraphs", "s from nothing", f"s with {_CHANGED:.0%} changed", "MiB"]
    print(markdown_table(head, rows))
    print(f"\nload {os.getloadavg()[0]:.1f}; {measured_on()}")


if __name__ == "__main__":
    main()
