"""Clients of `pagequote mcp`: the SDK's own, and one that writes what no client should."""

import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client

from tests.support.forked import BEFORE
from tests.support.project import PAGEQUOTE
from tests.support.waiting import PATIENCE


class Agent:
    """A connected client of the SDK, called from a test's thread."""

    def __init__(self, portal: Any, client: Client) -> None:
        self._portal = portal
        self._client = client

    def ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        """What a method of the client gives."""
        return self._portal.call(partial(getattr(self._client, method), *args, **kwargs))

    @property
    def instructions(self) -> str:
        """What the server says of itself."""
        said: str = self._client.instructions or ""
        return said

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """The result of a tool."""
        return self.ask("call_tool", tool, arguments)

    def answer(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The structured content of a result that is no error."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content[0].text
        assert json.loads(result.content[0].text) == result.structured_content
        content: dict[str, Any] = result.structured_content
        return content

    def error(self, tool: str, /, **arguments: Any) -> str:
        """The text of a result that is an error."""
        result = self.call(tool, **arguments)
        assert result.is_error, result.content[0].text
        assert result.structured_content is None
        text: str = result.content[0].text
        return text

    def start(self, tool: str, /, **arguments: Any) -> Any:
        """The future of a call."""
        return self._portal.start_task_soon(partial(self._client.call_tool, tool, arguments))


@contextmanager
def connected(server: Any, mode: str = "auto") -> Iterator[Agent]:
    """A client of a transport, or of an address."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=mode)) as client,
    ):
        yield Agent(portal, client)


SERVER = (
    "pagequote.cli.servers",
    "lookup.corpus",
    "pagequote.mcp.server",
    "pagequote.mcp.stdio",
    "pagequote.one_pdf",
)
"""What the command imports to serve one client, for forks of a process that has done that."""


@contextmanager
def over_stdio(corpus: Path, *options: str, mode: str = "auto", command: Path = PAGEQUOTE) -> Iterator[Agent]:
    """A client that started its server."""
    arguments = ["mcp", "--corpus", str(corpus), *options]
    parameters = StdioServerParameters(command=str(command), args=arguments, env=dict(os.environ))
    with connected(stdio_client(parameters), mode) as agent:
        yield agent


@contextmanager
def http_server(corpus: Path, *options: str, port: int = 0) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The address of a server, and its process."""
    command = [PAGEQUOTE, "mcp", "--http", "--port", port, "--corpus", corpus, *options]
    with subprocess.Popen(
        list(map(str, command)), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        try:
            address = process.stderr.readline().strip()
            assert address.startswith("http://"), address + process.stderr.read()
            yield address, process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.communicate(timeout=PATIENCE)


class Wire:
    """A process of the server, spoken to line by line."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        self.lines: list[bytes] = []
        self._news: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            self._news.put(line)

    def send(self, message: bytes | dict[str, Any]) -> None:
        """Write a line."""
        assert self.process.stdin is not None
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def next(self) -> Any:
        """The next message of the server."""
        return json.loads(self._news.get(timeout=PATIENCE))

    def shake_hands(self) -> None:
        """Begin a session."""
        told = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        self.send({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": told})
        assert self.next()["result"]["serverInfo"]["name"] == "pagequote"
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, number: int, tool: str, arguments: Any) -> None:
        """Ask a tool, without waiting."""
        params = {"name": tool, "arguments": arguments}
        self.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params})

    def close(self) -> None:
        """Close the server's input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def end(self) -> tuple[int, str]:
        """Close the server's input; its exit status, and what it said on stderr."""
        self.close()
        return self.wait()

    def wait(self) -> tuple[int, str]:
        """The exit status, and what was said on stderr."""
        assert self.process.stderr is not None
        status = self.process.wait(PATIENCE)
        said = self.process.stderr.read().decode()
        self._reader.join(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        return status, said


@contextmanager
def on_the_wire(corpus: Path, *command: str | Path, before: str = "") -> Iterator[Wire]:
    """A server to speak to, by the real command or this one; Python code may run `before` a fork serves."""
    wire = Wire([*map(str, command or [PAGEQUOTE]), "mcp", "--corpus", str(corpus)], {BEFORE: before})
    try:
        yield wire
    finally:
        if wire.process.poll() is None:
            wire.process.kill()
            wire.wait()
