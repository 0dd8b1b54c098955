"""How long do 50 browsers wait for the reading room?
`python benchmarks/reading_room.py CORPUS [--seconds 60] [--clients 50]`.

Each client is a connection that is kept, as a browser keeps it: it opens a page, reads for a second or so,
and opens the next. Seven of ten are quotes drawn from the corpus (one of seven with a word that the paper
does not print), the others searches, pages, papers and drafts, half of these made to take long. Some also
load the picture of the page. A second run leaves the reading out: then the clients ask as fast as they are
answered.
"""

import argparse
import asyncio
import random
import re
import subprocess
import sys
import time
from collections import defaultdict
from html import unescape
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from cases import Case, draw_cases
from tables import markdown_table, measured_on

_COUNT = 500
_READING = (0.5, 1.5)
"""Seconds between the answer to one request and the next."""

_PICTURES = 0.2
"""Share of the quotes whose picture is loaded too."""

_WORST = (
    ("markdown", "".join("`" * length + "a" for length in range(1, 340))),
    ("markdown", "[a](<b"),
    ("markdown", "<!-- "),
    ("markdown", "$a"),
    ("markdown", "“"),
    ("typst", "#cite(<a"),
    ("latex", "\\iffalse "),
    ("latex", "“"),
)
"""What took a reader of manuscripts a minute once: a markup, and what is written again and again in it."""

_LONGEST = 58_000
"""Characters of such a draft; 60,000 are accepted."""

_TARGET = "no error; 95 % within 200 ms"


class Browser:
    """One connection, and how long each kind of request took."""

    def __init__(
        self, address: str, cases: list[Case], number: int, took: "defaultdict[str, list[float]]"
    ) -> None:
        self._where = urlsplit(address)
        self._cases = cases
        self._random = random.Random(number)
        self._took = took
        self.errors: list[str] = []

    async def visit(self, until: float, *, reading: bool) -> None:
        reader, writer = await asyncio.open_connection(self._where.hostname, self._where.port)
        if reading:
            await asyncio.sleep(self._random.uniform(0, _READING[1]))  # nobody comes at the same moment
        while time.perf_counter() < until:
            kind, path, body = self._next()
            page = await self._ask(reader, writer, kind, path, body)
            if (
                kind == "quote"
                and self._random.random() < _PICTURES
                and (image := re.search(rb'<img src="([^"]+)"', page))
            ):
                await self._ask(reader, writer, "picture", unescape(image[1].decode()), b"")
            if reading:
                await asyncio.sleep(self._random.uniform(*_READING))
        writer.close()

    def _next(self) -> tuple[str, str, bytes]:
        case = self._random.choice(self._cases)
        draw = self._random.random()
        if draw < 0.7:
            words = case.words
            if draw < 0.1:
                first, *rest = words.split()
                words = " ".join([first, "turnips", *rest])
            return "quote", f"/quote?{urlencode({'key': case.key, 'query': words})}", b""
        if draw < 0.8:
            return "search", f"/search?{urlencode({'query': ' '.join(case.words.split()[:3])})}", b""
        if draw < 0.9:
            return "page", f"/page?{urlencode({'key': case.key, 'page': 2})}", b""
        if draw < 0.97:
            return "paper", f"/paper?{urlencode({'key': case.key})}", b""
        if draw < 0.985:
            draft, markup = f"“{case.words}” [@{{{case.key}}}, p. 1].", "markdown"
            return "draft", "/draft", urlencode({"text": draft, "markup": markup}).encode()
        markup, unit = self._random.choice(_WORST)
        draft = (unit * (_LONGEST // len(unit)))[:_LONGEST]
        return "worst draft", "/draft", urlencode({"text": draft, "markup": markup}).encode()

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kind: str, path: str, body: bytes
    ) -> bytes:
        began = time.perf_counter()
        method = "POST" if body else "GET"
        form = (
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
            if body
            else ""
        )
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: {self._where.netloc}\r\n{form}\r\n".encode() + body)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        content = await reader.readexactly(int(length[1])) if length else b""
        self._took[kind].append(time.perf_counter() - began)
        status = head.split(b" ", 2)[1]
        if status != b"200":
            self.errors.append(f"{status.decode()} {path}")
        return content


async def crowd(
    address: str, cases: list[Case], clients: int, seconds: float, *, reading: bool
) -> tuple[dict[str, list[float]], list[str]]:
    """Seconds by kind of request, and the errors."""
    took: defaultdict[str, list[float]] = defaultdict(list)
    browsers = [Browser(address, cases, number, took) for number in range(clients)]
    until = time.perf_counter() + seconds
    await asyncio.gather(*(browser.visit(until, reading=reading) for browser in browsers))
    return took, [error for browser in browsers for error in browser.errors]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=50)
    asked = parser.parse_args()
    cases = draw_cases(asked.corpus, _COUNT)
    command = [
        str(Path(sys.executable).with_name("pagequote")),
        "serve",
        "--port",
        "0",
        "--corpus",
        str(asked.corpus),
    ]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout
    address = server.stdout.readline().split()[-1]
    rows, failed = [], []
    try:
        for reading in (True, False):
            took, errors = asyncio.run(crowd(address, cases, asked.clients, asked.seconds, reading=reading))
            failed += errors
            for kind in sorted(took, key=lambda one: -len(took[one])):
                times = sorted(took[kind])
                rows.append(
                    [
                        "as readers do" if reading else "without a pause",
                        kind,
                        str(len(times)),
                        f"{len(times) / asked.seconds:.0f}",
                        *(f"{1000 * times[int(share * (len(times) - 1))]:.0f}" for share in (0.5, 0.95, 1)),
                        _TARGET if reading and kind == "quote" else "",
                    ]
                )
    finally:
        server.terminate()
        server.wait()
    print(
        markdown_table(
            [
                "clients ask",
                "what",
                "requests",
                "a second",
                "median, ms",
                "95 %, ms",
                "longest, ms",
                "target",
            ],
            rows,
        )
    )
    papers = len({case.key for case in cases})
    print(
        f"\n{asked.clients} clients for {asked.seconds:.0f} s each; {len(failed)} errors; quotes of {papers} "
        f"papers; {measured_on()}"
    )
    for error in failed[:10]:
        print(error, file=sys.stderr)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
