"""A small library whose builds are disturbed: papers that the project writes itself, two releases, and
changes that wait for the next build.
"""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from pipeline.models.install import install_model
from pipeline.publish.parts import _begins_part
from tests.support.models import tiny_model
from tests.support.pdfs import pdf
from tests.support.s3 import make_bucket

if TYPE_CHECKING:
    import lookup

HERE = Path(__file__).resolve().parent
CLOCK = "wall_clock.so"
NETWORK = "network_disk.so"
PATIENCE = 1_800  # Seconds that a command may take: what is asked is how it ends, and machines are busy.
_BUILD = "from pagequote.cli import main; main()"
_BUILD_AND_READ = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from pagequote.cli import main
try:
    main()
except SystemExit as end:
    if end.code:
        raise
from fault_site import text_of
print("text", text_of(sys.argv[sys.argv.index("--corpus") + 1]))
"""
_READ = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from fault_site import text_of; "
    "print(text_of(sys.argv[1]))"
)
_READ_ON = """
import json, os, sys
sys.path.insert(0, sys.argv.pop(1))
import lookup
from fault_site import text_of
found, held = {}, None
while not os.path.exists("stop"):
    try:
        end = text_of("corpus")
        held = held or lookup.open("corpus")
        held.sql("SELECT count(text) FROM paragraphs").fetchall()
        held.refresh()
    except lookup.PageQuoteError as error:
        end, held = type(error).__name__, None
    found[end] = found.get(end, 0) + 1
