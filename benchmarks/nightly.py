"""What does a night cost in which little is new? `python benchmarks/nightly.py FOLDER [--papers 1000] [--model MODEL]`.

The library has as many papers as asked for: the PDFs of FOLDER over and over, each copy with a comment of its own at its end, so that no two files
have the same bytes. It is built once in full; then come nights with nothing new, a hundredth new, renamed and deleted. Each build is a process
of its own, its start included.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median

from tables import markdown_table, measured_on

_TIMES = 3
"""Nights of each kind; the median is told."""


@dataclass(frozen=True)
class Night:
    """What was new, how long the build took, and how many PDFs it read."""

    what: str
    seconds: float
    read: int
    papers: int
    target: float | None


class Library:
    """PDFs in `root`, and its corpus."""

    def __init__(self, root: Path, folder: Path, model: str | None) -> None:
        self._root, self._model = root, model
        self._pdfs = cycle(sorted(folder.rglob("*.pdf")))
        self._made = 0
        (root / "pdfs").mkdir()

    def add(self, papers: int) -> None:
        for _ in range(papers):
            data = next(self._pdfs).read_bytes()
            self._made += 1
            (self._root / "pdfs" / f"paper{self._made}.pdf").write_bytes(
                data + b"\n%% copy %d\n" % self._made
            )

    def leave(self, papers: int) -> None:
        """Nothing is new."""

    def rename(self, papers: int) -> None:
        for path in self._first(papers):
            self._made += 1
            path.rename(path.with_stem(f"renamed{self._made}"))

    def delete(self, papers: int) -> None:
        for path in self._first(papers):
            path.unlink()

    def build(self, what: str, target: float | None = None) -> Night:
        command = [sys.executable, "-c", "from lookup.cli import main; main()", "build", "pdfs"]
        command += ["--corpus", "corpus", "--metrics", "metrics.json", "--quiet"]
        command += ["--model", self._model] if self._model else []
        began = time.monotonic()
        subprocess.run(command, cwd=self._root, check=True, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - began
        said = json.loads((self._root / "metrics.json").read_text())
        return Night(what, seconds, said["extracted"]["papers"], said["rows"]["papers"], target)

    def _first(self, papers: int) -> list[Path]:
        return sorted((self._root / "pdfs").iterdir())[:papers]


def measure(library: Library, papers: int) -> list[Night]:
    """All nights, the full build first."""
    library.add(papers)
    full = library.build("all")
    some = max(1, papers // 100)
    allowed = full.seconds * 0.05 + 2
    kinds = {
        "nothing": (library.leave, 2.0),
        f"{some} papers new": (library.add, allowed),
        f"{some} papers renamed": (library.rename, None),
        f"{some} papers deleted": (library.delete, None),
    }
    nights = [full]
    for what, (change, target) in kinds.items():
        same = []
        for _ in range(_TIMES):
            change(some)
            same.append(library.build(what, target))
        middle = median(night.seconds for night in same)
        nights.append(Night(what, middle, same[-1].read, same[-1].papers, target))
    return nights


def report(nights: list[Night]) -> str:
    """The table of all nights."""
    full = nights[0].seconds
    rows = [
        [
            night.what,
            str(night.papers),
            str(night.read),
            f"{night.seconds:.2f}",
            f"{100 * night.seconds / full:.1f} %",
            f"{night.target:.2f}" if night.target else "",
        ]
        for night in nights
    ]
    return markdown_table(
        ["what is new", "papers", "PDFs read", "seconds", "of a full build", "at most"], rows
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Time nights in which little is new.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="PDFs, to any depth")
    parser.add_argument("--papers", type=int, default=1000)
    parser.add_argument("--model", help="make vectors too")
    parser.add_argument("--keep", type=Path, help="a folder to build in, which is kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = asked.keep or Path(temporary)
        root.mkdir(parents=True, exist_ok=True)
        nights = measure(Library(root, asked.folder, asked.model), asked.papers)
    print(report(nights))
    print(f"\nMedians of {_TIMES} nights, but for the full build. {measured_on()}")


if __name__ == "__main__":
    main()
