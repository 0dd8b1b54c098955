"""Serves one client over standard input and output. Nothing but the protocol may be written there."""

import json
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

_UNREADABLE = types.ErrorData(
    code=types.PARSE_ERROR,
    message="This message cannot be read as JSON-RPC: JSON on one line, with text or a whole number as id.",
)

_PARAMETERS = "`params` is an object; that of tools/call has `name`, a text, and `arguments`, an object."
"""What is said where the SDK says no more than that parameters are invalid."""

_LONGEST_ANSWER = 30  # Seconds that open requests have when the input has ended.

_ESCAPED = re.compile(
    r"\\(?:\\|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2}))"
)


def serve_stdio(server: Server[Any]) -> None:
    """Serve until standard input ends and all requests are answered, or until a signal ends the process."""
    # Reading standard input cannot be interrupted, and there is nothing to clean up.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        anyio.run(_serve, server)
    except* (BrokenPipeError, anyio.BrokenResourceError):  # the client is gone
        pass


async def _serve(server: Server[Any]) -> None:
    incoming = cast("anyio.AsyncFile[str]", anyio.wrap_file(cast("Any", _Lines())))
    async with stdio_server(stdin=incoming) as (read, write), anyio.create_task_group() as group:
        asked, to_answer = anyio.create_memory_object_stream[SessionMessage | Exception]()
        answers, answered = anyio.create_memory_object_stream[SessionMessage]()
        waiting = dict[types.RequestId, anyio.Event]()  # the requests without an answer yet
        group.start_soon(_hand_on_requests, read, asked, answers.clone(), waiting)
        group.start_soon(_hand_on_answers, answered, write, waiting)
        async with answers:
            await server.run(to_answer, answers, server.create_initialization_options())


async def _hand_on_requests(
    read: AsyncIterable[SessionMessage | Exception],
    asked: MemoryObjectSendStream[SessionMessage | Exception],
    answers: MemoryObjectSendStream[SessionMessage],
    waiting: dict[types.RequestId, anyio.Event],
) -> None:
    """Forward messages, and answer unreadable ones, which the SDK would only log; then await all answers."""
    async with asked, answers:
        async for message in read:
            if isinstance(message, Exception):
                error = types.JSONRPCError(jsonrpc="2.0", id=None, error=_UNREADABLE)
                await answers.send(SessionMessage(error))
                continue
            said = message.message
            if isinstance(said, types.JSONRPCRequest):
                waiting[said.id] = anyio.Event()
            elif isinstance(said, types.JSONRPCNotification) and said.method == "notifications/cancelled":
                taken_back = (said.params or {}).get("requestId")  # it needs no answer
                for known in [one for one in waiting if one == taken_back]:
                    del waiting[known]
            await asked.send(message)
        with anyio.move_on_after(_LONGEST_ANSWER):
            for answered in [*waiting.values()]:
                await answered.wait()


async def _hand_on_answers(
    answered: AsyncIterable[SessionMessage], write: Any, waiting: dict[types.RequestId, anyio.Event]
) -> None:
    async with write:
        async for message in answered:
            said = message.message
            if isinstance(said, types.JSONRPCError) and said.error.data == "":
                said.error.data = _PARAMETERS
            await write.send(message)
            if isinstance(said, types.JSONRPCResponse | types.JSONRPCError) and said.id in waiting:
                waiting.pop(said.id).set()


class _Lines:
    """Reads standard input so that the SDK can answer all of it.

    It would drop messages with halves of emoji, and take requests with an odd id for notices.
    """

    def readline(self) -> str:
        line = mended(sys.stdin.buffer.readline().decode("utf-8", "replace"))
        return _UNANSWERABLE if has_odd_id(line) else line


_UNANSWERABLE = "null\n"  # A line that is no message, and is answered as such.


def has_odd_id(line: str) -> bool:
    """Return whether a line is a message whose id no answer can have: neither text nor a whole number."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(message, dict) or "id" not in message:
        return False
    return not isinstance(message["id"], str | int) or isinstance(message["id"], bool)


def mended(line: str) -> str:
    r"""Return JSON with each escaped half of a character replaced: `\ud83d` alone is not Unicode."""
    return _ESCAPED.sub(lambda found: "\\ufffd" if found["half"] else found[0], line)
