"""Do clients with the token wait while others hold connections?
`python benchmarks/strangers.py CORPUS [--owing] [--rounds 20]`.

HOLDERS connections without a token, of another process on the same machine and so from the same address, say
nothing or half a head, and open again two seconds after they are closed. Next to them CLIENTS with the token
ask for a quote each, ROUNDS times, by connections of their own. That is measured without the others, for
ALONE rounds at most, and with them in turn, TIMES times; the table has medians, and below it is how their
95th percentiles relate; wrong is any answer but 200. All is asked of one `pagequote serve` that this starts
on 127.0.0.1.

With `--owing` the others are 448 connections of eight IPv6 addresses of one network, which owe the body of a
request, in a network of its own (root, `unshare`, `ip`); the clients have addresses of another network.
"""

import argparse
import asyncio
import os
import shlex
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from urllib.parse import quote_plus

from tables import markdown_table, measured_on

import lookup

HOLDERS, OWING, CLIENTS, TIMES, ALONE = 1_000, 448, 20, 5, 40
_SERVER, _CLIENTS, _STRANGERS = "fd00:1::1", "fd00:2::1", [f"fd00:3::{number}" for number in range(1, 9)]
_ADDRESSES = "; ".join(f"ip -6 addr add {one}/64 dev lo nodad" for one in (_SERVER, _CLIENTS, *_STRANGERS))
_TOKEN = "a-token-that-nobody-guesses"  # of this server alone
_PATIENCE = 30.0


async def hold_all(port: int, holders: int, host: str) -> None:
    """Hold so many connections; print a line once they are there, and for each that is closed."""
    holding = [asyncio.create_task(hold(host, port, number)) for number in range(holders)]
    await asyncio.sleep(2)
    print(flush=True)
    await asyncio.gather(*holding)


async def hold(host: str, port: int, number: int) -> None:
    """Hold a connection open, and another one when it is closed, without end."""
    while True:
        try:
            owing = host == _SERVER
            source = (_STRANGERS[number % len(_STRANGERS)], 0) if owing else None
            reader, writer = await asyncio.open_connection(host, port, local_addr=source)
            if owing:
                writer.write(b"POST /zzz HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
            elif number % 2:
                writer.write(b"GET / HT")
            await reader.read()
            print(flush=True)
            writer.close()
        except OSError:
            pass
        await asyncio.sleep(2)


async def ask(host: str, port: int, path: str) -> tuple[float, bool]:
    """Ask by a connection of its own; return how long it took, and whether the answer was right."""
    began = time.perf_counter()
    try:
        source = (_CLIENTS, 0) if host == _SERVER else None
        reader, writer = await asyncio.open_connection(host, port, local_addr=source)
        named = f"[{host}]" if source else host
        head = f"GET {path} HTTP/1.1\r\nHost: {named}:{port}\r\nAuthorization: Bearer {_TOKEN}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode())
        said = await asyncio.wait_for(reader.read(), _PATIENCE)
        writer.close()
    except (OSError, TimeoutError):
        said = b""
    return time.perf_counter() - began, said.startswith(b"HTTP/1.1 200")


async def measured(host: str, port: int, path: str, holders: int, rounds: int) -> list[float]:
    """Return the connections that the server closed, answers, wrong ones, the clients' times in ms, and the
    seconds that it lasted.
    """
    began = time.perf_counter()
    rounds = rounds if holders else min(rounds, ALONE)
    holding = [sys.executable, __file__, "--hold", str(port), str(holders), host]
    strangers = await asyncio.create_subprocess_exec(*holding, stdout=subprocess.PIPE)
    assert strangers.stdout
    await strangers.stdout.readline()

    async def client() -> list[tuple[float, bool]]:
        return [await ask(host, port, path) for _ in range(rounds)]

    found = [one for each in await asyncio.gather(*(client() for _ in range(CLIENTS))) for one in each]
    with suppress(ProcessLookupError):  # of none there is nothing to end
        strangers.terminate()
    closed = (await strangers.stdout.read()).count(b"\n")
    times = sorted(seconds for seconds, _ in found)
    wrong = sum(not right for _, right in found)
    at = [times[int(len(times) * share)] * 1000 for share in (0.5, 0.95, 0.9999)]
    return [closed, len(found), wrong, *at, time.perf_counter() - began]


def main() -> None:
    """Start a server, and measure."""
    parser = argparse.ArgumentParser(description="Hold connections beside honest clients.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--owing", action="store_true", help="connections of one network that owe a body")
    parser.add_argument("--rounds", type=int, default=20, help="quotes that each client asks for")
    if sys.argv[1:2] == ["--hold"]:
        asyncio.run(hold_all(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
        return
    asked = parser.parse_args()
    if asked.owing and "PAGEQUOTE_APART" not in os.environ:
        again = shlex.join([sys.executable, *sys.argv])
        shell = f"ip link set lo up; {_ADDRESSES}; PAGEQUOTE_APART=1 exec {again}"
        sys.exit(subprocess.run(["unshare", "--net", "sh", "-c", shell], check=False).returncode)
    corpus, host = asked.corpus, _SERVER if asked.owing else "127.0.0.1"
    most = OWING if asked.owing else HOLDERS
    with lookup.open(corpus) as opened:
        key = opened.papers()[0].key
        words = quote_plus(" ".join(opened.document(key).split()[20:28]))
    with tempfile.TemporaryDirectory() as folder:
        token = Path(folder) / "token"
        token.write_text(_TOKEN)
        command = [sys.executable, "-m", "pagequote", "serve", "--port", "0", "--token-file", str(token)]
        command += ["--host", host, "--rate", "0"] if asked.owing else []
        server = subprocess.Popen(
            [*command, "--corpus", str(corpus)], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout
            said = server.stdout.readline()
            port = int(said.rstrip("/\n").rpartition(":")[2].partition("/")[0])
            path = f"/api/quote?key={key}&query={words}"
            found = [
                [asyncio.run(measured(host, port, path, holders, asked.rounds)) for holders in (0, most)]
                for _ in range(TIMES)
            ]
        finally:
            server.terminate()
            server.wait(30)
    rows = []
    for holders, runs in zip((0, most), zip(*found, strict=True), strict=True):
        closed, trials, wrong = (sum(run[column] for run in runs) for column in range(3))
        times = [f"{median(run[column] for run in runs):.0f}" for column in range(3, 6)]
        rows.append([str(holders), f"{closed:.0f}", f"{trials:.0f}", f"{wrong:.0f}", *times])
    head = ["held", "closed by the server", "trials", "wrong", "p50 ms", "p95 ms", "longest ms"]
    print(markdown_table(head, rows))
    ratios = [beside[4] / alone[4] for alone, beside in found]
    shown = ", ".join(f"{one:.2f}" for one in ratios)
    lasted = sum(beside[6] for _, beside in found)
    print(f"\np95 next to them, {lasted:.0f} s in all, to p95 alone: {median(ratios):.2f} (of {shown}).")
    print(measured_on())
    sys.exit(any(run[2] for pair in found for run in pair))


if __name__ == "__main__":
    main()
