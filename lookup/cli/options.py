"""What several commands have in common."""

from os import PathLike
from pathlib import Path
from typing import Any

import click

from lookup.errors import StorageError
from lookup.object_path import ObjectPath, place


class Place(click.Path):
    """A path, or an address in object storage."""

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """The place."""
        del param, ctx
        return place(value)


PLACE = Place()

corpus_option = click.option(
    "--corpus",
    type=PLACE,
    help="The corpus, a folder or s3://BUCKET/NAME.  [default: $PAGEQUOTE_CORPUS, else data/corpus]",
)


def open_corpus(corpus: Path | None) -> Any:
    """The corpus that a command reads."""
    from lookup.corpus import open as opened

    return opened(corpus)


def echo_json(value: Any) -> None:
    """Print a value as JSON."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def on_disk(corpus: Path) -> Path:
    """`corpus`, of which a command needs the files; raises StorageError where it is in object storage."""
    if isinstance(corpus, ObjectPath):
        raise StorageError(
            f"{str(corpus)!r} is in object storage, and this command reads a corpus on a disk. "
            "Name the copy in `staged` in the work folder of the machine that builds it."
        )
    return corpus
