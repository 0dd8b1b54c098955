"""What does a night cost in which little is new?
`python benchmarks/nightly.py FOLDER [--papers 1000 10000] [--model MODEL] [--made]`.

The library has as many papers as asked for: the PDFs of FOLDER over and over, each copy with a comment of its
own at its end, so that no two files have the same bytes. It is built once in full; then come nights with
nothing new, one and ten papers new, ten renamed and ten deleted. Each build is a process of its own, its
start included. Nights that are not told come first, until a database is spare (docs/decisions/0039).

With --made no copy is read: FOLDER is built once by itself, and each further paper is a file of a few bytes
that has the extraction of one of its papers. So 10,000 papers cost minutes, and a night with new papers costs
what it costs beyond reading them.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median
from string import ascii_lowercase
from typing import TYPE_CHECKING

from tables import markdown_table, measured_on

from pipeline.builds.extract_sources import extract_sources
from pipeline.builds.stages import available_workers
from pipeline.builds.survey import BuildSettings
from pipeline.engines.local import Local
from pipeline.extractor import EXTRACTOR
from pipeline.work.extraction_cache import records_folder

if TYPE_CHECKING:
    from collections.abc import Callable

_TIMES = 3
"""Nights of each kind; the median is told."""

_BEFORE = 4
"""Nights before these: as many as releases are kept, and one more."""


@dataclass(frozen=True)
class Night:
    """What was new, how long the build took, of how many processor seconds, and how many PDFs it read."""

    what: str
    seconds: float
    busy: float
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
            self._made += 1
            data = self._next() + b"\n%% copy %d\n" % self._made
            (self._root / "pdfs" / f"{_name(self._made)}.pdf").write_bytes(data)
            self._keep(hashlib.sha256(data).hexdigest())

    def _next(self) -> bytes:
        return next(self._pdfs).read_bytes()

    def _keep(self, sha256: str) -> None:
        """Nothing is known of a copy."""

    def leave(self, papers: int) -> None:
        """Nothing is new."""

    def rename(self, papers: int) -> None:
        for path in self._first(papers):
            self._made += 1
            path.rename(path.with_stem(_name(self._made)))

    def delete(self, papers: int) -> None:
        for path in self._first(papers):
            path.unlink()

    def build(self, what: str, target: float | None = None) -> Night:
        command = [sys.executable, "-c", "from pagequote.cli import main; main()", "build", "pdfs"]
        command += ["--corpus", "corpus", "--metrics", "metrics.json", "--quiet"]
        command += ["--model", self._model] if self._model else []
        began = time.monotonic()
        process = subprocess.Popen(command, cwd=self._root, stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        if status:
            raise SystemExit(f"The build ended with {status}: {what}")
        seconds, busy = time.monotonic() - began, used.ru_utime + used.ru_stime
        said = json.loads((self._root / "metrics.json").read_text())
        return Night(what, seconds, busy, said["extracted"]["papers"], said["rows"]["papers"], target)

    def _first(self, papers: int) -> list[Path]:
        """Return some of the papers, of all letters."""
        found = sorted((self._root / "pdfs").iterdir())
        return found[:: max(1, len(found) // papers)][:papers]


class MadeLibrary(Library):
    """The same of files of a few bytes, each with the extraction of a paper of `folder`, which is read
    first.
    """

    def __init__(self, root: Path, folder: Path, model: str | None) -> None:
        super().__init__(root, folder, model)
        extract_sources(BuildSettings([folder], (), root / "read"), Local(available_workers()))
        self._records = cycle(sorted(records_folder(root / "read", EXTRACTOR).glob("*/*.arrow")))

    def _next(self) -> bytes:
        return b"%PDF-1.4"

    def _keep(self, sha256: str) -> None:
        record = next(self._records)
        kept = records_folder(self._root / "work", EXTRACTOR) / sha256[:2] / f"{sha256}{record.name[64:]}"
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.hardlink_to(record)


def _name(number: int) -> str:
    """Return a name that can be cited; names are in another order than their numbers."""
    digest = hashlib.sha256(str(number).encode()).digest()
    return f"{ascii_lowercase[digest[0] % 26]}{digest.hex()[2:6]}n{number}y2020"


def measure(library: Library, papers: int) -> list[Night]:
    """All nights, the full build first."""
    library.add(papers)
    full = library.build("all")
    for _ in range(_BEFORE):
        library.add(1)
        library.build("one paper new")
    kinds: dict[str, tuple[Callable[[int], None], int, float]] = {
        "nothing": (library.leave, 0, 1.5),
        "1 paper new": (library.add, 1, 1.0),
        "10 papers new": (library.add, 10, 2.5),
        "10 papers renamed": (library.rename, 10, 2.0),
        "10 papers deleted": (library.delete, 10, 2.0),
    }
    nights = [full]
    for what, (change, some, target) in kinds.items():
        same = []
        for _ in range(_TIMES):
            change(some)
            same.append(library.build(what, target))
        seconds, busy = median(n.seconds for n in same), median(n.busy for n in same)
        nights.append(Night(what, seconds, busy, same[-1].read, same[-1].papers, target))
    return nights


def report(nights: list[Night]) -> str:
    """The table of all nights."""
    full = nights[0].busy
    rows = [
        [
            night.what,
            str(night.papers),
            str(night.read),
            f"{night.seconds:.2f}",
            f"{night.busy:.2f}",
            f"{100 * night.busy / full:.1f} %",
            f"{night.target:.2f}" if night.target else "",
        ]
        for night in nights
    ]
    return markdown_table(
        [
            "what is new",
            "papers",
            "PDFs read",
            "seconds",
            "processor s",
            "of a full build's",
            "at most, beyond reading",
        ],
        rows,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Time nights in which little is new.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="PDFs, to any depth")
    parser.add_argument(
        "--papers", type=int, nargs="+", default=[1000], help="sizes of the library, one after another"
    )
    parser.add_argument("--model", help="make vectors too")
    parser.add_argument("--made", action="store_true", help="papers made of extractions, which are not read")
    parser.add_argument("--keep", type=Path, help="a folder to build in, which is kept")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for papers in asked.papers:
            root = (asked.keep or Path(temporary)) / str(papers)
            root.mkdir(parents=True, exist_ok=True)
            library = (MadeLibrary if asked.made else Library)(root, asked.folder, asked.model)
            print(report(measure(library, papers)), end="\n\n", flush=True)
    print(f"Medians of {_TIMES} nights, but for the full build. {measured_on()}")


if __name__ == "__main__":
    main()