print(json.dumps(found))
"""
_WORDS = [
    "a",
    "able",
    "acid",
    "air",
    "bridge",
    "cause",
    "clear",
    "deep",
    "east",
    "field",
    "grows",
    "heat",
    "island",
    "join",
    "kind",
    "light",
    "metal",
    "north",
    "open",
    "part",
    "quiet",
    "river",
    "salt",
    "tide",
]
_HUMBLE = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
_QUOTED = "An anchor holds the ship in every weather"


@dataclass(frozen=True)
class Site:
    """A folder with `pdfs`, `work` and `corpus`, and what the texts of its release are before and after an
    undisturbed build. The corpus may be in object storage, at an `address`.
    """

    root: Path
    before: str
    after: str
    address: str = "corpus"

    @property
    def corpus(self) -> Path:
        return self.root / "corpus"

    @property
    def work(self) -> Path:
        return self.root / "work"

    def start(
        self, *options: str, misbehave: str = "", humble: bool = False, code: Sequence[str] = (_BUILD,)
    ) -> "subprocess.Popen[str]":
        """Begin a build in a process of its own, with the fault `misbehave` (misbehaviour/sitecustomize.py).

        A `humble` one may read what its user may; root without it reads all.
        """
        paths = [str(HERE / "misbehaviour")] * bool(misbehave) + [str(HERE.parent)]
        command = [*_HUMBLE] if humble and os.geteuid() == 0 else []
        command += [sys.executable, "-c", *code, "build", "pdfs", "--corpus", self.address, "--workers", "1"]
        return subprocess.Popen(
            [*command, "--model", str(self.root.parent / "models" / "tiny"), "--quiet", *options],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "MISBEHAVE": misbehave},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def build(self, *options: str, misbehave: str = "", humble: bool = False) -> tuple[int, str]:
        """The exit status of a build, and what it said."""
        process = self.start(*options, misbehave=misbehave, humble=humble)
        said = "".join(process.communicate(timeout=PATIENCE))
        return process.returncode, said

    def run(self, *command: str, misbehave: str = "", clock: str = "") -> tuple[int, str]:
        """The exit status of another command about the corpus, and what it said.

        `clock` is by how many seconds the clock on the wall is off (misbehaviour/wall_clock.c).
        """
        paths = [str(HERE / "misbehaviour")] * bool(misbehave) + [str(HERE.parent)]
        wrong = {"LD_PRELOAD": str(self.root.parent / "models" / CLOCK), "WALL_CLOCK": clock}
        ran = subprocess.run(
            [sys.executable, "-c", _BUILD, *command, "--corpus", self.address],
            cwd=self.root,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(paths),
                "MISBEHAVE": misbehave,
                **(wrong if clock else {}),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        return ran.returncode, ran.stdout

    def on_machine(self, number: int, stale: int, *command: str) -> "subprocess.Popen[str]":
        """Begin a command, without one a reader, on one of the machines that share the disk of the site.

        It may see for so many milliseconds what was there before (misbehaviour/network_disk.c). A reader ends
        where there is a file `stop`, and prints what it read, and how often.
        """
        called = [_BUILD, *command, "--corpus", self.address] if command else [_READ_ON, str(HERE)]
        return subprocess.Popen(
            [sys.executable, "-c", *called],
            cwd=self.root,
            env={
                **os.environ,
                "PYTHONPATH": str(HERE.parent),
                "LD_PRELOAD": str((self.root.parent / "models" / NETWORK).resolve()),
                "NETWORK_DISK": str(self.root),
                "NETWORK_DELAY": "20",
                "NETWORK_STALE": str(stale),
                **({} if command else {"NETWORK_READER": "1"}),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            group=10_000 + number,
        )

    def recovers(self) -> str:
        """What is wrong with an undisturbed build that comes now; '' where it gives what it must."""
        process = self.start("--retry-failures", code=(_BUILD_AND_READ, str(HERE)))
        said, error = process.communicate(timeout=PATIENCE)
        if process.returncode or said.split()[-2:] != ["text", self.after]:
            return f"the next build is not right: {process.returncode} {said[-500:]} {error[-1000:]}"
        return f"left behind: {left}" if (left := self.left_behind()) else ""

    def text(self, release: str = "") -> str:
        """`text_of` the current release or another, read by a process of its own: what is damaged may crash
        its reader.
        """
        path = str(self.corpus / "releases" / release) if release else self.address
        read = subprocess.run(
            [sys.executable, "-c", _READ, str(HERE), path],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(HERE.parent)},
            capture_output=True,
            text=True,
            check=False,
        )
        return read.stdout.strip() if not read.returncode else f"unreadable: {read.stderr[-300:]}"

    def failures(self) -> set[tuple[str, str]]:
        """Keys and reasons of what the current release could not hold."""
        import lookup

        with lookup.open(self.corpus) as corpus:
            return set(corpus.sql("SELECT key, reason FROM failures").fetchall())

    def left_behind(self) -> list[Path]:
        """Files and folders that are only there while a build runs."""
        return [path for folder in (self.corpus, self.work) for path in folder.rglob(".tmp-*")]

    def copied(self, root: Path) -> "Site":
        """The same site elsewhere, releases sharing files as here."""
        root.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", self.root, root], check=True)
        if not (root.parent / "models").exists():
            (root.parent / "models").symlink_to(self.root.parent / "models")
        return Site(root, self.before, self.after, copied_bucket(self.address))


def preloaded(folder: Path) -> None:
    """Compile into the folder what makes clocks wrong and disks shared; nothing without a compiler."""
    folder.mkdir()
    for name in (CLOCK, NETWORK):
        source = (HERE / "misbehaviour" / name).with_suffix(".c")
        if compiler := shutil.which("cc"):
            subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / name, source], check=True)


def copied_bucket(address: str) -> str:
    """The address of a copy of a corpus in object storage, in a bucket of its own; "corpus" as it is."""
    if not address.startswith("s3://"):
        return address
    from lookup.storage.object_path import ObjectPath
    from objectstore.objects import list_objects, read_object, write_object

    name = uuid4().hex
    make_bucket(name, os.environ)
    copy = ObjectPath(f"s3://{name}/corpus")
    for one in list_objects(ObjectPath(address)):
        write_object(copy / one.path.relative_to(ObjectPath(address)), read_object(one.path))
    return str(copy)


def text_of(corpus: str) -> str:
    """A hash of all that a release prints and knows by meaning, once it has answered a quote.

    The numbers of rows are left out: a release by difference adds its rows behind those that were there.
    """
    import lookup

    with lookup.open(corpus) as opened:
        assert [m.verdict for m in opened.quote("anchor", _QUOTED).matches] == ["verbatim"]
        rows = [
            opened.sql(f"SELECT {columns} FROM {table} ORDER BY ALL").fetchall()
            for table, columns in {
                "papers": "* EXCLUDE (path, library, versions)",
                "pages": "*",
                "paragraphs": "* EXCLUDE (row_number)",
                "sentences": "*",
                "vectors": "*",
            }.items()
        ]
    return hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()


def answers_of(corpus: str) -> dict[str, str]:
    """What a release answers to a call of each kind, as JSON; "" where an error of PageQuote says why not."""
    import lookup

    answers: dict[str, str] = {}
    for name, ask in _CALLS.items():
        try:
            with lookup.open(corpus) as opened:
                answers[name] = json.dumps(ask(opened), default=_fields)
        except lookup.PageQuoteError:
            answers[name] = ""
    return answers


def _fields(answer: Any) -> Any:
    return answer.to_dict()


_CALLS: dict[str, Callable[["lookup.Corpus"], Any]] = {
    "quote": lambda corpus: corpus.quote("anchor", _QUOTED),
    "by meaning": lambda corpus: corpus.quote("pearl", "lightning before thunder"),
    "verify": lambda corpus: corpus.verify(_QUOTED, "anchor", 3),
    "grep": lambda corpus: corpus.grep("holds the ship"),
    "find": lambda corpus: corpus.search_context(["anchor", "ship"], keys=["anchor"]),
    "search": lambda corpus: corpus.search("anchor ship weather", mode="lexical"),
    "sentences": lambda corpus: corpus.sentences("deep river heat", match_threshold=-1.0),
    "page": lambda corpus: corpus.page("ruby", 2),
    "papers": lambda corpus: corpus.papers(),
}


def prepared_site(folder: Path, address: str = "corpus") -> Site:
    """A site with two releases in `folder`, and a paper new, changed, renamed, deleted and copied since the
    second.
    """
    root = folder / "origin"
    (root / "pdfs").mkdir(parents=True)
    if not (folder / "models" / "tiny").exists():
        install_model(tiny_model(folder / "source"), folder / "models" / "tiny")
    site = Site(root, "", "", address)
    borders = _border_keys()  # so that there are parts that releases share
    names = ["anchor", next(borders), "pearl", next(borders), "quartz", next(borders), "ruby"]
    for name in names:
        _write(root, name)
    _built(site)
    _write(root, "slate")
    _built(site)
    before = site.text()
    for name in ("talc", "umber", "marl"):
        _write(root, name)
    _write(root, "pearl", seed="another spec")
    (root / "pdfs" / "quartz.pdf").unlink()
    (root / "pdfs" / "ruby.pdf").rename(root / "pdfs" / "spinel.pdf")
    shutil.copy(root / "pdfs" / "talc.pdf", root / "pdfs" / "copy.pdf")
    done = site.copied(folder / "undisturbed")
    _built(done)
    after = done.text()
    if before.startswith("unreadable") or after.startswith("unreadable"):
        raise SystemExit(f"The undisturbed releases cannot be read: {before} {after}")
    return Site(root, before, after, address)


def _built(site: Site) -> None:
    status, said = site.build()
    if status:
        raise SystemExit(f"The undisturbed build failed: {said}")


def _border_keys() -> Iterator[str]:
    return (key for n in count() if _begins_part(key := f"paper{n}"))


def _write(root: Path, name: str, seed: str = "") -> None:
    rng = random.Random(f"{name} {seed}")
    lines = [" ".join(rng.choices(_WORDS, k=12)).capitalize() + "." for _ in range(60)]
    if name == "anchor":
        lines[45] = f"{_QUOTED}."
    pages = ["\n".join(lines[at : at + 20]) for at in range(0, 60, 20)]
    (root / "pdfs" / f"{name}.pdf").write_bytes(pdf(*pages))
