"""The command that serves the reading room: `lookup` makes its pages, the pipeline draws the pictures."""

from pathlib import Path

import click

from lookup.cli.options import corpus_option, open_corpus


@click.command
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", default=8377, show_default=True, help="The port to listen on; 0 takes a free one.")
@click.option(
    "--name",
    "names",
    multiple=True,
    help="Another name by which browsers may call the server; may be given several times.",
)
@corpus_option
def serve(host: str, port: int, names: tuple[str, ...], corpus: Path | None) -> None:
    """Open the reading room: find quotes, see them on their pages, read papers and judge drafts in a browser.

    It listens on this machine alone, unless --host says otherwise; it has no passwords. It follows new
    releases. The pages of a paper are shown as long as its PDF stays where it was read. Ctrl-C ends it.

    \b
    Examples:
      pagequote serve
      pagequote serve --port 9000 --corpus data/corpus
      pagequote serve --host 0.0.0.0 --name library.example.org
    """
    from lookup.web.serving import serve as serve_room
    from pipeline.pictures.page_drawers import PageDrawers

    with open_corpus(corpus) as opened:
        drawers = PageDrawers()
        serve_room(
            opened, drawers, drawers.close, host, port, names,
            lambda address: click.echo(f"The reading room is at {address}"),
        )  # fmt: skip
