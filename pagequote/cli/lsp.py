"""The command that serves editors."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagequote.cli.options import chosen_corpus, corpus_option

if TYPE_CHECKING:
    from lookup.corpus import Corpus


@click.command
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="A pagequote.toml of yours, for all documents: it may name a corpus anywhere.",
)
@corpus_option
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
    from pagequote.cli.door_options import log_warnings
    from pagequote.cli.drawing import Drawing
    from pagequote.lsp.server import QuoteServer, serve

    @cache
    def following(path: Path) -> FollowingCorpus:
        return FollowingCorpus(partial(Corpus, path), keep=True)

    log_warnings()
    drawing = Drawing()
    draw = drawing if find_spec("pymupdf") else None
    try:
        serve(QuoteServer(lambda named: following(chosen_corpus(corpus or named))(), _show, draw, config))
    finally:
        drawing.close()


def _show(corpus: "Corpus", key: str, page: int) -> None:
    """Open the PDF of a paper at a page."""
    from pagequote.cli.viewers import on_this_machine, run_apart, viewing

    run_apart(viewing(on_this_machine(corpus.original(key)), page))
