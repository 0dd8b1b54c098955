"""Everything that the command prints: text that came from elsewhere can do nothing to a terminal or a log."""

import os
import re
import sys
from collections.abc import Iterable
from io import TextIOWrapper

import click

from lookup.results.answer import marked_pieces
from lookup.text.printable import in_a_log
from lookup.text.regex import regex

_STYLE = re.compile("(\x1b\\[(?:0|1|2|4|3[0-7])m)")
"""What `style` puts around words: it can only change how they look."""


def prepare_streams() -> None:
    """Have streams that were closed lead nowhere, before a file that is opened gets their number.

    Print as escapes what the code page of a stream has not; on Windows a pipe has one.
    """
    for name, mode in {"stdin": "r", "stdout": "w", "stderr": "w"}.items():
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


class OutputError(Exception):
    """Standard output cannot be written (its disk is full), and the message says why."""


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print `text`, without what could act: see `printable`. Raise OutputError or BrokenPipeError."""
    pieces = _STYLE.split(str(text))
    try:
        click.echo("".join(one if i % 2 else in_a_log(one) for i, one in enumerate(pieces)), err=err, nl=nl)
    except BrokenPipeError:
        raise
    except OSError as error:
        discard_output()
        raise OutputError(f"Standard output cannot be written ({error.strerror}).") from error


def discard_output() -> None:
    """Have what is still to be flushed to standard output go nowhere: Python would fail once more with it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def one_message(text: str) -> str:
    """Return a message whose further lines begin with a mark: a line of an error may be a command for CI.

    GitHub's runner acts on lines that begin with "::", spaces before it left out.
    """
    return text.strip().replace("\n", "\n  | ")


_VERDICTS = {
    "verbatim": "green",
    "abridged": "green",
    "near": "yellow",
    "related": "yellow",
    "not found": "red",
    "not covered": "magenta",
    "unknown key": "magenta",
}
"""Styles only repeat what the words say: colours may be off."""


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
