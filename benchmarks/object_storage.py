"""What does a lookup fetch of a corpus in object storage, and how long does that take?
`python benchmarks/object_storage.py CORPUS ...`.

Each CORPUS, a folder, is served as objects by a server of this benchmark's own on the same machine, which
waits `--latency` before each answer: requests and bytes are those that S3 would see, times those of a storage
that answers so fast. (The tests run against moto's S3, which reads an object whole for each range of it.) The
peer is the same corpus on the disk.
"""

import argparse
import json
import multiprocessing
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

from cases import Case, draw_cases
from tables import markdown_table, measured_on

import lookup
from lookup.release.current import DATABASE, MANIFEST, RELEASES, Release, current_release
from lookup.storage.object_cache import CACHE_VARIABLE
from lookup.storage.object_release import CURRENT_OBJECT, FILES
from lookup.storage.objects import traffic

_T = TypeVar("_T")

_PHRASE = "a phrase that nobody prints"


@dataclass(frozen=True)
class Cost:
    """What a call asked for, and how long it took there and on the disk."""

    requests: int
    fetched: int
    seconds: float
    on_disk: float


def lay_out(release: Release, corpus: Path) -> None:
    """The objects of a corpus that has this release, as links in the folder `corpus`."""
    (corpus / FILES).mkdir(parents=True)
    (corpus / RELEASES / release.name).mkdir(parents=True)
    objects = {}
    manifest = release.folder / MANIFEST
    files = [file for file in release.folder.rglob("*") if file.is_file() and file != manifest]
    for file in sorted(files):
        # Of the place, since to hash the content takes longer: what is kept on the disk is kept by this name.
        name = f"{FILES}/{sha256(str(file).encode()).hexdigest()}{file.suffix}"
        (corpus / name).symlink_to(file)
        objects[str(file.relative_to(release.folder))] = {"object": name, "bytes": file.stat().st_size}
    content = json.dumps(release.manifest | {"objects": objects})
    (corpus / RELEASES / release.name / MANIFEST).write_text(content)
    (corpus / CURRENT_OBJECT).write_text(release.name)


class _Objects(BaseHTTPRequestHandler):
    """GET of files below a folder, whole or a range."""

    protocol_version = "HTTP/1.1"

    def __init__(self, folder: Path, latency: float, *args: Any) -> None:
        self.folder, self.latency = folder, latency
        super().__init__(*args)

    def do_GET(self) -> None:  # as the base class has it
        time.sleep(self.latency)
        file = self.folder / self.path.lstrip("/")
        if not file.is_file():
            self.send_error(404)
            return
        size = file.stat().st_size
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), min(int(asked[2]), size - 1)) if asked else (0, size - 1)
        self.send_response(206 if asked else 200)
        self.send_header("Content-Length", str(last - first + 1))
        self.send_header("ETag", '"unchanging"')
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        with file.open("rb") as content:
            content.seek(first)
            self.wfile.write(content.read(last - first + 1))

    def log_message(self, *_: object) -> None:
        pass


def _serve(folder: Path, latency: float, port: Any) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Objects, folder, latency))
    port.value = server.server_port
    server.serve_forever()


@contextmanager
def served(folder: Path, latency: float) -> Iterator[None]:
    """Let the environment's object storage be what is in `folder`."""
    port = multiprocessing.Value("i", 0)
    server = multiprocessing.Process(target=_serve, args=(folder, latency, port), daemon=True)
    server.start()
    while not port.value:
        time.sleep(0.01)
    os.environ |= {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port.value}",
        "AWS_ACCESS_KEY_ID": "benchmark",
        "AWS_SECRET_ACCESS_KEY": "benchmark",
        "AWS_REGION": "us-east-1",
    }
    try:
        yield
    finally:
        server.terminate()
        server.join()


