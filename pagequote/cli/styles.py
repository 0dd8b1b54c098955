"""The styles of answers on a terminal. They only repeat what the words say: colours may be off."""

import re
from collections.abc import Iterable

import click

from lookup.results.answer import marked_pieces
from lookup.text.regex import regex

_VERDICTS = {
    "verbatim": "green",
    "abridged": "green",
    "near": "yellow",
    "related": "yellow",
    "not found": "red",
    "not covered": "magenta",
    "unknown key": "magenta",
}


def verdict(name: str) -> str:
    """Return a verdict in its colour."""
    return click.style(name, fg=_VERDICTS.get(name), bold=True)


def mark(text: str) -> str:
    """Return `text` highlighted."""
    return click.style(text, bold=True, underline=True)


def marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return `text` with the spans highlighted."""
    return "".join(mark(piece) if is_marked else piece for piece, is_marked in marked_pieces(text, spans))


_LEVELS = {"ok": "green", "warning": "yellow", "error": "red"}
_FINDING = regex(r"^(\S.*?:\d+:\d+: )(ok|warning|error)(?=: )", re.MULTILINE)
_DIFF = regex(r"\[-.*?-\]|\{\+.*?\+\}")


def findings(text: str) -> str:
    """Return the lines of `pagequote check`, their levels and word diffs in colour."""
    text = _DIFF.sub(lambda diff: click.style(diff[0], fg="red" if diff[0][0] == "[" else "green"), text)
    return _FINDING.sub(lambda one: one[1] + click.style(one[2], fg=_LEVELS[one[2]], bold=True), text)
