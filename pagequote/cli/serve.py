"""The command that serves the reading room: `lookup` makes its pages, the pipeline draws the pictures."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagequote.cli import options
from pagequote.cli.door_options import door_options
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from pagequote.serving.door import Door
    from pagequote.serving.doorkeeper import Doorkeeper


@click.command
@door_options(port=8377)
@options.corpus
def serve(door: "Door", corpus: Path | None) -> None:
    """Open the reading room: find quotes, see them on their pages, read papers and judge drafts in a browser.

    It listens on this machine alone, unless --host and --token-file say otherwise. It follows new releases.
    The pages of a paper are shown as long as its PDF stays where it was read. Ctrl-C ends it.

    \b
    Examples:
      pagequote serve
      pagequote serve --port 9000 --corpus data/corpus
      pagequote serve --host 0.0.0.0 --allowed-host library.example.org --token-file token
    """
    from pagequote.calls.killable import Killable
    from pagequote.cli.door_options import log_warnings
    from pagequote.serving.server import run
    from pagequote.web.app import reading_room
    from pipeline.pictures.page_drawers import PageDrawers

    log_warnings()
    with options.open_corpus(corpus) as opened:

        def room(keeper: "Doorkeeper | None") -> "Starlette":
            drawers = PageDrawers()
            return reading_room(opened, drawers, door.names, drawers.close, keeper, long)

        def announce(address: str) -> None:
            long.warm(opened)  # once the door is known to be sound
            echo(f"The reading room is at {address}")

        long = Killable()
        try:
            run(room, door, "web", announce)
        finally:
            long.close()
