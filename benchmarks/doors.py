"""Does each door stand ten minutes of 20 clients?
`python benchmarks/doors.py CORPUS [--seconds 600] [--clients 20]`.

So many clients ask each of three doors at once: pages and JSON of `pagequote serve`, calls of `pagequote mcp
--http`. Each keeps its connection and asks on as soon as it is answered: for quotes, half of which
have a word that the paper does not print, searches, pages and papers; in a browser also for pictures and
drafts, half of which were made to take long. An answer is wrong if its status is not 200, or its verdict not
that of the words; what a busy machine puts off (503 with Retry-After) is counted apart. The memory of a
server, with its processes, and its open files are read after each third: the last may be a tenth above the
second.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from cases import Case, draw_cases
from tables import markdown_table, measured_on

import lookup

_COUNT = 150
_GROWS = 1.1
_WORST = {
    "markdown": ("".join("`" * length + "a" for length in range(1, 340)), "[a](<b", "<!-- ", "$a", "“"),
    "typst": ("#cite(<a",),
    "latex": ("\\iffalse ", "“"),
}
"""What took a reader of manuscripts a minute once: what is written again and again, by markup."""

_LONGEST = 58_000
"""Characters of such a draft; 60,000 are accepted."""

_BOUNDARY = "between-two-fields"  # Pages send a draft in parts.

_SERVERS = {"browser": ("serve",), "API": ("serve",), "agents": ("mcp", "--http")}

Request = tuple[str, str, bytes, str, re.Pattern[bytes] | None]
"""What is asked for, its path, its body with its type, and what a right answer holds."""


def with_verdicts(corpus: Path, cases: Sequence[Case]) -> list[tuple[Case, str]]:
    """Return the cases, and for each a second one with a word that is not printed, with their verdicts."""
    with lookup.open(corpus) as opened:
        both = [
            Case(case.key, words)
            for case in cases
            for words in (case.words, "{} turnips {}".format(*case.words.split(" ", 1)))
        ]
        found = [(case, opened.quote(case.key, case.words).matches) for case in both]
    return [(case, matches[0].verdict) for case, matches in found if matches]


def request(door: str, case: Case, right: str, rng: random.Random) -> Request:
    """Return a request of a client of this door."""
    draw = rng.random()
    kind = "quote" if draw < 0.7 else "search" if draw < 0.8 else "page" if draw < 0.9 else "papers"
    arguments: dict[str, dict[str, object]] = {
        "quote": {"key": case.key, "query": case.words},
        "search": {"query": " ".join(case.words.split()[:3])},
        "page": {"key": case.key, "page": 1},
    }
    given = arguments.get(kind, {})
    verdict = re.compile(rf'(?:verdict\\?":\s?\\?"|badge ){right}'.encode()) if kind == "quote" else None
    if door == "agents":
        tool = {"quote": "get_quote", "page": "get_page", "papers": "list_papers"}.get(kind, kind)
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": given},
        }
        return kind, "/mcp", json.dumps(call).encode(), "application/json", verdict
    if door == "API":
        address = f"papers/{case.key}/pages/1" if kind == "page" else f"{kind}?{urlencode(given)}"
        return kind, f"/api/{address}", b"", "", verdict
    if kind == "papers" and rng.random() < 0.5:
        markup = rng.choice([*_WORST])
        unit = rng.choice(_WORST[markup])
        text = rng.choice([f"“{case.words}” [@{{{case.key}}}, p. 1].", (unit * _LONGEST)[:_LONGEST]])
        parts = {"text": text, "markup": markup}.items()
        fields = (f'Content-Disposition: form-data; name="{name}"\r\n\r\n{given}' for name, given in parts)
        body = "".join(f"--{_BOUNDARY}\r\n{one}\r\n" for one in fields) + f"--{_BOUNDARY}--\r\n"
        return "draft", "/draft", body.encode(), f"multipart/form-data; boundary={_BOUNDARY}", None
    path = {"papers": "/paper"}.get(kind, f"/{kind}")
    return kind, f"{path}?{urlencode(given or {'key': case.key})}", b"", "", verdict


class Client:
    """One connection to a door: how long each kind of request took, how often it was to ask again later, and
    what was wrong.
    """

    def __init__(self, door: str, address: str, cases: list[tuple[Case, str]], number: int) -> None:
        self._door, self._where, self._cases = door, urlsplit(address), cases
        self._random = random.Random(f"{door} {number}")
        self.took: list[tuple[str, float]] = []
        self.wrong: list[str] = []
        self.put_off: Counter[str] = Counter()

    async def ask_on(self, until: float) -> None:
        """Ask without a pause until this time."""
        await self._connect()
        while time.perf_counter() < until:
            kind, path, body, form, right = request(
                self._door, *self._random.choice(self._cases), self._random
            )
            page = await self._answer(kind, path, body, form)
            if right and page is not None and not right.search(page):
                self.wrong.append(f"{self._door}: {path} {body[:300]!r}: not {right.pattern!r}")
            if self._door == "browser" and kind == "quote" and self._random.random() < 0.2:
                image = re.search(rb'<img src="([^"]+)"', page or b"")
                if image:
                    await self._answer("picture", unescape(image[1].decode()), b"", "")
        self._writer.close()

    async def _connect(self) -> None:
        where = self._where
        self._reader, self._writer = await asyncio.open_connection(where.hostname, where.port)

    async def _answer(self, kind: str, path: str, body: bytes, form: str) -> bytes | None:
        """Return the answer, None where it is put off or none comes; ask once more where the server has
        closed a connection that waited.
        """
        began = time.perf_counter()
        more = f"Content-Type: {form}\r\nContent-Length: {len(body)}\r\n" if body else ""
        accept = "application/json, text/event-stream" if self._door == "agents" else "*/*"
        head = f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: {self._where.netloc}\r\n"
        for _ in range(2):
            self._writer.write(f"{head}Accept: {accept}\r\n{more}\r\n".encode() + body)
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                answered = await self._reader.readuntil(b"\r\n\r\n")
                break
            await self._connect()
        else:
            self.wrong.append(f"{self._door}: closed {path}")
            return None
        length = re.search(rb"(?i)content-length: (\d+)", answered)
        content = await self._reader.readexactly(int(length[1])) if length else b""
        self.took.append((kind, time.perf_counter() - began))
        status = answered.split(b" ", 2)[1].decode()
        if status == "503" and b"retry-after:" in answered.lower():
            self.put_off[kind] += 1
            return None
        if status != "200":
            self.wrong.append(f"{self._door}: {status} {path}")
        return content


def used(pid: int) -> tuple[int, int]:
    """Return the MiB of a process and of those that it began, and their open files."""
    pages, files, left = 0, 0, [pid]
    while left:
        one = Path(f"/proc/{left.pop()}")
        try:
            pages += int((one / "statm").read_text().split()[1])
            files += sum(1 for _ in (one / "fd").iterdir())
            left += [int(child) for task in one.glob("task/*/children") for child in task.read_text().split()]
        except OSError:  # it has ended
            continue
    return pages * 4096 >> 20, files


def address_of(server: "subprocess.Popen[str]") -> str:
    """Return the address that a server announces."""
    assert server.stdout
    return next(line.split()[-1] for line in server.stdout if "http://" in line)


async def crowd(
    servers: dict[str, tuple[int, str]], cases: list[tuple[Case, str]], each: int, seconds: float
) -> tuple[dict[str, list[Client]], dict[str, list[tuple[int, int]]]]:
    """Return the clients of each door, and what each server used after each third."""
    clients = {
        door: [Client(door, address, cases, number) for number in range(each)]
        for door, (_, address) in servers.items()
    }
    until = time.perf_counter() + seconds
    work = asyncio.gather(*(one.ask_on(until) for group in clients.values() for one in group))
    held: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for _ in range(3):
        await asyncio.sleep(seconds / 3 - 0.5)
        for door, (pid, _) in servers.items():
            held[door].append(used(pid))
    await work
    return clients, held


def main() -> None:
    """Start the servers, and print what they answered."""
    parser = argparse.ArgumentParser(description="Ask each door for minutes.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=20, help="of each door")
    asked = parser.parse_args()
    cases = with_verdicts(asked.corpus, draw_cases(asked.corpus, _COUNT))
    begun = {
        command: subprocess.Popen(
            [sys.executable, "-m", "pagequote", *command, "--port", "0", "--corpus", str(asked.corpus)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for command in set(_SERVERS.values())
    }
    try:
        said = {command: (one.pid, address_of(one)) for command, one in begun.items()}
        servers = {door: said[command] for door, command in _SERVERS.items()}
        clients, held = asyncio.run(crowd(servers, cases, asked.clients, asked.seconds))
    finally:
        for one in begun.values():
            one.terminate()
            one.wait()
    rows, wrong, grown = [], [], False
    for door, group in clients.items():
        faults = [fault for one in group for fault in one.wrong]
        times = sorted(took for one in group for _, took in one.took)
        shown = [f"{1000 * times[int(share * (len(times) - 1))]:.0f}" for share in (0.5, 0.95, 1)]
        later = sum((one.put_off for one in group), Counter[str]())
        put_off = ", ".join(f"{count} {kind}" for kind, count in later.items()) or "-"
        memory, files = (" ".join(str(one[place]) for one in held[door]) for place in (0, 1))
        rows.append(
            [door, str(asked.clients), str(len(times)), str(len(faults)), put_off, *shown, memory, files]
        )
        wrong += faults
        grown |= any(held[door][2][place] > _GROWS * held[door][1][place] + 8 for place in (0, 1))
    head = ["door", "clients", "requests", "wrong", "put off", "median, ms", "95 %, ms", "longest, ms"]
    print(markdown_table([*head, "MiB after each third", "open files"], rows))
    print(f"\n{asked.seconds:.0f} s; browser and API are one server. {measured_on()}")
    for fault in wrong[:10]:
        print(fault, file=sys.stderr)
    sys.exit(bool(wrong) or grown)


if __name__ == "__main__":
    main()
