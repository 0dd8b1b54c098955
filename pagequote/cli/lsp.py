"""The command that serves editors."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagequote.cli import options

if TYPE_CHECKING:
    from lookup.corpus import Corpus


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
    from functools import cache, partial

    from lookup.corpus import Corpus
    from lookup.following_corpus import FollowingCorpus
    from pagequote.cli.door_options import drawers_where_possible, log_warnings
    from pagequote.lsp.server import QuoteServer, serve

    @cache
    def following(path: Path) -> FollowingCorpus:
        return FollowingCorpus(partial(Corpus, path), keep=True)

    log_warnings()
    drawing = drawers_where_possible()
    try:
        serve(
            QuoteServer(
                lambda named: following(options.chosen_corpus(corpus or named))(), _show, drawing, config
            )
        )
    finally:
        if drawing:
            drawing.close()


def _show(corpus: "Corpus", key: str, page: int) -> None:
    """Open the PDF of a paper at a page."""
    from pagequote.cli.viewers import on_this_machine, run_apart, viewing

    run_apart(viewing(on_this_machine(corpus.original(key)), page))
