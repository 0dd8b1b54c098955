"""What is left after 200 nights on which something goes wrong? `python benchmarks/nights.py [--nights 200]`.

Each night a small library changes by chance: papers come, go, change, get another name or another title, a
file is damaged. Then it is built, and half of the builds are disturbed: killed at a change of a file, on a
disk that fills, by a clock that is years off or jumps at each look; releases are rolled back and removed.
A night is wrong where the release that is current afterwards holds anything else than the library of that
night or what it held before, or where an undisturbed build fails or leaves unfinished files. At the end a
last build must hold the same rows, and what it publishes anew the same bytes, as one full build elsewhere.

All that is drawn comes from `--seed`. The disks that fill are small file systems of their own where such may
be mounted; elsewhere, and in half of the nights, each file that is opened to be written is refused.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fault_site import CLOCK, Site, preloaded
from tables import markdown_table, measured_on

import lookup
from pipeline.models.install import install_model
from tests.support.models import tiny_model
from tests.support.pdfs import pdf

_YEAR = 365.25 * 86400
_FEWEST, _MOST = 8, 30  # Papers of the library.
_ROOM = 4_000_000  # Bytes that a disk has left at most when it is about to be full.
_SAID_WHEN = {"README.md", "SHA256SUMS", "report.json"}
"""Files of a release that hold its name, or times that were measured."""

_SEGMENT = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The names that tantivy draws for the parts of an index."""

_NIGHTS = {
    "undisturbed": 40,
    "killed at a change of a file": 22,
    "full disk": 10,
    "full disk, a real one": 8,
    "clock years off": 5,
    "clock years off, and killed": 5,
    "clock that jumps at each look": 4,
    "rolled back": 3,
    "rolled back, killed at a change of a file": 3,
}
"""Kinds of nights, and how often each is drawn."""


class Wrong(Exception):  # noqa: N818  # it is what a night finds, and no error of the benchmark
    """A night left what it must not leave."""


@dataclass
class Papers:
    """The library as it must be read: by the stem of each file its sentence, None for a damaged one."""

    folder: Path
    rng: random.Random
    sentences: dict[str, str | None] = field(default_factory=dict)
    titled: list[str] = field(default_factory=list)
    made: int = 0

    def change(self) -> None:
        """Change up to four things of it by chance, and the titles of some of its papers."""
        for _ in range(self.rng.randint(1, 4)):
            few, many = len(self.sentences) <= _FEWEST, len(self.sentences) >= _MOST
            ways = [self._add] if few else [self._remove] if many else []
            self.rng.choice(ways or [self._add, self._remove, self._rename, self._rewrite, self._copy])()
        self.titled = titled = sorted(one for one in self.sentences if self.rng.random() < 0.3)
        entries = (
            f"@misc{{{one}, title = {{Title {self.rng.randrange(9)}}}, file = {{pdfs/{one}.pdf}}}}\n"
            for one in titled
        )
        (self.folder / "titles.bib").write_text("".join(entries))

    def _path(self, name: str) -> Path:
        return self.folder / "pdfs" / f"{name}.pdf"

    def _new(self) -> str:
        self.made += 1
        return f"{self.rng.choice('abcdefghij')}paper{self.made}"

    def _some(self) -> str:
        return self.rng.choice(sorted(self.sentences))

    def _add(self, name: str = "") -> None:
        name = name or self._new()
        words = " ".join(self.rng.choices(["river", "salt", "tide", "metal", "north", "quiet"], k=5))
        sentence = f"The {words} of number {self.rng.randrange(10**6)} is printed here."
        damaged = self.rng.random() < 0.08
        self._path(name).write_bytes(b"%PDF-1.7 cut" if damaged else pdf("Front", "Matter", sentence))
        self.sentences[name] = None if damaged else sentence

    def mend(self) -> None:
        """Write each damaged file anew."""
        for name in [name for name, sentence in self.sentences.items() if sentence is None]:
            while self.sentences[name] is None:
                self._add(name)

    def _remove(self) -> None:
        name = self._some()
        self._path(name).unlink()
        del self.sentences[name]

    def _rename(self) -> None:
        name, now = self._some(), self._new()
        self._path(name).rename(self._path(now))
        self.sentences[now] = self.sentences.pop(name)

    def _rewrite(self) -> None:
        self._add(self._some())

    def _copy(self) -> None:
        name, now = self._some(), self._new()
        shutil.copy(self._path(name), self._path(now))
        self.sentences[now] = self.sentences[name]

    def printed(self) -> dict[str, str]:
        """Return the sentence of each paper that can be read, by key; an entry's file has no other copies."""
        named = {self.sentences[key] for key in self.titled}
        return {
            key: sentence
            for key, sentence in self.sentences.items()
            if sentence and (key in self.titled or sentence not in named)
        }


