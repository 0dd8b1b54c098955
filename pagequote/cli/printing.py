"""Everything that the command prints: text that came from elsewhere can do nothing to a terminal or a log."""

import re

import click

from lookup.text.printable import printable

_STYLE = re.compile("(\x1b\\[(?:0|1|2|4|3[0-7])m)")
"""What `style` puts around words: it can only change how they look."""


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print `text`, without what could act: see `printable`."""
    pieces = _STYLE.split(str(text))
    click.echo("".join(one if i % 2 else printable(one) for i, one in enumerate(pieces)), err=err, nl=nl)
