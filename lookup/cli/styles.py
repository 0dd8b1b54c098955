"""How answers look on a terminal. Each style stands for something that the words say as well: without colours nothing is lost."""

from collections.abc import Iterable

import click

from lookup.showing import marked_pieces

_VERDICTS = {
    "verbatim": "green",
    "near": "yellow",
    "related": "yellow",
    "not found": "red",
    "not covered": "magenta",
}


def verdict(name: str) -> str:
    """A verdict in its colour."""
    return click.style(name, fg=_VERDICTS.get(name), bold=True)


def marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with the spans highlighted."""
    return "".join(
        click.style(piece, bold=True, underline=True) if is_marked else piece
        for piece, is_marked in marked_pieces(text, spans)
    )
