"""The command that serves agents."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagequote.calls.fitting import LEAST_CHARACTERS
from pagequote.cli import options
from pagequote.cli.door_options import door_options
from pagequote.cli.next_steps import error_text
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from pagequote.serving.door import Door


@click.command
@options.flag("--http", "Serve many clients over HTTP rather than one over stdin and stdout.")
@door_options(port=8737, only_with="With --http: ")
@options.option(
    "--max-chars",
    "The longest answer, in characters; four make about one token of a model.",
    click.IntRange(min=LEAST_CHARACTERS),
    8000,
)
@options.option(
    "--log",
    "Add a line of JSON for each call to this file: tool, arguments, error, length, milliseconds.",
    options.FILE,
)
@options.option(
    "--allow",
    "Read PDFs that the agent names in this folder only; repeatable.",
    click.Path(path_type=Path, file_okay=False, exists=True),
    multiple=True,
)
@options.corpus
def mcp(
    http: bool, door: "Door", max_chars: int, log: Path | None, allow: tuple[Path, ...], corpus: Path | None
) -> None:
    """Serve the corpus to agents, by the Model Context Protocol.

    An agent starts the command itself, and talks to it over stdin and stdout. The server follows new
    releases of the corpus, and reads a PDF that the agent names by its absolute path. With --http it opens
    no path, and listens on this machine alone, unless --host and --token-file say otherwise.

    \b
    Examples:
      pagequote mcp --corpus ~/library/corpus --allow ~/papers
      pagequote mcp --http --port 8737
      pagequote mcp --http --host 0.0.0.0 --allowed-host library.example.org --token-file token
    """
    from contextlib import suppress
    from functools import partial

    from lookup.corpus import Corpus
    from lookup.errors import PageQuoteError
    from lookup.following_corpus import FollowingCorpus
    from pagequote.calls.killable import Killable
    from pagequote.cli.door_options import drawers_where_possible, log_warnings
    from pagequote.mcp.server import make_server
    from pagequote.mcp.tools import ToolServer, not_drawn
    from pagequote.one_pdf import open_pdf
    from pagequote.serving.audit import AuditLog

    log_warnings()
    current = FollowingCorpus(partial(Corpus, options.chosen_corpus(corpus)), keep=True)
    try:
        current()
    except PageQuoteError as error:  # the corpus may be built later; until then each answer says so
        echo(error_text(error), err=True)
    long = Killable()
    drawing = drawers_where_possible()
    tools = ToolServer(
        current,
        max_chars,
        long,
        drawing or not_drawn,
        AuditLog(log).write if log else None,
        partial(open_pdf, within=allow)
        if not http and find_spec("pipeline") and find_spec("pymupdf")
        else None,
    )
    server = make_server(tools)
    try:
        if http:
            from pagequote.mcp.http import serve_http

            def announce(address: str) -> None:
                with suppress(PageQuoteError):
                    long.warm(current())  # once the door is known to be sound
                echo(address, err=True)

            serve_http(server, door, announce)
        else:
            from pagequote.mcp.stdio import serve_stdio

            serve_stdio(server)
    finally:
        long.close()
        if drawing:
            drawing.close()
