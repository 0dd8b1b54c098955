"""The audit log: a line for each request, without a word of what was asked."""

import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lookup.errors import SourceError
from pagequote.serving.clients import client_of

_TOOL = "pagequote.tool"  # The key of a request's scope that has the tool which an agent called.

_LONGEST_CLIENT = 64
"""Characters: an IPv6 address with its zone has fewer, and what a proxy passes on is anybody's."""


class AuditLog:
    """Adds lines of JSON to a file: ASCII alone, so that nothing in it acts on a terminal or begins a line.

    The file is opened for each line: it may be moved away at any time, and another one begins.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._told = False
        try:
            self._add(b"")
        except OSError as error:
            raise SourceError(f"The log {str(file)!r} cannot be written ({error}).") from error

    def write(self, entry: Mapping[str, Any]) -> None:
        """Add a line. A full disk stops no answer: standard error says once that the log is not written."""
        try:
            self._add(json.dumps(entry).encode() + b"\n")
        except OSError as error:
            if not self._told:
                said = f"The log {str(self._file)!r} cannot be written ({error})."
                print(said, file=sys.stderr)  # noqa: T201
            self._told = True
        else:
            self._told = False

    def _add(self, line: bytes) -> None:
        opened = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(opened, line)
        finally:
            os.close(opened)


def audited(app: ASGIApp, log: AuditLog, face: str) -> ASGIApp:
    """Write down each request once it is answered: time, client, face, call, status, milliseconds."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        came, begun = datetime.now(UTC), time.perf_counter()
        status: int | None = None

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await app(scope, receive, noted)
        finally:
            log.write(
                {
                    "time": came.isoformat(timespec="milliseconds"),
                    "client": client_of(scope)[:_LONGEST_CLIENT],
                    "face": face,
                    "call": _call(scope),
                    "status": status,
                    "ms": round((time.perf_counter() - begun) * 1000),
                }
            )

    return respond


def note_tool(scope: Scope, tool: str) -> None:
    """Say which tool a request calls: its address does not."""
    scope[_TOOL] = tool


def _call(scope: Scope) -> str:
    """Return the method, and the address with names for what stands in it: never what was typed."""
    route = scope.get("route")
    mounted = scope.get("root_path", "") if isinstance(route, Route) else ""  # that of a mount is its own
    path = mounted + route.path_format if route else "-"
    return " ".join(filter(None, [scope["method"], path, scope.get(_TOOL)]))
