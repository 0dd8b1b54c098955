"""What is lost when a build is killed, starved, lied to or damaged?
`python benchmarks/fault_campaign.py [--kills 200] [--jobs 3]`.

Each trial disturbs a build of a small library that has two releases and changes to publish (fault_site.py).
It is lost if then no good release can be read and quoted from, or if the next, undisturbed build does not end
with the very texts of one that was never disturbed. Disks that fill and clocks that jump are tried by
nights.py, PDFs that hang, crash or take memory by tests/builds/test_workers.py.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import product
from pathlib import Path

from fault_site import (
    CLOCK,
    HERE,
    NETWORK,
    PATIENCE,
    Site,
    answers_of,
    preloaded,
    prepared_site,
    text_of,
)
from tables import markdown_table, measured_on

from objectstore.releases import CACHE_VARIABLE
from tests.support.s3 import make_bucket, s3_server

_YEAR = 365.25 * 86400
_IN_STORAGE = " in object storage"

_DAMAGES = ("one bit", "bytes changed", "cut", "zeroed", "emptied", "removed")

Disturb = Callable[[Site, random.Random], str]
"""Disturbs a build of the site, and says in a word or two how that ended."""


class Wrong(Exception):  # noqa: N818  # it is what a trial finds, and no error of the campaign
    """The disturbed build did what it must not do."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong, how often it is tried, and how.

    Where the build is `killed`, the release must hold what it held before, or what an undisturbed build
    gives.
    """

    name: str
    trials: int
    disturb: Disturb
    killed: bool = False


@dataclass(frozen=True)
class Trial:
    """How the disturbed build ended, and what was lost ('' if nothing)."""

    ended: str
    lost: str


def killed_at_any_time(longest: float) -> Disturb:
    def disturb(site: Site, rng: random.Random) -> str:
        while True:
            process = site.start()
            time.sleep(rng.uniform(0.2, longest))
            stage = _stage(site)
            process.kill()
            process.communicate()
            if process.returncode == -signal.SIGKILL:
                return stage
            site.build("--force")  # it was through: back to work that can be killed

    return disturb


_COMMANDS = {
    "a build": ("build", "pdfs", "--workers", "1", "--model", "{model}", "--quiet"),
    "a build in shards": (
        "build",
        "pdfs",
        "--workers",
        "1",
        "--model",
        "{model}",
        "--shards",
        "3",
        "--quiet",
    ),
    "reshard": ("publish", "--shards", "3"),
    "add": ("add", "pdfs/umber.pdf", "--key", "umber", "--model", "{model}"),
    "rollback": ("releases", "use"),
    "gc": ("releases", "gc", "--keep", "1"),
}
"""Commands that change a corpus."""

_CLOCKS = (
    *(f"{years * _YEAR:.0f}" for years in (-5, -0.1, 10)),
    f"{86400 - time.time():.0f}",  # 1970
    f"{14 * _YEAR:.0f}",  # beyond 2038
)
"""Seconds by which the clock on the wall is off; see misbehaviour/wall_clock.c."""


def commands_disturbed(
    prepared: Callable[[], Site], folder: Path, trials: int, where: str, only: str
) -> Iterator[tuple[Fault, Site]]:
    """Faults whose name has `only`, with their site: the commands are run once to know what they change."""
    for name, command in _COMMANDS.items():
        kill = f"SIGKILL of {name}{where}, at a random change"
        clock = f"{name}{where} while the clock is years off, half of them killed"
        fail = f"a system call of {name}{where} that fails"
        if all(only not in one for one in (kill, clock, fail)):
            continue
        origin = prepared()
        site = origin.copied(folder / f"undisturbed command{where}" / name)
        given = [one.format(model=origin.root.parent / "models" / "tiny") for one in command]
        status, said = site.run(*given, misbehave="step")
        if status:
            raise SystemExit(f"The undisturbed {name}{where} failed: {said}")
        steps, after = int(said.split("steps:")[1]), site.text()
        yield Fault(kill, trials, killed_command(given, steps, after)), origin
        yield Fault(fail, trials, failing_command(given, steps, after)), origin
        if (folder / "models" / CLOCK).exists():
            yield Fault(clock, trials // 2, killed_command(given, 2 * steps, after, _CLOCKS)), origin


def killed_command(command: Sequence[str], steps: int, after: str, clocks: Sequence[str] = ("",)) -> Disturb:
    def disturb(site: Site, rng: random.Random) -> str:
        step, clock = rng.randint(1, steps), rng.choice(clocks)
        status, said = site.run(*command, misbehave=f"step:{step}", clock=clock)
        if (text := site.text()) not in ((site.before, after) if status else (after,)):
            raise Wrong(f"not a whole release: step {step}, clock {clock}, status {status} {said} {text}")
        return _expect(status, {-signal.SIGKILL, 0}, said)

    return disturb


def failing_command(command: Sequence[str], steps: int, after: str) -> Disturb:
    def disturb(site: Site, rng: random.Random) -> str:
        step = rng.randint(1, 2 * steps)  # fsync counts, too
        status, said = site.run(*command, misbehave=f"fail:{step}")
        if (text := site.text()) not in (site.before, after):
            raise Wrong(f"not a whole release: step {step}, status {status} {said} {text}")
        return _expect(status, {0, 2}, said)

    return disturb


def interrupted(site: Site, rng: random.Random) -> str:
    process = site.start()
    time.sleep(rng.uniform(0.6, 3.0))
    family = _children(process.pid)
    process.send_signal(signal.SIGINT)
    said = "".join(process.communicate(timeout=PATIENCE))
    until = time.monotonic() + 60
    while (alive := [one for one in family if Path(f"/proc/{one}").exists()]) and time.monotonic() < until:
        time.sleep(0.05)
    if alive or (left := site.left_behind()):
        raise Wrong(f"left behind: {alive or left}")
    return _expect(process.returncode, {0, 130, -signal.SIGINT}, said)


def unreadable_file(site: Site, rng: random.Random) -> str:
    path = site.root / "pdfs" / rng.choice(["talc.pdf", "umber.pdf", "pearl.pdf"])
    path.chmod(0)
    if rng.random() < 0.3:
        path.unlink()
        path.symlink_to(path.name)  # a link that leads to itself
    try:
        code, said = site.build(humble=True)
    finally:
        if path.is_symlink():
            path.unlink()
            other = site.root.parent / "origin" / "pdfs" / path.name
            path.write_bytes(other.read_bytes())
        path.chmod(0o644)
    ended = _expect(code, {0}, said)
    if (path.stem, "unreadable") not in site.failures():
        raise Wrong(f"no failure says so: {site.failures()}")
    return ended


def changing_file(site: Site, rng: random.Random) -> str:
    path = site.root / "pdfs" / "umber.pdf"
    final, others = path.read_bytes(), [(site.root / "pdfs" / "talc.pdf").read_bytes(), b"%PDF-1.7 cut"]
    stop = threading.Event()

    def change() -> None:
        while not stop.wait(rng.uniform(0, 0.05)):
            path.write_bytes(rng.choice([final, *others]))

    writer = threading.Thread(target=change)
    writer.start()
    try:
        code, said = site.build()
    finally:
        stop.set()
        writer.join()
        path.write_bytes(final)
    return _expect(code, {0}, said)


def two_at_once(site: Site, rng: random.Random) -> str:
    wait = rng.choice([(), ("--wait", "60")])
    processes = []
    for _ in range(2):
        processes.append(site.start(*wait))
        time.sleep(rng.uniform(0, 0.5))
    said = ["".join(process.communicate(timeout=PATIENCE)) for process in processes]
    codes = sorted(process.returncode for process in processes)
    if codes not in ([0, 0], [0, 2]) or (codes[1] and not any("is being written by" in one for one in said)):
        raise Wrong(f"{codes} {said}")
    if site.text() != site.after:
        raise Wrong("its texts are others")
    return "both built" if codes == [0, 0] else "one refused"


_MACHINES = (
    (("build", "--wait", "600"), ("releases", "gc", "--keep", "1"), ("build", "--force", "--wait", "600")),
    (("releases", "use"), ("build", "--wait", "600"), ("releases", "gc", "--keep", "1")),
)
"""What each of two machines does, in an order of chance, while a third one reads."""


def network_disk(site: Site, rng: random.Random) -> str:
    stale = rng.choice([50, 500, 3000])
    whole = {site.after, *(site.text(one.name) for one in (site.corpus / "releases").glob("r*"))}
    reader = site.on_machine(2, stale)
    orders = [rng.sample(commands, len(commands)) for commands in _MACHINES]
    ended: Counter[int] = Counter()
    for commands in zip(*orders, strict=True):
        begun = []
        for number, (name, *options) in enumerate(commands):
            model = [
                "pdfs",
                "--workers",
                "1",
                "--model",
                str(site.root.parent / "models" / "tiny"),
                "--quiet",
            ]
            begun.append(site.on_machine(number, stale, name, *(model if name == "build" else ()), *options))
            time.sleep(rng.uniform(0, 0.5))
        for process in begun:
            said = "".join(process.communicate(timeout=PATIENCE))
            busy = "is being written by" in said or "has no release before" in said
            _expect(process.returncode, {0, 2} if busy else {0}, said)
            ended[process.returncode] += 1
    (site.root / "stop").touch()
    said, error = reader.communicate(timeout=PATIENCE)
    (site.root / "stop").unlink()
    if reader.returncode:
        raise Wrong(f"the reader ended with {reader.returncode}: {error[-1500:]}")
    read = json.loads(said)
    if wrong := read.keys() - whole - {"CorpusVersionError", "CorpusNotFoundError", "QueryError"}:
        raise Wrong(f"it read what no release holds: {wrong}")
    site.build()
    if site.text() != site.after:
        raise Wrong("its texts are others")
    errors = sum(count for how, count in read.items() if how.endswith("Error"))
    return f"read {'with errors that say so' if errors else 'without an error'}"


def damaged_cache(site: Site, rng: random.Random, hows: Sequence[str] = _DAMAGES) -> str:
    if rng.random() < 0.5:
        site.build()
    files = sorted(path for path in site.work.rglob("*") if path.is_file() and path.name != "build.lock")
    path = rng.choice(files)
    how = _damage(path, rng, hows)
    code, said = site.build()
    if code == 2 and path.name in said and site.text() in (site.before, site.after):
        path.unlink()  # as the message says
        how += ", refused until it was removed"
        code, said = site.build()
    _expect(code, {0}, said)
    if site.text() != site.after:
        raise Wrong(f"its texts are others: {path} {how}")
    return how


def damaged_release(site: Site, rng: random.Random, hows: Sequence[str] = _DAMAGES) -> str:
    if rng.random() < 0.5:
        site.build()  # nothing is new then, and the build must see it all the same
    folder = (site.corpus / "current").resolve()
    older = sorted(path.name for path in folder.parent.glob("r*"))[-2]
    names = {
        "corpus.duckdb",
        "manifest.json",
        "vectors.npy",
        "scales.npy",
        "signs.npy",
        "papers.parquet",
        "SHA256SUMS",
    }
    files = [p for p in sorted(folder.rglob("*")) if p.name in names or p.suffix == ".parquet"]
    path = rng.choice(files)
    how = _damage(path, rng, hows)
    if site.text() not in (site.before, site.after) and site.text(older).startswith("unreadable"):
        raise Wrong(f"neither this release nor the one before can be read: {path} {how}")
    code, said = site.build()
    _expect(code, {0}, said)
    if site.text() != site.after:
        raise Wrong(f"its texts are others: {path} {how}")
    return how


def _damage(path: Path, rng: random.Random, hows: Sequence[str] = _DAMAGES) -> str:
    data = bytearray(path.read_bytes())
    how = rng.choice(hows)
    if how == "removed":
        path.unlink()
        return how
    if how == "bytes changed":
        for _ in range(8):
            data[rng.randrange(len(data))] ^= rng.randrange(1, 256)
    elif how == "one bit":
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif how == "cut":
        del data[rng.randrange(len(data)) :]
    elif how == "zeroed":
        at = rng.randrange(len(data))
        data[at : at + 4096] = bytes(len(data[at : at + 4096]))
    else:
        data.clear()
    with path.open(
        "r+b"
    ) as file:  # in place, as a disk does it: releases that share the file share the damage
        file.write(data)
        file.truncate()
    return how


def _expect(code: int, allowed: set[int], said: str) -> str:
    if code not in allowed or (code >= 0 and "Traceback" in said):
        raise Wrong(f"exit status {code}: {said[-1500:]}")
    return {0: "built", -signal.SIGKILL: "killed", 130: "interrupted", -signal.SIGINT: "interrupted"}.get(
        code, f"refused ({code})"
    )


def _stage(site: Site) -> str:
    """How far the build is that is under way."""
    if list((site.corpus / "releases").glob(".tmp-*")):
        return "publishing"
    if (site.corpus / "current").resolve().name.startswith("r000003"):
        return "published"
    records = len(list((site.work / "extracted").rglob("*.arrow")))
    return {8: "before the first record", 12: "all records there"}.get(records, "extracting")


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


@contextmanager
def own_folder(folder: Path) -> Iterator[Path]:
    """Make a folder, and remove it at the end, whatever may be read in it."""
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)


def try_out(fault: Fault, number: int, origin: Site, folder: Path) -> Trial:
    """One trial, on a copy of `origin`."""
    rng = random.Random(f"{fault.name} {number}")
    name = f"{re.sub(r'[^a-z]+', '-', fault.name)}-{number}"
    with own_folder(folder / name) as place:
        (place / "models").symlink_to(origin.root.parent / "models")
        (place / "origin").symlink_to(origin.root)
        site = origin.copied(place / "site")
        try:
            ended = fault.disturb(site, rng)
        except (Wrong, OSError, subprocess.SubprocessError) as wrong:
            return Trial("", str(wrong))
        try:
            text = text_of(str(site.corpus) if site.address == "corpus" else site.address)
        except Exception as error:  # noqa: BLE001  # whatever it is: nothing can be read
            return Trial(ended, f"no release can be read: {error!r}")
        if fault.killed and text not in (site.before, site.after):
            return Trial(ended, "the release is not a whole one")
        return Trial(ended, site.recovers())


def read_damaged(
    origin: Site, folder: Path, ways: int, until: float, hows: Sequence[str]
) -> Iterator[tuple[Fault, list[Trial]]]:
    """Damage each file of a release in so many ways: each call must give an error of PageQuote, or the right
    answer.

    Damage that leaves the same bytes as damage before is asked once. Files come in turns, so that all of them
    had as many ways when the time `until` comes, at which no trial begins any more.
    """
    site = origin.copied(folder / "read" / "site")
    (site.root / "models").symlink_to(origin.root.parent / "models")
    release = (site.corpus / "current").resolve()
    _load_what_readers_load(site)
    right = _asked(site)
    if not isinstance(right, dict) or not all(right.values()):
        raise SystemExit(f"The undamaged release does not answer: {right}")
    files = sorted(path for path in release.rglob("*") if path.is_file())
    wholes = {path: path.read_bytes() for path in files}
    found: dict[str, list[Trial]] = {}
    known: dict[tuple[Path, bytes | None], Trial] = {}
    for number, path in product(range(ways), files):
        if time.monotonic() > until:
            break
        name = path.relative_to(release).as_posix()
        kind = (
            name
            if path.parent == release or not path.stem.isalnum()
            else f"{path.parent.name}/*{path.suffix}"
        )
        how = _damage(path, random.Random(f"{name} {number}"), hows)
        same = path, path.read_bytes() if path.exists() else None
        if same not in known:
            known[same] = _judged(_asked(site), right, how)
            print(name, number, known[same], file=sys.stderr)
        found.setdefault(kind, []).append(known[same])
        path.unlink(missing_ok=True)
        path.write_bytes(wholes[path])
    for kind, trials in found.items():
        yield Fault(f"read with a damaged {kind}", len(trials), damaged_release), trials


def _judged(answers: dict[str, str] | str, right: dict[str, str], how: str) -> Trial:
    if isinstance(answers, str):
        return Trial("", f"{how}: {answers}")
    wrong = [call for call, answer in answers.items() if answer not in ("", right[call])]
    ended = "some calls an error" if "" in answers.values() else "all answers right"
    return Trial(ended, f"{how}: other answers of {wrong}" if wrong else "")


def _load_what_readers_load(site: Site) -> None:
    """Import here what a reader imports, so that those that are forked have it; nothing is read here."""
    code = "import sys; from fault_site import answers_of; answers_of(sys.argv[1]); print(*sys.modules)"
    paths = os.pathsep.join(map(str, (HERE, HERE.parent)))
    loaded = subprocess.run(
        [sys.executable, "-c", code, site.corpus],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    for name in loaded.stdout.split():
        with suppress(ImportError):  # modules that others made
            import_module(name)


def _asked(site: Site) -> dict[str, str] | str:
    """`answers_of` the site, by a process of its own, forked since thousands are needed; or how that
    ended.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.alarm(_LONGEST)
        with os.fdopen(writing, "w") as pipe:
            try:
                json.dump(answers_of(str(site.corpus)), pipe)
            except BaseException as error:  # noqa: BLE001  # panics are no exceptions
                json.dump(repr(error), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    status = os.waitpid(child, 0)[1]
    found: dict[str, str] | str = json.loads(said) if not status else f"ended with status {status}"
    return found


_LONGEST = 600
"""Seconds after which a reader counts as hanging."""


def faults(kills: int, others: int, longest: float) -> list[Fault]:
    """All of them."""
    return [
        Fault("SIGKILL at a random moment", kills, killed_at_any_time(longest), killed=True),
        Fault("Ctrl-C at a random moment", others, interrupted),
        Fault("unreadable file", others // 2, unreadable_file),
        Fault("file that changes while it is read", others // 2, changing_file),
        Fault("two builds at once", others // 2, two_at_once),
        Fault("two machines and a reader on a network disk", others // 2, network_disk),
        Fault("damaged file in the work folder", others * 2, damaged_cache),
        Fault("damaged file of the current release", others * 2, damaged_release),
        Fault("one bit of a file in the work folder", others * 5, partial(damaged_cache, hows=("one bit",))),
        Fault("one bit of the current release", others * 5, partial(damaged_release, hows=("one bit",))),
    ]


def report(results: Sequence[tuple[Fault, Sequence[Trial]]]) -> str:
    """The table of all faults."""
    rows = []
    for fault, trials in results:
        ended = Counter(trial.ended for trial in trials if trial.ended)
        how = ", ".join(f"{name} {count}" for name, count in sorted(ended.items()))
        rows.append([fault.name, str(len(trials)), how, str(sum(bool(trial.lost) for trial in trials))])
    total = [trial for _, trials in results for trial in trials]
    rows.append(["all", str(len(total)), "", str(sum(bool(trial.lost) for trial in total))])
    return markdown_table(["fault", "trials", "how the disturbed build ended", "lost"], rows)


def _tried(
    chosen: Sequence[tuple[Fault, Site]], threads: ThreadPoolExecutor, until: float, folder: Path
) -> list[tuple[Fault, list[Trial]]]:
    """The trials of all faults, in an order of chance; those that have not begun by the time `until` are left
    out.
    """
    pairs = [(place, number) for place, (fault, _) in enumerate(chosen) for number in range(fault.trials)]
    random.Random(1).shuffle(pairs)
    results: list[tuple[Fault, list[Trial]]] = [(fault, []) for fault, _ in chosen]

    def one(pair: tuple[int, int]) -> None:
        fault, trials = results[pair[0]]
        if time.monotonic() < until:
            trials.append(try_out(fault, pair[1], chosen[pair[0]][1], folder))
            print(fault.name, pair[1], trials[-1], file=sys.stderr)

    list(threads.map(one, pairs))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description="Disturb builds, and count what is lost.")
    parser.add_argument("--kills", type=int, default=200, help="kills at random moments")
    parser.add_argument("--others", type=int, default=20, help="trials of most other faults")
    parser.add_argument(
        "--reads", type=int, default=20, help="ways in which each file of a release is damaged"
    )
    parser.add_argument("--damage", choices=_DAMAGES, help="of a file that is read; by default by chance")
    parser.add_argument("--jobs", type=int, default=3, help="trials at once")
    parser.add_argument("--minutes", type=float, default=600.0, help="begin no trial after so many")
    parser.add_argument("--only", default="", help="faults whose name has this")
    asked = parser.parse_args()
    # A shell starts what runs in the background with Ctrl-C ignored, and the builds would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # each process would compile what it imports
    with (
        tempfile.TemporaryDirectory() as temporary,
        ThreadPoolExecutor(asked.jobs) as threads,
        s3_server(Path(temporary, "s3.log")) as storage,
    ):
        folder = Path(temporary)
        preloaded(folder / "models")
        os.environ |= {
            **storage,
            CACHE_VARIABLE: str(folder / "cache"),
            "PAGEQUOTE_MODELS": str(folder / "models"),
        }
        origin = prepared_site(folder)
        make_bucket("origin", storage)
        began = time.monotonic()
        origin.copied(folder / "probe").build()
        longest = (time.monotonic() - began) * (1 + 0.3 * (asked.jobs - 1))  # the trials slow each other

        @cache
        def stored() -> Site:
            (folder / "stored").mkdir()
            (folder / "stored" / "models").symlink_to(folder / "models")
            return prepared_site(folder / "stored", "s3://origin/corpus")

        disturbed = [(fault, origin) for fault in faults(asked.kills, asked.others, longest)]
        for prepared, where in ((lambda: origin, ""), (stored, _IN_STORAGE)):
            disturbed += commands_disturbed(prepared, folder, asked.others * 2, where, asked.only)
        # Without root and a C compiler there is no network disk.
        shared = not os.geteuid() and (folder / "models" / NETWORK).exists()
        chosen = [
            (fault, site)
            for fault, site in disturbed
            if asked.only in fault.name and (shared or fault.disturb is not network_disk)
        ]
        until = time.monotonic() + 60 * asked.minutes

        damaged = []
        hows = (asked.damage,) if asked.damage else _DAMAGES
        if asked.reads and asked.only in "read with":
            damaged = list(read_damaged(origin, folder, asked.reads, until, hows))
        results = _tried(chosen, threads, until, folder)
    results += damaged
    for fault, trials in results:
        for trial in trials:
            if trial.lost:
                print(f"{fault.name}: {trial.lost}", file=sys.stderr)
    lost = sum(bool(trial.lost) for _, trials in results for trial in trials)
    print(report(results))
    print(f"\n{measured_on()}")
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
