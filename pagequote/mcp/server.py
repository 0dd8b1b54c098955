"""The server: its instructions for agents, and its requests, each answered in a thread of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError

import lookup
from lookup.errors import PageQuoteError
from pagequote.calls.killable import PROCESSES
from pagequote.calls.replies import public_message
from pagequote.mcp.resources import PROMPTS, TEMPLATES, get_prompt, list_resources, read_resource
from pagequote.mcp.tools import BY_NAME, ToolServer
from pagequote.serving.audit import note_tool
from pagequote.serving.clients import FairQueue, client_of_turn

T = TypeVar("T")

_Context = ServerRequestContext[Any]
_Page = types.PaginatedRequestParams | None  # The page of a list that is asked for.

_THREADS = 8  # Requests answered at once, other than long ones; the others wait.

_INSTRUCTIONS = Path(__file__).with_name("instructions.md").read_text(encoding="utf-8")
_PDFS = """
A PDF on this machine that is not in the library: give its absolute path as key.
"""


def make_server(tools: ToolServer) -> Server[Any]:
    """Return a server of these tools, of the papers of their corpus, and of prompts for the usual tasks."""
    current, chars = tools.current, tools.chars
    turns = {True: FairQueue(PROCESSES), False: FairQueue(_THREADS)}

    async def threaded(context: _Context, call: Callable[[], T], *, long: bool = False) -> T:
        asker = client_of_turn(context.request.scope) if context.request is not None else ""
        return await turns[long].do(asker, call)

    async def list_tools(context: _Context, _: _Page) -> types.ListToolsResult:
        return types.ListToolsResult(tools=await threaded(context, tools.offered))

    async def on_call(context: _Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        call, arguments = BY_NAME.get(asked.name), asked.arguments or {}
        if context.request is not None and call:
            note_tool(context.request.scope, asked.name)
        long = call is not None and call.long(arguments)
        return await threaded(context, partial(tools.call, asked.name, arguments), long=long)

    async def on_resources(context: _Context, asked: _Page) -> types.ListResourcesResult:
        with _errors_of_the_protocol():
            cursor = asked.cursor if asked else None
            return await threaded(context, lambda: list_resources(current(), cursor))

    async def on_read(context: _Context, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        with _errors_of_the_protocol():
            return await threaded(context, lambda: read_resource(current(), chars, str(asked.uri)))

    return Server(
        "pagequote",
        version=lookup.__version__,
        title="PageQuote",
        description="Verbatim, page-located quotes from a library of papers.",
        instructions=_INSTRUCTIONS.format(chars=chars) + (_PDFS if tools.open_pdf else ""),
        on_list_tools=list_tools,
        on_call_tool=on_call,
        on_list_prompts=_list_prompts,
        on_get_prompt=_on_prompt,
        on_list_resources=on_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=on_read,
    )


async def _list_templates(_: _Context, __: _Page) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(resource_templates=list(TEMPLATES))


async def _list_prompts(_: _Context, __: _Page) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=list(PROMPTS))


async def _on_prompt(_: _Context, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
    with _errors_of_the_protocol():
        return get_prompt(asked.name, asked.arguments or {})


@contextmanager
def _errors_of_the_protocol() -> Iterator[None]:
    try:
        yield
    except PageQuoteError as error:
        raise MCPError(code=types.INVALID_PARAMS, message=public_message(error)) from error
