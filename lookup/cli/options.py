"""What several commands have in common."""

from pathlib import Path
from typing import Any

import click

corpus_option = click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="The corpus.  [default: $PAGEQUOTE_CORPUS, else data/corpus]",
)


def open_corpus(corpus: Path | None) -> Any:
    """The corpus that a command reads."""
    from lookup.corpus import open as opened

    return opened(corpus)


def echo_json(value: Any) -> None:
    """Print a value as JSON."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
