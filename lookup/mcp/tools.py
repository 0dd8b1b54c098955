"""The calls as tools: their descriptions and their results."""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from mcp import types

from lookup.calls.arguments import fields_of
from lookup.calls.fitting import as_json
from lookup.calls.killable import Doing
from lookup.calls.public_messages import public_message
from lookup.calls.registry import CALLS, Call
from lookup.calls.replies import next_call
from lookup.calls.schemas import object_schema
from lookup.corpus import Corpus
from lookup.errors import PageQuoteError

_log = logging.getLogger("pagequote")

_TITLES = {
    "get_quote": "Find a quote in a paper",
    "grep_raw": "Find a phrase everywhere",
    "get_page": "Read a page",
    "search": "Search by topic",
    "search_context": "Search by keywords",
    "search_exact_phrase": "Search for a phrase",
    "search_boolean_and": "Search for all keywords",
    "get_context_at_cursor": "Read around a place",
    "check_quotes": "Check quotations",
    "list_papers": "List papers",
}
"""Titles that people see; models see the names."""

_BY_NAME = {call.name: call for call in CALLS}

_READS_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def described(call: Call) -> types.Tool:
    """Return a call as a client lists it."""
    return types.Tool(
        name=call.name,
        title=_TITLES[call.name],
        description=call.description,
        input_schema=object_schema(call.arguments, closed=True),
        output_schema=object_schema(fields_of(call.reply), closed=False),
        annotations=_READS_ONLY,
    )


TOOLS = tuple(map(described, CALLS))
"""All tools, as a client lists them."""

TOOL_NAMES = frozenset(_BY_NAME)


def call_tool(
    current: Callable[[], Corpus], chars: int, long: Doing, name: str, arguments: Mapping[str, Any]
) -> types.CallToolResult:
    """Return the result of a tool; `long` does what may take long.

    An error is a result, too: it says what is wrong and what to do.
    """
    if name not in _BY_NAME:
        return _failed(f"Unknown tool. Available: {', '.join(_BY_NAME)}.")
    try:
        reply = _BY_NAME[name].answer(current(), chars, arguments, lenient=True, long=long)
    except PageQuoteError as error:
        step = next_call(error.next_step)
        return _failed(f"{public_message(error)} Call {step.kind}." if step else public_message(error))
    except Exception as error:  # one answer fails, not the server  # noqa: BLE001
        _log.exception("%s failed", name)
        return _failed(f"The server failed ({type(error).__name__}). See its log; try something else.")
    text = as_json(reply)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=json.loads(text)
    )


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