def measure(address: str, folder: Path, cases: list[Case]) -> dict[str, Cost]:
    """Medians over `cases` of what each kind of call costs."""
    first: list[Cost] = []
    opening: list[Cost] = []
    for case in cases:
        cost, (there, here) = _cost(partial(lookup.open, address), partial(lookup.open, folder))
        opening.append(cost)
        with there, here:
            first.append(_quote(there, here, case))
    with lookup.open(address) as there, lookup.open(folder) as here:
        _quote(there, here, cases[0])
        later = [_quote(there, here, case) for case in cases[1:]]
        again = [_quote(there, here, case) for case in cases[-3:]]
    with lookup.open(address) as there, lookup.open(folder) as here:
        near = [_near(there, here, case) for case in cases if there.release.model]
    with lookup.open(address) as there, lookup.open(folder) as here:
        grep, _ = _cost(partial(there.grep, _PHRASE), partial(here.grep, _PHRASE))
        searches = [_search(there, here, case) for case in cases]
    costs = {
        "`lookup.open`": _medians(opening),
        "the first quote": _medians(first),
        "a quote from another paper": _medians(later),
        "a quote from a paper asked for before": _medians(again),
        "the first grep, which fetches the index of words": grep,
        "the first search by words after it": searches[0],
        "a search by other words": _medians(searches[1:]),
    }
    return costs | ({"the sentences of one paper nearest in meaning": _medians(near)} if near else {})


def _quote(there: lookup.Corpus, here: lookup.Corpus, case: Case) -> Cost:
    cost, answers = _cost(
        partial(there.quote, case.key, case.words), partial(here.quote, case.key, case.words)
    )
    if answers[0] != answers[1] or answers[0].matches[0].verdict != "verbatim":
        raise SystemExit(f"{case} is answered otherwise from object storage.")
    return cost


def _search(there: lookup.Corpus, here: lookup.Corpus, case: Case) -> Cost:
    cost, answers = _cost(
        partial(there.search, case.words, mode="lexical"), partial(here.search, case.words, mode="lexical")
    )
    if answers[0] != answers[1] or not answers[0].hits:
        raise SystemExit(f"{case} is found otherwise in object storage.")
    return cost


def _near(there: lookup.Corpus, here: lookup.Corpus, case: Case) -> Cost:
    cost, answers = _cost(
        partial(there.sentences, case.words, keys=[case.key]),
        partial(here.sentences, case.words, keys=[case.key]),
    )
    if answers[0] != answers[1]:
        raise SystemExit(f"{case} is answered otherwise from object storage.")
    return cost


def _cost(there: Callable[[], _T], here: Callable[[], _T]) -> tuple[Cost, tuple[_T, _T]]:
    """What one call costs there, and how long the other takes here; and what they gave."""
    before, began = traffic(), time.perf_counter()
    far = there()
    seconds, after, began = time.perf_counter() - began, traffic(), time.perf_counter()
    near = here()
    on_disk = time.perf_counter() - began
    return Cost(after.requests - before.requests, after.fetched - before.fetched, seconds, on_disk), (
        far,
        near,
    )


def _medians(costs: list[Cost]) -> Cost:
    return Cost(
        round(median(cost.requests for cost in costs)),
        round(median(cost.fetched for cost in costs)),
        median(cost.seconds for cost in costs),
        median(cost.on_disk for cost in costs),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Count and time what lookups fetch from object storage.")
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--cases", type=int, default=20)
    parser.add_argument("--latency", type=float, default=0.03, help="seconds before each answer")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        bucket = Path(temporary) / "bucket"
        releases = [current_release(corpus) for corpus in asked.corpora]
        for number, release in enumerate(releases):
            lay_out(release, bucket / str(number))
        os.environ[CACHE_VARIABLE] = str(Path(temporary) / "cache")
        with served(Path(temporary), asked.latency):
            for number, release in enumerate(releases):
                costs = measure(
                    f"s3://bucket/{number}", release.folder, draw_cases(release.folder, asked.cases)
                )
                size = sum((part / DATABASE).stat().st_size for part in release.parts)
                pieces = f"in {release.shards} shards" if release.shards else "in one piece"
                held = f"{release.manifest['rows']['paragraphs']:,} paragraphs {pieces}"
                print(f"{held}, databases of {size / 1e6:,.1f} MB:\n")
                head = ["", "requests", "MB fetched", "ms", "ms on the disk"]
                rows = [
                    [name, str(cost.requests), f"{cost.fetched / 1e6:.2f}", f"{1000 * cost.seconds:.0f}",
                    f"{1000 * cost.on_disk:.1f}"]
                    for name, cost in costs.items()
                ]  # fmt: skip
                print(markdown_table(head, rows) + "\n")
    print(
        f"Medians of {asked.cases} papers (the first grep and the first search once); "
        f"{1000 * asked.latency:.0f} ms before each answer.\n\n{measured_on()}"
    )


if __name__ == "__main__":
    main()
