"""Options that several commands have."""

from pathlib import Path

import click

corpus_option = click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="The corpus.  [default: $PAGEQUOTE_CORPUS, else data/corpus]",
)
