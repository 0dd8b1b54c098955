"""Serving one client over standard input and output, where nothing but the protocol may be written."""

import re
import signal
import sys
from collections.abc import AsyncIterable
from typing import Any, cast

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from mcp import types
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

_UNREADABLE = types.ErrorData(code=types.PARSE_ERROR, message="This message cannot be read as JSON-RPC.")

_ESCAPED = re.compile(
    r"\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2}))"
)


def serve_stdio(server: Server[Any]) -> None:
    """Serve until standard input ends, or until a signal ends the process."""
    # Reading standard input cannot be interrupted from within, and there is nothing to tidy up.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    incoming = cast("anyio.AsyncFile[str]", anyio.wrap_file(cast("Any", _Lines())))
    async with stdio_server(stdin=incoming) as (read, write):
        sender, receiver = anyio.create_memory_object_stream[SessionMessage | Exception]()
        async with anyio.create_task_group() as group:
            group.start_soon(_forward, read, sender, write)
            await server.run(receiver, write, server.create_initialization_options())


async def _forward(
    read: AsyncIterable[SessionMessage | Exception],
    sender: MemoryObjectSendStream[SessionMessage | Exception],
    write: Any,
) -> None:
    """Hand on what was read, and answer what could not be, which the SDK only notes: a client would wait for ever."""
    async with sender:
        async for message in read:
            if isinstance(message, Exception):
                error = types.JSONRPCError(jsonrpc="2.0", id=None, error=_UNREADABLE)
                await write.send(SessionMessage(error))
            else:
                await sender.send(message)


class _Lines:
    """The lines of standard input. Halves of characters are replaced: models cut texts within an emoji, and the SDK drops such a message."""

    def readline(self) -> str:
        return mended(sys.stdin.buffer.readline().decode("utf-8", "replace"))


def mended(line: str) -> str:
    r"""JSON with each escaped half of a character replaced: `\ud83d` without the other half is no Unicode."""
    return _ESCAPED.sub(lambda found: "\\ufffd" if found["half"] else found[0], line)