def held(corpus: Path) -> tuple[str, dict[str, str]]:
    """Return the name of the current release, and what its papers print on their last pages, by key."""
    with lookup.open(corpus) as opened:
        rows = opened.sql("SELECT key, text FROM paragraphs WHERE page = 3 ORDER BY ALL").fetchall()
        for key, text in rows[:2]:
            if [one.verdict for one in opened.quote(key, text).matches[:1]] != ["verbatim"]:
                raise Wrong(f"{key} prints {text!r}, and a quote of it is not verbatim")
        return opened.release.name, dict(rows)


def differs(found: dict[str, str], wanted: dict[str, str]) -> str:
    """Return in words how what was found differs from what must be there."""
    other = {key for key in found.keys() & wanted.keys() if found[key] != wanted[key]}
    return (
        f"lacks {sorted(wanted.keys() - found)}, has {sorted(found.keys() - wanted)} more, "
        f"and other words in {sorted(other)}"
    )


def may_mount() -> bool:
    """Return whether small file systems can be had here."""
    with tempfile.TemporaryDirectory() as folder:
        tried = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False)
        if tried.returncode == 0:
            subprocess.run(["umount", folder], check=True)
    return tried.returncode == 0


@contextmanager
def small_disk(folder: Path, *, mounted: bool) -> Iterator[Path]:
    """Make a folder, on a small file system of its own if `mounted`."""
    folder.mkdir(parents=True)
    if mounted:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", folder], check=True)


@contextmanager
def almost_full(folder: Path, room: int) -> Iterator[None]:
    """Leave so many bytes on the file system of the folder."""
    status = os.statvfs(folder)
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(max(0, status.f_bavail * status.f_frsize - room)))
    try:
        yield
    finally:
        ballast.unlink()


@dataclass
class Nights:
    """A site, its library, and what each of its releases must hold, by name."""

    site: Site
    papers: Papers
    rng: random.Random
    model: str
    steps: dict[str, int] = field(default_factory=dict)
    releases: dict[str, dict[str, str]] = field(default_factory=dict)

    def run(self, kind: str) -> str:
        """Have a night of this kind; return how it ended. Raise Wrong."""
        command = self.command(kind)
        if command[0] == "build":
            self.papers.change()
        misbehave, clock = "", ""
        if "killed" in kind or kind == "full disk":
            last = self.rng.randint(1, self.counted(command))
            misbehave = f"{'full' if kind == 'full disk' else 'step'}:{last}"
        if "years off" in kind:
            clock = f"{self.rng.choice([-5, -0.1, 10, 14]) * _YEAR:.0f}"
        if "jumps" in kind:
            misbehave = "clock"
        if kind.endswith("a real one"):
            with almost_full(self.site.root, int(self.rng.random() ** 2 * _ROOM)):
                status, said = self.site.run(*command, clock=clock)
        else:
            status, said = self.site.run(*command, misbehave=misbehave, clock=clock)
        allowed = {0, -9} if "killed" in kind else {0}
        if ("No space left" if "disk" in kind else "has no release before") in said:
            allowed.add(2)
        if status not in allowed or (status >= 0 and "Traceback" in said):
            raise Wrong(f"{command} ended with {status}: {said[-1500:]}")
        self.check(status, command)
        return {0: "done", 2: "refused", -9: "killed"}[status]

    def command(self, kind: str) -> tuple[str, ...]:
        """Return what the night runs."""
        if kind.startswith("rolled back"):
            return self.rng.choice([("releases", "use"), ("releases", "gc", "--keep", "2")])
        options = ("--bib", "titles.bib", "--model", self.model, "--workers", "1", "--max-gone", "100%")
        return ("build", "pdfs", *options, "--quiet")

    def counted(self, command: tuple[str, ...]) -> int:
        """Return how many changes of files the command makes, by a run of it on a copy of the site."""
        if command[0] not in self.steps:
            copy = Site(self.site.root.with_name("counted"), "", "")
            shutil.copytree(self.site.root, copy.root, symlinks=True)
            status, said = copy.run(*command, misbehave="step")
            if status:
                raise SystemExit(f"The undisturbed {command} failed: {said}")
            self.steps[command[0]] = int(said.split("steps:")[1])
            shutil.rmtree(copy.root)
        return self.steps[command[0]]

    def check(self, status: int, command: tuple[str, ...]) -> None:
        """Raise Wrong where the current release is none that may be."""
        name, found = held(self.site.corpus)
        wanted = self.papers.printed()
        if name not in self.releases:
            if found != wanted:
                raise Wrong(f"the new release {name} {differs(found, wanted)}; {self.site.failures()}")
            self.releases[name] = wanted
        if found != self.releases[name]:
            raise Wrong(f"the release {name} {differs(found, self.releases[name])}")
        if command[0] == "build" and status == 0:
            if found != wanted:
                raise Wrong(f"what an undisturbed build left {differs(found, wanted)}")
            if left := self.site.left_behind():
                raise Wrong(f"left behind: {left}")


