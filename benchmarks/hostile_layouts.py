"""Does a writer leave a stranger's folder? `python benchmarks/hostile_layouts.py [--layouts 200] [--seed 1]`.

A corpus and its work folder get links, queues, sockets, folders and files in place of one another, at any
depth, and names with paths; then build, add, remove, gc, use and highlight run over them. Beside them lies a
tree of somebody's own: what changes there is counted, and so are tracebacks and what does not end.
"""

import argparse
import json
import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, os.environ.get("PAGEQUOTE_TREE", str(Path(__file__).resolve().parents[1])))

from lookup.errors import PageQuoteError
from pagequote.cli import main as _main  # noqa: F401  # loaded before the forks
from pagequote.cli.commands import pagequote
from pipeline.builds.add_paper import add_paper, remove_paper
from pipeline.builds.garbage import collect_garbage
from pipeline.extractor import EXTRACTOR
from pipeline.releases.history import rollback
from pipeline.work.outcomes import Limits
from tests.support.builds import InProcess, build
from tests.support.pdfs import pdf

_SECONDS = 120  # For all commands over one layout, on a busy machine; a queue that is opened never ends.

_NEW = (
    *("corpus/releases/r", "corpus/releases/r000000-a", "corpus/releases/recipes", "corpus/.tmp-a"),
    *("corpus/held", "corpus/.tmp-current", "work/.tmp-a", "work/extracted/old"),
    *(f"work/extracted/{EXTRACTOR}/ab", "work/vectors", "work/vectors/a", "work/added", "work/staged"),
)
"""Paths that a release and its work folder need not have, and that commands sweep, write or read."""


_build: Any = build
_in_process: Any = InProcess


def prepare(home: Path) -> int:
    """Publish two releases of two papers in `home`, and try to add a third."""
    (home / "papers").mkdir(parents=True)
    for name in ("feng2022", "recipe"):
        (home / f"papers/{name}.pdf").write_bytes(pdf(f"A paper, {name}, that is read and published."))
    (home / "late.pdf").write_bytes(pdf("A paper that is added one by one."))
    for forced in (False, True):
        _build([home / "papers"], home, corpus=home / "corpus", work=home / "work", force=forced)
    with suppress(PageQuoteError):
        _commands(home)["add"]()
    return 0


def outside(folder: Path) -> None:
    """Make a tree of somebody's own."""
    for name in ("recipes", "reports", ".tmp-mine", "r000000-mine", "extracted", f"{EXTRACTOR}/ab", "added"):
        (folder / name).mkdir(parents=True)
        (folder / name / "mine.pdf").write_bytes(pdf("A thesis of which there is one copy."))
    for name in ("build.lock", "library.json", "corpus.duckdb", "manifest.json", "keys", "mine.npy"):
        (folder / name).write_text("mine")


def _tree(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    def of(path: Path) -> bytes | str:
        return str(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else ""

    return {str(path.relative_to(folder)): (path.lstat().st_mode, of(path)) for path in folder.rglob("*")}


def change(home: Path, beside: Path, chance: random.Random) -> str:
    """Put something else in the place of one path; return what was done."""
    there = [str(path.relative_to(home)) for top in ("corpus", "work") for path in (home / top).rglob("*")]
    name = chance.choice([*there, *_NEW, "corpus", "work"])
    path = home / name
    targets = [beside, *beside.iterdir(), *beside.glob("*/*")]
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
    target = chance.choice(targets)
    kind = chance.choice(
        ["link"] * 5 + ["relative link"] * 3 + ["hard link", "queue", "socket", "folder", "file"]
    )
    with suppress(OSError):
        if kind == "link":
            path.symlink_to(target)
        elif kind == "relative link":
            path.symlink_to(os.path.relpath(target, path.parent))
        elif kind == "hard link":
            os.link(chance.choice([one for one in targets if one.is_file()]), path)
        elif kind == "queue":
            os.mkfifo(path)
        elif kind == "socket":
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(os.path.relpath(path))
        elif kind == "folder":
            path.mkdir()
        else:
            path.write_bytes(chance.randbytes(chance.choice([0, 40, 4_000])))
    return f"{name}: {kind} to {target.name}"


def _added(home: Path, beside: Path, chance: random.Random) -> str:
    """Have the library of added papers name a file elsewhere."""
    named = chance.choice(
        [f"{beside}/recipes/mine.pdf", "../../../outside/recipes/mine.pdf", "a/../../x.pdf"]
    )
    item = {"id": "late", "citation-key": "late", "type": "article", "file": named, "title": "P"}
    with suppress(OSError):
        (home / "work/added").mkdir(exist_ok=True)
        (home / "work/added/library.json").write_text(json.dumps([item]))
    return f"library.json: {named}"


def _commands(home: Path) -> dict[str, Callable[[], object]]:
    corpus, work = home / "corpus", home / "work"
    add = (home / "late.pdf", "late", (), work, corpus, Limits())
    highlight = [
        "highlight",
        "feng2022",
        "that is read",
        "--corpus",
        str(corpus),
        "--out",
        str(home / "marked"),
    ]
    return {
        "build": lambda: _build([home / "papers"], home, corpus=corpus, work=work),
        "add": lambda: add_paper(*add, engine=_in_process()),
        "remove": lambda: remove_paper("late", work, corpus),
        "gc": lambda: collect_garbage(corpus, work, keep=1),
        "use": lambda: rollback(corpus),
        "highlight": lambda: pagequote.main(highlight, standalone_mode=False),
    }


def _run(home: Path) -> int:
    """Run all commands; return 1 after a traceback, else 0. It is the whole of a process."""
    os.chdir(home)
    signal.alarm(_SECONDS)
    crashed = 0
    for name, command in _commands(home).items():
        try:
            command()
        except PageQuoteError:
            pass
        except SystemExit:
            pass
        except Exception as error:  # noqa: BLE001  # counted
            crashed = 1
            sys.stderr.write(f"  {name}: {type(error).__name__}: {error}\n")
            sys.stderr.write("".join(traceback.format_tb(error.__traceback__)[-2:]))
    return crashed


def _in_a_fork(work: Callable[[], int]) -> int:
    """Return the exit code of a process that does the work: this one has begun no thread."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os._exit(work())


def main() -> None:
    """Try the layouts, and print what happened."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--layouts", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        _in_a_fork(partial(prepare, top / "prepared"))
        for number in range(given.layouts):
            chance = random.Random(f"{given.seed} {number}")
            shutil.rmtree(top / "trial", ignore_errors=True)
            (top / "trial").mkdir()
            shutil.copytree(top / "prepared", home := top / "trial/home", symlinks=True)
            outside(beside := top / "trial/outside")
            done = [change(home, beside, chance) for _ in range(chance.choice([1, 1, 2, 3]))]
            done += [_added(home, beside, chance)] if chance.random() < 0.1 else []
            before = _tree(beside)
            code = _in_a_fork(partial(_run, home))
            ended = {0: "ended with sentences or well", 1: "a traceback"}.get(code, f"did not end ({code})")
            counts[ended] += 1
            if (after := _tree(beside)) != before:
                counts["the tree beside it changed"] += 1
                changed = sorted({*before.items()} ^ {*after.items()})[:3]
                ended += f", CHANGED {[one for one, _ in changed]}"
            if ended != "ended with sentences or well":
                sys.stderr.write(f"{number} {'; '.join(done)}: {ended}\n")
            if number % 10 == 9 or number + 1 == given.layouts:
                print(json.dumps({"layouts": number + 1, "seed": given.seed, **counts}), flush=True)


if __name__ == "__main__":
    main()
