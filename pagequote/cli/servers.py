"""The commands that serve: people in a browser, agents, editors."""

import sys
from contextlib import suppress
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lookup.errors import CorpusNotFoundError, PageQuoteError
from pagequote.calls.fitting import LEAST_CHARACTERS
from pagequote.cli import options
from pagequote.cli.next_steps import error_text
from pagequote.cli.printing import echo
from pagequote.cli.server_options import Drawing, log_warnings, server_options

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from lookup.corpus import Corpus as OpenCorpus
    from pagequote.serving.server_settings import ServerSettings
    from pagequote.serving.token_auth import TokenAuth


@click.command
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False, exists=True))
@server_options(port=8377)
@options.corpus
def serve(folder: Path | None, settings: "ServerSettings", corpus: Path | None) -> None:
    """Open the reading room: find quotes, see them on their pages, read papers and judge drafts in a browser.

    Of a FOLDER of PDFs it shows those: it opens the browser, offers to read them, and reads what is new when
    it is opened again. Without FOLDER it shows the corpus that is here, or else the PDFs in this folder.

    It listens on this machine alone, unless --host and --token-file say otherwise. It follows new releases.
    The pages of a paper are shown as long as its PDF stays where it was read. Ctrl-C ends it.

    \b
    Examples:
      pagequote serve
      pagequote serve ~/papers
      pagequote serve --port 9000 --corpus data/corpus
      pagequote serve --host 0.0.0.0 --allowed-host library.example.org --token-file token
    """
    from pagequote.calls.killable import Killable
    from pagequote.serving.server import run
    from pagequote.web.app import reading_room
    from pipeline.pictures.page_drawers import PageDrawers

    log_warnings()
    if folder is None and (pdfs_here := _has_pdfs(Path.cwd())):
        with suppress(CorpusNotFoundError):
            options.chosen_corpus(corpus)
            pdfs_here = False
        folder = Path.cwd() if pdfs_here else None
    if folder is not None:
        _serve_folder(folder, corpus, settings)
        return
    with options.open_corpus(corpus) as opened:

        def room(keeper: "TokenAuth | None") -> "Starlette":
            drawers = PageDrawers()
            return reading_room(opened, drawers, settings.names, drawers.close, keeper, long)

        def announce(address: str) -> None:
            long.warm(opened)  # once the settings are known to be sound
            echo(f"The reading room is at {address}")

        long = Killable()
        try:
            run(room, settings, "web", announce)
        finally:
            long.close()


def _has_pdfs(folder: Path) -> bool:
    return any(one.suffix.lower() == ".pdf" for one in folder.iterdir())


def _serve_folder(folder: Path, corpus: Path | None, settings: "ServerSettings") -> None:
    """Serve the PDFs of a folder, and read them into a corpus of its own, or the one that is named."""
    import webbrowser

    from lookup.corpus import Corpus
    from pagequote.calls.killable import Killable
    from pagequote.serving.server import run
    from pagequote.web.app import reading_room
    from pagequote.web.folder_reading import FolderReading, corpus_of_folder
    from pagequote.web.folder_room import FolderRoom
    from pipeline.pictures.page_drawers import PageDrawers

    if settings.token_file or settings.host not in ("127.0.0.1", "localhost", "::1"):
        raise click.UsageError("A folder is served on this machine alone: leave out --host and --token-file.")
    place = options.named_corpus(corpus) or corpus_of_folder(folder)
    reading, long = FolderReading(folder.resolve(), place), Killable()

    def room() -> "Starlette":
        drawers = PageDrawers()
        return reading_room(Corpus(place), drawers, settings.names, drawers.close, None, long)

    def announce(address: str) -> None:
        echo(f"The reading room of {folder.resolve()} is at {address}")
        echo(f"What is read is kept in {place.parent} (--corpus names another place)", err=True)
        if reading.can_be_opened:
            reading.begin()
        if sys.stdout.isatty():
            webbrowser.open_new_tab(address)

    try:
        run(lambda _: FolderRoom(reading, room, settings.names), settings, "web", announce)
    finally:
        reading.close()
        long.close()


@click.command
@options.flag("--http", "Serve many clients over HTTP rather than one over stdin and stdout.")
@server_options(port=8737, only_with="With --http: ")
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
    http: bool,
    settings: "ServerSettings",
    max_chars: int,
    log: Path | None,
    allow: tuple[Path, ...],
    corpus: Path | None,
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
    from lookup.corpus import Corpus
    from pagequote.calls.killable import Killable
    from pagequote.mcp.server import make_server
    from pagequote.mcp.tools import ToolServer
    from pagequote.one_pdf import open_pdf
    from pagequote.serving.audit import AuditLog
    from pagequote.serving.following_corpus import FollowingCorpus

    log_warnings()
    current = FollowingCorpus(partial(Corpus, options.chosen_corpus(corpus)), keep=True)
    try:
        current()
    except PageQuoteError as error:  # the corpus may be built later; until then each answer says so
        echo(error_text(error), err=True)
    long = Killable()
    drawing = Drawing()
    tools = ToolServer(
        current,
        max_chars,
        long,
        drawing if find_spec("pymupdf") else None,
        AuditLog(log).write if log else None,
        partial(open_pdf, within=allow) if not http and find_spec("pymupdf") else None,
    )
    server = make_server(tools)
    try:
        if http:
            from pagequote.mcp.http import serve_http

            def announce(address: str) -> None:
                with suppress(PageQuoteError):
                    long.warm(current())  # once the settings are known to be sound
                echo(address, err=True)

            serve_http(server, settings, announce)
        else:
            from pagequote.mcp.stdio import serve_stdio

            serve_stdio(server)
    finally:
        long.close()
        drawing.close()


@click.command
@options.option(
    "--config",
    "A pagequote.toml of yours, for all documents: it may name a corpus anywhere.",
    click.Path(path_type=Path, dir_okay=False, exists=True),
)
@options.corpus
def lsp(config: Path | None, corpus: Path | None) -> None:
    """Serve an editor, by the Language Server Protocol over stdin and stdout.

    Every quotation of an open LaTeX, Markdown, Quarto or Typst document is checked while it is written, as
    `pagequote check` checks it, with the settings of the nearest pagequote.toml. The editor starts the
    command itself. Settings that come with a document reach nothing outside of their folder, unless the
    editor's initialization option `trustedFolders` names that folder.

    \b
    Examples:
      pagequote lsp
      pagequote lsp --corpus ~/library/corpus
    """
    from lookup.corpus import Corpus
    from pagequote.lsp.server import QuoteServer, serve
    from pagequote.serving.following_corpus import FollowingCorpus

    @cache
    def following(path: Path) -> FollowingCorpus:
        return FollowingCorpus(partial(Corpus, path), keep=True)

    log_warnings()
    drawing = Drawing()
    draw = drawing if find_spec("pymupdf") else None
    try:
        serve(
            QuoteServer(
                lambda named: following(options.chosen_corpus(corpus or named))(), _show, draw, config
            )
        )
    finally:
        drawing.close()


def _show(corpus: "OpenCorpus", key: str, page: int) -> None:
    """Open the PDF of a paper at a page."""
    from pagequote.cli.viewers import on_this_machine, run_apart, viewing

    run_apart(viewing(on_this_machine(corpus.original(key)), page))
