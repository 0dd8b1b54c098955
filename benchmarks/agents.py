"""What do agents pay for the tools, and how long do they wait, alone and among twenty?
`python benchmarks/agents.py CORPUS [--before CHECKOUT CORPUS]`.

Each client is a connection to `pagequote mcp --http` that is kept, and sends one call after another. With
`--before`, a server of other code over a release of its own is asked in turn with the one of this code, so
that both have the same neighbours on the machine. Processor time is that of the server and its processes.
"""

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from cases import Case, draw_cases
from tables import markdown_table, measured_on

_CHARACTERS_A_TOKEN = 4
_CLIENTS = {1: 40, 20: 10}
"""Clients at once, and the calls that each of them sends."""
_WARM = 3
_ROUNDS = 2
"""Times that each kind of call is measured, old and new code in turn."""

_CHANGED = "turnips"
_TOPIC = "how long do antibodies stay in the blood after birth"

Asked = tuple[str, dict[str, Any]]


@dataclass(frozen=True)
class Names:
    """What the tools of a server are called."""

    tools: frozenset[str]

    def keywords(self, words: str) -> Asked:
        """Return the search for keywords, as its description recommends it."""
        return ("find", {"query": words}) if "find" in self.tools else ("search_context", {"keywords": words})

    def phrase(self, words: str) -> Asked:
        """Return the search for words as printed."""
        if "find" in self.tools:
            return "find", {"query": words, "mode": "phrase"}
        return "grep_raw", {"phrase": words}

    def papers(self, words: str) -> Asked:
        """Return the search for a paper."""
        return "list_papers", {"query" if "find" in self.tools else "words": words}


def _misquoted(words: str) -> str:
    first, *rest = words.split()
    return " ".join([first, _CHANGED, *rest[1:]])


def _checked(cases: list[Case]) -> Asked:
    return "check_quotes", {"quotes": [{"key": case.key, "quote": case.words} for case in cases]}


def ten_answers(names: Names, cases: list[Case]) -> dict[str, Asked]:
    """Return ten usual calls by what they are."""
    one = cases[0]
    bad = [Case(case.key, _misquoted(case.words)) for case in cases[1:10]]
    return {
        "`get_quote`, verbatim": ("get_quote", {"key": one.key, "query": one.words}),
        "`get_quote`, near": ("get_quote", {"key": one.key, "query": _misquoted(one.words)}),
        "`get_quote`, related": ("get_quote", {"key": one.key, "query": f"{_TOPIC} {one.words[:40]}"}),
        "`check_quotes`, one": _checked([one]),
        "`check_quotes`, ten, nine of them near": _checked([one, *bad]),
        "`search`": ("search", {"query": _TOPIC}),
        "keywords (`search_context`; `find`)": names.keywords("antibodies blood"),
        "a phrase (`grep_raw`; `find`)": names.phrase(one.words),
        "`list_papers`": names.papers(one.key),
        "`get_page`": ("get_page", {"key": one.key, "page": 2}),
    }


def timed_calls(names: Names, cases: list[Case]) -> dict[str, Callable[[], Iterator[Asked]]]:
    """Return endless calls of each kind, no two of which ask for the same words one after the other."""

    def from_cases(count: int, asked: Callable[[list[Case]], Asked]) -> Callable[[], Iterator[Asked]]:
        def calls() -> Iterator[Asked]:
            at = 0
            while True:
                yield asked([cases[(at + number) % len(cases)] for number in range(count)])
                at += count

        return calls

    return {
        "`get_quote`": from_cases(1, lambda one: ("get_quote", {"key": one[0].key, "query": one[0].words})),
        "`check_quotes`, 1": from_cases(1, _checked),
        "`check_quotes`, 5": from_cases(5, _checked),
        "`check_quotes`, 20": from_cases(20, _checked),
        "`search` by words": from_cases(
            1, lambda some: ("search", {"query": some[0].words, "mode": "lexical"})
        ),
        "keywords": from_cases(1, lambda some: names.keywords(" ".join(some[0].words.split()[:2]))),
        "`list_papers`": from_cases(1, lambda some: names.papers(some[0].key)),
        "`get_page`": from_cases(1, lambda some: ("get_page", {"key": some[0].key, "page": 2})),
    }


