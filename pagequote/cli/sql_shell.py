"""A shell for SQL: statements end with ";", names are completed, an error leaves it open."""

from collections.abc import Callable, Sequence

import click

from lookup.errors import PageQuoteError
from pagequote.cli.printing import echo

_PROMPTS = "sql> ", "...> "

_ENDS = {".exit", ".quit", "exit", "quit"}


def shell(answer: Callable[[str], str], names: Sequence[str], ask: Callable[[str], str] = input) -> None:
    """Print the `answer` to each statement that is typed, until the input ends or one asks to leave."""
    _complete(names)
    echo('SQL over the current release. Statements end with ";", Tab completes, .quit leaves.', err=True)
    typed: list[str] = []
    while True:
        try:
            line = ask(_PROMPTS[bool(typed)])
        except KeyboardInterrupt:
            typed.clear()
            click.echo(err=True)
            continue
        except EOFError:
            return
        if not typed and line.strip().rstrip(";") in _ENDS:
            return
        if line.strip():
            typed.append(line)
        if line.rstrip().endswith(";"):
            try:
                echo(answer("\n".join(typed)), nl=False)
            except PageQuoteError as error:
                echo(str(error), err=True)
            typed.clear()


def _complete(names: Sequence[str]) -> None:
    """Have Tab complete these names, where Python can."""
    try:
        import readline
    except ImportError:
        return

    def completion(begun: str, number: int) -> str | None:
        fitting = [name for name in names if name.casefold().startswith(begun.casefold())]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer(completion)
    readline.set_completer_delims(" \t\n,;()='\"<>*+-/")
    readline.parse_and_bind("tab: complete")
