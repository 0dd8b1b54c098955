"""The commands that serve: people in a browser, agents, editors."""

import logging
import sys
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lookup.corpus import Corpus
from lookup.errors import CorpusNotFoundError, PageQuoteError
from lookup.text.printable import in_a_log, on_one_line
from pagequote.calls.fitting import LEAST_CHARACTERS
from pagequote.calls.killable import Killable
from pagequote.cli import options
from pagequote.cli.next_steps import error_text
from pagequote.cli.parameters import RECORD, argument, option, taking
from pagequote.cli.printing import echo
from pagequote.cli.viewers import on_this_machine, run_apart, viewing
from pagequote.one_pdf import open_pdf
from pagequote.serving.following_corpus import FollowingCorpus
from pagequote.serving.server_settings import ServerSettings
from pipeline.pictures.page_drawers import PageDrawers

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from pagequote.serving.access import TokenAuth


@dataclass(frozen=True)
class _Door(ServerSettings):
    """The settings of a server as options."""

    host: str = option("The address to listen on.", default="127.0.0.1")
    port: int = option(
        "The port to listen on; 0 takes a free one.", type=click.IntRange(0, 65535), default=8377
    )
    allowed_hosts: tuple[str, ...] = option(
        "Another name of the server; repeatable.", "--allowed-host", metavar="NAME"
    )
    token_file: Path | None = option(
        "A file with the token that clients show; other machines need one.", type=options.FILE
    )
    trusted_proxies: tuple[str, ...] = option(
        "A proxy that names its clients; repeatable.", "--trusted-proxy", metavar="IP"
    )
    rate: int = option(
        "Requests a minute of a client elsewhere; 0: no limit.", type=click.IntRange(0), default=600
    )
    audit_log: Path | None = option(
        "Add a line for each request to this file, without words.", type=options.FILE
    )


@click.command
@taking
def serve(
    folder: Path | None = argument(type=click.Path(path_type=Path, file_okay=False, exists=True)),
    settings: _Door = RECORD,
    corpus: Path | None = options.CORPUS,
) -> None:
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
    from pagequote.serving.server import run

    log_warnings()
    if folder is None and any(one.suffix.lower() == ".pdf" for one in Path.cwd().iterdir()):
        try:
            options.chosen_corpus(corpus)
        except CorpusNotFoundError:
            folder = Path.cwd()
    if folder is not None:
        _serve_folder(folder, corpus, settings)
        return
    with options.open_corpus(corpus) as opened, closing(Killable()) as long:

        def announce(address: str) -> None:
            long.warm(opened)  # once the settings are known to be sound
            echo(f"The reading room is at {address}")

        run(partial(_room, opened, settings, long), settings, "web", announce)


def _room(
    corpus: Corpus, settings: ServerSettings, long: Killable, keeper: "TokenAuth | None" = None
) -> "Starlette":
    """Return the reading room of a corpus."""
    from pagequote.web.app import reading_room

    drawers = PageDrawers()
    return reading_room(corpus, drawers, settings.names, drawers.close, keeper, long)


def _serve_folder(folder: Path, corpus: Path | None, settings: ServerSettings) -> None:
    """Serve the PDFs of a folder, and read them into a corpus of its own, or the one that is named."""
    import webbrowser

    from pagequote.serving.server import run
    from pagequote.web.folder_room import FolderReading, FolderRoom, corpus_of_folder

    if settings.token_file or settings.host not in ("127.0.0.1", "localhost", "::1"):
        raise click.UsageError("A folder is served on this machine alone: leave out --host and --token-file.")
    place = options.named_corpus(corpus) or corpus_of_folder(folder)

    def announce(address: str) -> None:
        echo(f"The reading room of {folder.resolve()} is at {address}")
        echo(f"What is read is kept in {place.parent} (--corpus names another place)", err=True)
        if reading.can_be_opened:
            reading.begin()
        if sys.stdout.isatty():
            webbrowser.open_new_tab(address)

    with closing(FolderReading(folder.resolve(), place)) as reading, closing(Killable()) as long:

        def folder_room(_: object) -> FolderRoom:
            return FolderRoom(reading, lambda: _room(Corpus(place), settings, long), settings.names)

        run(folder_room, settings, "web", announce)


@click.command
@taking
def mcp(
    http: bool = option("Serve many clients over HTTP rather than one over stdin and stdout."),
    settings: _Door = RECORD,
    max_chars: int = option(
        "The longest answer, in characters; four make about one token of a model.",
        type=click.IntRange(min=LEAST_CHARACTERS),
        default=8000,
    ),
    log: Path | None = option(
        "Add a line of JSON for each call to this file: tool, arguments, error, length, milliseconds.",
        type=options.FILE,
    ),
    allow: tuple[Path, ...] = option(
        "Read PDFs that the agent names in this folder only; repeatable.",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
    ),
    corpus: Path | None = options.CORPUS,
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
    from pagequote.mcp.server import make_server
    from pagequote.mcp.tools import ToolServer
    from pagequote.serving.audit import AuditLog

    log_warnings()
    current = FollowingCorpus(partial(Corpus, options.chosen_corpus(corpus)), keep=True)
    try:
        current()
    except PageQuoteError as error:  # the corpus may be built later; until then each answer says so
        echo(error_text(error), err=True)
    draws = find_spec("pymupdf") is not None
    with closing(Killable()) as long, closing(PageDrawers(processes=1, at_once=False)) as drawers:
        tools = ToolServer(
            current,
            max_chars,
            long,
            drawers if draws else None,
            AuditLog(log).write if log else None,
            partial(open_pdf, within=allow) if draws and not http else None,
        )
        server = make_server(tools)
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


for _one in mcp.params:
    if isinstance(_one, click.Option) and _one.name in ServerSettings.__annotations__:
        _one.help = f"With --http: {_one.help}"
        _one.default = 8737 if _one.name == "port" else _one.default


@click.command
@taking
def lsp(
    config: Path | None = option(
        "A pagequote.toml of yours, for all documents: it may name a corpus anywhere.",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
    ),
    corpus: Path | None = options.CORPUS,
) -> None:
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
    from pagequote.lsp.server import QuoteServer, serve

    @cache
    def following(path: Path) -> FollowingCorpus:
        return FollowingCorpus(partial(Corpus, path), keep=True)

    log_warnings()
    with closing(PageDrawers(processes=1, at_once=False)) as drawers:
        serve(
            QuoteServer(
                lambda named: following(options.chosen_corpus(corpus or named))(),
                _show,
                drawers if find_spec("pymupdf") else None,
                config,
            )
        )


def _show(corpus: Corpus, key: str, page: int) -> None:
    """Open the PDF of a paper at a page."""
    run_apart(viewing(on_this_machine(corpus.original(key)), page))


class _Formatter(logging.Formatter):
    """A line for each message, without what could act on a terminal or on what reads the log."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the name is logging's
        return on_one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return in_a_log(super().format(record))


def log_warnings() -> None:
    """Write warnings and errors to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
