"""The calls as tools: their descriptions and their results."""

import json
import logging
import re
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mcp import types

from lookup import errors
from lookup.corpus import Corpus
from pagequote.calls.fitting import as_json, as_lean_json
from pagequote.calls.killable import Runner, run_inline
from pagequote.calls.registry import ALIASES, CALLS, NEED_VECTORS, Call, object_schema
from pagequote.calls.replies import PictureReply, Reply, public_message
from pipeline.files.drawn_page import Draw, NotDrawnError

_log = logging.getLogger("pagequote")

BY_NAME: Mapping[str, Call] = {**{call.name: call for call in CALLS}, **ALIASES}
"""All calls that are answered."""

_AFTER: tuple[tuple[type[errors.PageQuoteError], str], ...] = (
    (errors.UnknownKeyError, "Call list_papers with an author, a year or words of the title."),
    (errors.PageNotFoundError, "Call {tool} again with one of these pages."),
    (errors.ModelError, "Call search with mode 'lexical', or find."),
    (errors.SearchError, "Call find."),
    (errors.SourceError, "Call get_page for the text of a paper, list_papers for the papers that there are."),
    (errors.CorpusNotFoundError, "Tell your user; then call {tool} again."),
    (errors.CorpusVersionError, "Tell your user; then call {tool} again."),
    (errors.BusyError, "Wait, then call {tool} again."),
    (errors.PageQuoteError, "Mend that, and call {tool} again."),
)
"""What to call after an error: the first that fits it."""

_READS_ONLY = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)


def described(call: Call) -> types.Tool:
    """Return a call as a client lists it.

    Without the schema of its reply, which took more of a model's context than all the rest: the JSON API has
    it in its description.
    """
    return types.Tool(
        name=call.name,
        title=re.split(r"[,:.]| around", call.description)[0],  # what people see; models see the name
        description=call.description,
        input_schema=object_schema(call.arguments, closed=True),
        annotations=_READS_ONLY,
    )


TOOLS = tuple(map(described, CALLS))  # All tools that a server may offer, as a client lists them.


@dataclass(frozen=True)
class ToolServer:
    """Answers tools over the corpus that `current` returns, with at most `chars` characters of text.

    `long` does what may take long, `draw` draws pages, and `log` takes a record of each call. `open_pdf`
    opens a PDF that a call names by its path: without it a path is a name like any other.
    """

    current: Callable[[], Corpus]
    chars: int
    long: Runner = run_inline
    draw: Draw | None = None
    log: Callable[[dict[str, Any]], None] | None = None
    open_pdf: Callable[[str], Corpus] | None = None

    def offered(self) -> list[types.Tool]:
        """Return the tools that can answer over the release that there is now."""
        try:
            model = self.current().release.model
        except errors.PageQuoteError:
            model = None
        return [one for one in TOOLS if model or one.name not in NEED_VECTORS]

    def call(self, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        """Return the result of a tool. An error is a result, too: it says what is wrong and what to call."""
        came, begun = datetime.now(UTC), time.perf_counter()
        result = self._called(name, arguments)
        if self.log:
            said = result.content[0]
            assert isinstance(said, types.TextContent)
            self.log(
                {
                    "time": came.isoformat(timespec="milliseconds"),
                    "tool": name,
                    "arguments": dict(arguments),
                    "error": said.text if result.is_error else None,
                    "characters": len(said.text),
                    "ms": round((time.perf_counter() - begun) * 1000),
                }
            )
        return result

    def _called(self, name: str, arguments: Mapping[str, Any]) -> types.CallToolResult:
        if name not in BY_NAME:
            return _failed(f"Unknown tool. Available: {', '.join(one.name for one in self.offered())}.")
        try:
            with self._opened(arguments) as corpus:
                reply = BY_NAME[name].answer(corpus, self.chars, arguments, lenient=True, long=self.long)
                pictures = self._pictures(corpus, reply)
        except errors.PageQuoteError as error:
            after = next(text for kind, text in _AFTER if isinstance(error, kind)).format(tool=name)
            return _failed(f"{public_message(error)} {after}")
        except Exception as error:  # one answer fails, not the server  # noqa: BLE001
            _log.exception("%s failed", name)
            return _failed(
                f"The server failed ({type(error).__name__}). See its log; call {name} with other arguments."
            )
        text = as_json(reply) if arguments.get("detail") == "full" else as_lean_json(reply)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text), *pictures],
            structured_content=json.loads(text),
        )

    @contextmanager
    def _opened(self, arguments: Mapping[str, Any]) -> Iterator[Corpus]:
        """Yield the corpus of the one PDF that a call names by its path, else the corpus of the library."""
        quotes = arguments.get("quotes")
        given = [arguments, *(quotes if isinstance(quotes, list) else ())]
        keys = (one.get("key") for one in given if isinstance(one, Mapping))
        named = {key for key in keys if isinstance(key, str)}
        pdfs = {name for name in named if Path(name).is_absolute() and name.casefold().endswith(".pdf")}
        if not pdfs or self.open_pdf is None:
            yield self.current()
            return
        if len(named) > 1:
            raise errors.QueryError(
                f"A call about {min(pdfs)!r} can name no other paper. Make one call for each."
            )
        with self.open_pdf(pdfs.pop()) as corpus:
            yield corpus

    def _pictures(self, corpus: Corpus, reply: Reply) -> list[types.ContentBlock]:
        if not isinstance(reply, PictureReply) or not reply.page:
            return []
        if self.draw is None:
            raise errors.SourceError("This server cannot draw pages (the extra `pipeline` is not installed).")
        boxes = [(box.x0, box.y0, box.x1, box.y1) for box in reply.boxes]
        try:
            picture = self.draw(corpus.original(reply.key), reply.page, boxes)
        except NotDrawnError as error:
            raise errors.SourceError(error.sentence) from error
        return [types.ImageContent(type="image", data=b64encode(picture).decode(), mime_type="image/png")]


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)
