"""What does each command say where the machine fails? `python benchmarks/machine_faults.py [--only FAULT]`.

Each command is called where the disk is read-only or full, standard output full or closed, no home and no
folder for temporary files can be written, 16 files and 400 MB are all that a process gets, standard input is
closed, or nobody reads what is printed. The corpus is a small one of its own. A fault is a traceback, an
end by a signal, or none within five minutes. The disks need root and `unshare`.
"""

import argparse
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tables import markdown_table, measured_on  # noqa: E402

from tests.support.models import tiny_model  # noqa: E402
from tests.support.pdfs import pdf  # noqa: E402

_PATIENCE = 300.0
_KEYS = ("ant", "bee")
_COMMANDS = """
    build papers --model none
    build papers --force --model none
    build papers --plan
    add new.pdf --key cat
    quote ant "one ant"
    quote "one ant"
    quote new.pdf "one cat"
    quote --batch batch.tsv
    check draft.md
    check draft.md --format github
    check draft.md --fix
    search paper
    search paper --keywords
    search paper --meaning
    verify ant "one ant"
    verify new.pdf "one cat"
    ground ant "one ant"
    show ant --page 1 --out page.png
    show ant --paragraphs --page 1
    read ant
    read - --page 1
    papers
    papers --json
    highlight ant "one ant" --out marked
    highlight --read new.pdf
    pin draft.md
    compare papers/ant.pdf papers/bee.pdf
    filter
    model get model
    status
    status --json
    releases list
    releases use 1
    releases diff 1 1
    releases gc
    sql "FROM papers"
    sql --safe "FROM papers"
    sql --schema
    mcp
    lsp
    serve --port 0 --host 256.1.1.1
    extract papers
    publish
"""


def _limit(what: int, most: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (most, most))


def _close(descriptor: int) -> Callable[[], None]:
    return lambda: os.close(descriptor)


_MOUNTED = {
    "read-only disk": "mount --bind {folder} /mnt && mount -o remount,ro,bind /mnt && cd /mnt",
    "full disk": "mount -t tmpfs -o size=100m none /mnt && cp -a {folder}/. /mnt && cd /mnt"
    " && {{ dd if=/dev/zero of=filler bs=16k 2>/dev/null; true; }}",
}
"""What a shell in a name space of its own does first: then the folder is /mnt, as is the home."""

_LIMITED: dict[str, Callable[[], None] | None] = {
    "full standard output": None,
    "nobody reads": None,
    "no home": None,
    "no temporary files": None,
    "16 files": _limit(resource.RLIMIT_NOFILE, 16),
    "400 MB": _limit(resource.RLIMIT_AS, 400 << 20),
    "closed standard input": _close(0),
    "closed standard output": _close(1),
}

_TRACEBACK = re.compile(r"^Traceback|^\w+Error:|Please report|Exception ignored|Fatal Python", re.MULTILINE)

_ENDS = {0, 1, 2, 130, 141}
"""Exit statuses that commands promise."""

FAULTS = (*_MOUNTED, *_LIMITED)


def prepare(folder: Path) -> None:
    """Make the corpus, and what the commands name."""
    (folder / "papers").mkdir()
    for key in _KEYS:
        (folder / f"papers/{key}.pdf").write_bytes(pdf(f"A paper about one {key}. Nobody minded at all."))
    (folder / "new.pdf").write_bytes(pdf("A paper about one cat. Nobody minded at all."))
    (folder / "draft.md").write_text('"A paper about one ant" [@ant, p. 1] and "about ten bees" [@bee].\n')
    (folder / "batch.tsv").write_text("ant\tone ant\n")
    tiny_model(folder / "model")
    run(shlex.split("build papers --model none"), folder, "")


def run(arguments: list[str], folder: Path, fault: str) -> tuple[int | None, str]:
    """Return the exit status of a command under a fault (None: it did not end), and what it printed."""
    command = [sys.executable, "-m", "pagequote", *arguments]
    home = folder / "home"
    home.mkdir(exist_ok=True)
    nowhere = "/proc/none"
    named = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PAGEQUOTE_MODELS": str(home / "models")}
    if fault == "no home":
        named |= {"HOME": nowhere, "XDG_CACHE_HOME": nowhere, "PAGEQUOTE_MODELS": f"{nowhere}/models"}
    if fault == "no temporary files":
        named |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), nowhere)
    if fault in _MOUNTED:
        named |= {"HOME": "/mnt/home", "PAGEQUOTE_MODELS": "/mnt/home/models"}
        first = _MOUNTED[fault].format(folder=shlex.quote(str(folder)))
        command = ["unshare", "-m", "sh", "-c", f"{first} && exec {shlex.join(command)}"]
    read, written = os.pipe()
    os.close(read)
    with Path("/dev/full").open("wb") as full:
        printed: Any = {"full standard output": full, "nobody reads": written}.get(fault, subprocess.PIPE)
        given = None if fault == "closed standard input" else b""
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=os.environ | named,
                input=given,
                stdout=printed,
                stderr=subprocess.PIPE,
                timeout=_PATIENCE,
                preexec_fn=_LIMITED.get(fault),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            os.close(written)
    return done.returncode, ((done.stdout or b"") + done.stderr).decode(errors="replace")


def main() -> None:
    """Print the table, and what each fault was."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=FAULTS, action="append")
    parser.add_argument("--command", default="", help="only commands that begin so")
    given = parser.parse_args()
    rows, faults = [], 0
    for fault in given.only or FAULTS:
        ended: Counter[str] = Counter()
        began = time.perf_counter()
        for line in filter(None, map(str.strip, _COMMANDS.splitlines())):
            if not line.startswith(given.command):
                continue
            with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
                prepare_once(Path(name))
                status, said = run(shlex.split(line), Path(name), fault)
            bad = status not in _ENDS or _TRACEBACK.search(said)
            ended["no end" if status is None else f"status {status}{' (bad)' if bad else ''}"] += 1
            if bad:
                faults += 1
                print(f"{fault}: {line}: {status}: {said[-700:]}", file=sys.stderr)
        rows.append(
            [
                fault,
                str(ended.total()),
                str(sum(number for how, number in ended.items() if how.endswith(("(bad)", "no end")))),
                ", ".join(f"{number} {how}" for how, number in sorted(ended.items())),
                f"{time.perf_counter() - began:.0f}",
            ]
        )
    print(markdown_table(["fault", "trials", "faults", "how they ended", "s"], rows))
    print(f"\n{measured_on()}")
    sys.exit(bool(faults))


_PREPARED: list[Path] = []


def prepare_once(folder: Path) -> None:
    """Copy what `prepare` made the first time."""
    if not _PREPARED:
        _PREPARED.append(Path(tempfile.mkdtemp(dir="/var/tmp", prefix="faults-")))
        prepare(_PREPARED[0])
    subprocess.run(["cp", "-a", f"{_PREPARED[0]}/.", str(folder)], check=True)


if __name__ == "__main__":
    main()