def rows_of(corpus: Path) -> str:
    """Return a hash of all rows of the current release, whatever their order and numbers."""
    with lookup.open(corpus) as opened:
        columns = {"paragraphs": "* EXCLUDE (row_number)", "failures": "* EXCLUDE (seconds)"}
        rows = [
            opened.sql(f"SELECT {columns.get(table, '*')} FROM {table} ORDER BY ALL").fetchall()
            for table in ("papers", "pages", "paragraphs", "sentences", "vectors", "failures")
        ]
    return hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()


def bytes_of(corpus: Path) -> dict[str, str]:
    """Return the hash of each file of the current release, but for its name and times, by its path."""
    release = (corpus / "current").resolve()
    found = {}
    for path in sorted(release.rglob("*")):
        name = str(path.relative_to(release))
        if path.is_dir() or name in _SAID_WHEN:
            continue
        data = path.read_bytes()
        if path.suffix == ".json":
            said = json.loads(_SEGMENT.sub("", data.decode().replace(release.name, "")))
            said = sorted(said) if isinstance(said, list) else said | {"created": ""}
            data = json.dumps(said).encode()
        found[_SEGMENT.sub("", name)] = hashlib.sha256(data).hexdigest()
    return found


def differences(nights: Nights) -> tuple[int, list[str]]:
    """Return how many files are compared with those of one full build, and what differs.

    No file is damaged any more: how long it took to read one is a part of the release.
    """
    nights.papers.mend()
    command = nights.command("undisturbed")
    full = Site(nights.site.root, "", "", "full")
    for site, given in (
        (nights.site, command),
        (full, (*command, "--work", "full-work")),
    ):
        status, said = site.run(*given)
        if status:
            return 0, [f"the last build failed: {said[-500:]}"]
    corpus, other = (nights.site.root / name for name in ("corpus", "full"))
    wrong = [] if rows_of(corpus) == rows_of(other) else ["rows"]
    status, said = nights.site.run("publish", "--force")
    if status:
        return 0, [*wrong, f"publishing anew failed: {said[-500:]}"]
    anew, whole = bytes_of(corpus), bytes_of(other)
    return len(whole), wrong + [name for name in sorted(anew | whole) if anew.get(name) != whole.get(name)]


def main() -> None:
    """Have the nights, and print what became of them."""
    parser = argparse.ArgumentParser(description="Disturb night after night, and compare with one build.")
    parser.add_argument("--nights", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each process would compile what it imports
    rng = random.Random(asked.seed)
    mounts, began = may_mount(), time.monotonic()
    ended: dict[str, Counter[str]] = {}
    with (
        tempfile.TemporaryDirectory() as temporary,
        small_disk(Path(temporary, "disk"), mounted=mounts) as disk,
    ):
        preloaded(disk / "models")
        install_model(tiny_model(Path(temporary, "source")), disk / "models" / "tiny")
        site = Site(disk / "site", "", "")
        (site.root / "pdfs").mkdir(parents=True)
        nights = Nights(site, Papers(site.root, rng), rng, str(disk / "models" / "tiny"))
        kinds = dict(_NIGHTS)
        if not mounts:
            kinds["full disk"] += kinds.pop("full disk, a real one")
        if not (disk / "models" / CLOCK).exists():
            kinds = {kind: often for kind, often in kinds.items() if "years off" not in kind}
        drawn = rng.choices(list(kinds), list(kinds.values()), k=asked.nights)
        for number, kind in enumerate(["undisturbed", "undisturbed", *drawn]):
            try:
                end = nights.run(kind)
            except (Wrong, lookup.PageQuoteError) as found:
                end = "wrong"
                print(f"night {number}, {kind}: {found}", file=sys.stderr)
            ended.setdefault(kind, Counter())[end] += 1
        compared, differ = differences(nights)
    rows = [
        [kind, str(counts.total()), ", ".join(f"{how} {n}" for how, n in sorted(counts.items()))]
        for kind, counts in ended.items()
    ]
    wrong = sum(counts["wrong"] for counts in ended.values())
    print(markdown_table(["night", "builds", "how they ended"], rows))
    print(
        f"\n{wrong} wrong of {sum(map(Counter.total, ended.values()))}. The last release has the rows of one "
        f"full build, and anew the bytes of its {compared} files"
        f"{', but for ' + ', '.join(differ) if differ else ''}. Seed {asked.seed}; "
        f"{time.monotonic() - began:.0f} s; {measured_on()}"
    )
    sys.exit(bool(wrong or differ))


if __name__ == "__main__":
    main()