class Connection:
    """A connection that is kept, as clients keep it."""

    def __init__(self, address: str) -> None:
        self._where = urlsplit(address)
        self._number = 0

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection(self._where.hostname, self._where.port)

    async def ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a request. An answer that says that it failed ends the benchmark."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters}
        body = json.dumps(message, ensure_ascii=False).encode()
        head = (
            f"POST {self._where.path} HTTP/1.1\r\nHost: {self._where.netloc}\r\n"
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            f"MCP-Protocol-Version: 2025-06-18\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._writer.write(head.encode() + body)
        answered = await self._reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", answered)
        content = await self._reader.readexactly(int(length[1])) if length else b""
        reply = json.loads(content) if answered.split(b" ", 2)[1] == b"200" else {}
        if "result" not in reply or reply["result"].get("isError"):
            raise SystemExit(f"{parameters} was answered by {answered!r} {content[:500]!r}")
        result: dict[str, Any] = reply["result"]
        return result

    async def call(self, asked: Asked) -> str:
        """Return the text of an answer."""
        name, arguments = asked
        answer = await self.ask("tools/call", {"name": name, "arguments": arguments})
        text: str = answer["content"][0]["text"]
        return text

    def close(self) -> None:
        self._writer.close()


class Server:
    """A process that serves agents: the code of `checkout` over a corpus."""

    def __init__(self, checkout: Path, corpus: Path) -> None:
        command = [sys.executable, "-P", "-m", "pagequote", "mcp", "--http", "--port", "0"]
        environment = {**os.environ, "PYTHONPATH": str(checkout.resolve())}
        self._process = subprocess.Popen(
            [*command, "--corpus", str(corpus)], stderr=subprocess.PIPE, text=True, env=environment
        )
        assert self._process.stderr
        self.address = next(word for word in self._process.stderr.readline().split() if "://" in word)

    def processor(self) -> float:
        """Return the seconds of processor of the server and its processes, ended ones too."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            number = int(stat.parent.name)
            if number == self._process.pid or int(fields[1]) == self._process.pid:
                ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()


@dataclass
class Timed:
    """How long the calls of a kind took, in ms, and what they cost the processor."""

    waits: list[float]
    processor: float

    def cells(self) -> list[str]:
        """Return median, 95th percentile, and processor time a call."""
        p95 = quantiles(self.waits, n=20)[-1]
        return [
            f"{median(self.waits):.0f}",
            f"{p95:.0f}",
            f"{1000 * self.processor / len(self.waits):.1f}",
        ]


async def _time(server: Server, calls: Iterator[Asked], clients: int, each: int) -> Timed:
    waits: list[float] = []

    async def client(mine: list[Asked]) -> None:
        connection = Connection(server.address)
        await connection.open()
        for asked in mine:
            begun = perf_counter()
            await connection.call(asked)
            waits.append(1000 * (perf_counter() - begun))
        connection.close()

    before = server.processor()
    await asyncio.gather(*(client(list(islice(calls, each))) for _ in range(clients)))
    return Timed(waits, server.processor() - before)


async def _told(server: Server) -> tuple[Names, int]:
    """Return the names of a server's tools, and the tokens of their list."""
    connection = Connection(server.address)
    await connection.open()
    tools = (await connection.ask("tools/list", {}))["tools"]
    connection.close()
    listed = len(json.dumps(tools, ensure_ascii=False, separators=(",", ":"))) // _CHARACTERS_A_TOKEN
    return Names(frozenset(tool["name"] for tool in tools)), listed


async def _measure(servers: list[Server], cases: list[Case], *, timed: bool) -> None:
    told = [await _told(server) for server in servers]
    rows = [
        ["tools", *(str(len(names.tools)) for names, _ in told)],
        ["list of tools, tokens", *(f"{listed:,}" for _, listed in told)],
    ]
    sums = [0] * len(servers)
    for what in ten_answers(told[0][0], cases):
        cells = []
        for number, server in enumerate(servers):
            connection = Connection(server.address)
            await connection.open()
            text = await connection.call(ten_answers(told[number][0], cases)[what])
            connection.close()
            cells.append(f"{len(text) // _CHARACTERS_A_TOKEN:,}")
            sums[number] += len(text) // _CHARACTERS_A_TOKEN
        rows.append([what, *cells])
    rows.append(["ten answers, tokens", *(f"{total:,}" for total in sums)])
    columns = ["before", "now"][-len(servers) :]
    print(markdown_table(["", *columns], rows), flush=True)
    if not timed:
        return
    rows = []
    for clients, each in _CLIENTS.items():
        for what in timed_calls(told[0][0], cases):
            calls = [timed_calls(names, cases)[what]() for names, _ in told]
            found = [Timed([], 0) for _ in servers]
            for server, asked in zip(servers, calls, strict=True):
                await _time(server, asked, clients, _WARM)
            for _ in range(_ROUNDS):
                for server, asked, so_far in zip(servers, calls, found, strict=True):
                    more = await _time(server, asked, clients, each)
                    so_far.waits += more.waits
                    so_far.processor += more.processor
            cells = [cell for one in zip(*(one.cells() for one in found), strict=True) for cell in one]
            rows.append([str(clients), what, *cells])
    measures = ("median, ms", "p95, ms", "processor a call, ms")
    heads = [f"{measure}: {column}" for measure in measures for column in columns]
    print("\n" + markdown_table(["clients", "call", *heads], rows))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--before", type=Path, nargs=2, metavar=("CHECKOUT", "CORPUS"))
    parser.add_argument("--tokens", action="store_true", help="count tokens, and time nothing")
    given = parser.parse_args()
    cases = draw_cases(given.corpus, 200)
    asked = [given.before] if given.before else []
    servers = []
    load = os.getloadavg()[0]
    try:
        for checkout, corpus in [*asked, (Path(__file__).parents[1], given.corpus)]:
            servers.append(Server(checkout, corpus))
        asyncio.run(_measure(servers, cases, timed=not given.tokens))
    finally:
        for server in servers:
            server.end()
    print(f"\n{measured_on()}; load at the start {load:.1f}, at the end {os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    main()
