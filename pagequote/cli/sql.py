"""The command for SQL over a corpus: a query, or a shell."""

import csv
import io
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError, QueryError
from lookup.results.answer import counted, cut
from lookup.text.printable import json_text
from pagequote.cli import options
from pagequote.cli.parameters import argument, formats, option, taking
from pagequote.cli.printing import echo
from pagequote.stranger_sql import safe_sql

_WIDTH = 110  # Characters of a line where there is no terminal.
_FEW = 20  # Rows that are shown one below the other where a line is too short for them.
_NARROWEST = 12  # Characters that a cell keeps, however short the line is.


@click.command
@taking
def sql(
    query: str | None = argument(),
    safe: bool = option("One SELECT that reaches no file and no network, 10 seconds at most."),
    form: str = formats("table", "csv", "json"),
    parquet: Path | None = option("Write a Parquet file.", type=options.FILE),
    width: int | None = option(
        "Characters of a line.  [default: the terminal's, else 110]", type=click.IntRange(min=20)
    ),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Run QUERY over the current release; "-" reads it from standard input, none opens a shell.

    A table that is wider than a line is shown as a row below the other, or with its cells cut where there
    are many; CSV, JSON and Parquet have all. The tables can only be read. Otherwise QUERY may do what you
    may: read any file (read_text), and write any (COPY). Give --safe where somebody else wrote it.

    \b
    Examples:
      pagequote sql "SELECT key, pages, title FROM papers ORDER BY pages DESC"
      pagequote sql "FROM find_quote('feng2022', 'switchable states')"
      pagequote sql "FROM papers_with_failures" --csv
      pagequote sql --safe "FROM papers WHERE year > 2020"
    """
    if parquet and (safe or not query):
        raise click.UsageError("--parquet writes the rows of a QUERY, and --safe writes no file.")
    asked = query is None and sys.stdin.isatty()
    line = shutil.get_terminal_size((_WIDTH, 24)).columns if sys.stdout.isatty() else _WIDTH
    with options.open_corpus(corpus) as opened:

        def answer(query: str) -> str:
            result = safe_sql(opened, query) if safe else opened.sql(query)
            if not result.columns:
                raise QueryError("The query returns no rows. Use SELECT or FROM.")
            return _formatted(result.columns, result.fetchall(), form, width or line)

        if asked:
            shell(answer)
            return
        query = options.standard_input() if query in (None, "-") else query
        if parquet:
            _write_parquet(opened, query, parquet)
        else:
            echo(answer(query), nl=False)


def _write_parquet(opened: Corpus, query: str, path: Path) -> None:
    """Write the rows of a query beside `path`, and put them there when they are whole."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        target = str(unfinished).replace("'", "''")
        opened.sql(f"COPY ({query.strip().rstrip(';')}) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _formatted(names: list[str], rows: Sequence[Sequence[Any]], form: str, width: int) -> str:
    """Return the rows in a form."""
    if form == "table":
        return _table(names, rows, width)
    if form == "json":
        return json_text([dict(zip(names, row, strict=True)) for row in rows], indent=2, default=str) + "\n"
    out = io.StringIO()
    csv.writer(out).writerows([names, *rows])
    return out.getvalue()


def _table(names: Sequence[str], rows: Sequence[Sequence[Any]], width: int) -> str:
    """Return the rows as a table no wider than `width`, or, if few and long, each as names and values.

    Below it stands how many rows there are.
    """
    every = (["" if value is None else " ".join(str(value).split()) for value in row] for row in rows)
    cells = [[*names], *every]
    widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
    counts = f"({counted(len(rows), 'row')})\n"
    room = width - 2 * (len(widths) - 1)
    if sum(widths) > room:
        caps = range(min(max(widths), room), _NARROWEST, -1)  # the widest columns give way
        cap = next((cap for cap in caps if sum(min(most, cap) for most in widths) <= room), _NARROWEST)
        narrowed = [min(most, cap) for most in widths]
        shown = (min(len(cell), narrowed[i]) for row in cells for i, cell in enumerate(row))
        if 0 < len(rows) <= _FEW and 2 * sum(shown) < sum(len(cell) for row in cells for cell in row):
            return _records(cells[0], cells[1:], width) + counts
        widths = narrowed
    fitted = ([cut(cell, widths[i]).ljust(widths[i]) for i, cell in enumerate(row)] for row in cells)
    lines = ["  ".join(row).rstrip() for row in fitted]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines) + "\n" + counts


def _records(names: list[str], rows: list[list[str]], width: int) -> str:
    margin = max(map(len, names)) + 2
    lines = []
    for row in rows:
        for name, value in zip(names, row, strict=True):
            lines += textwrap.wrap(
                value or " ",
                max(width, margin + _NARROWEST),
                initial_indent=name.ljust(margin),
                subsequent_indent=" " * margin,
                break_on_hyphens=False,
                drop_whitespace=bool(value),
            )
        lines.append("")
    return "\n".join(line.rstrip() for line in lines) + "\n"


_PROMPTS = "sql> ", "...> "

_ENDS = {".exit", ".quit", "exit", "quit"}


def shell(answer: Callable[[str], str], ask: Callable[[str], str] = input) -> None:
    """Print the `answer` to each statement that is typed, until the input ends or one asks to leave."""
    with suppress(ImportError):
        import readline  # noqa: F401  # lines can be edited then
    echo('SQL over the current release. Statements end with ";", .quit leaves.', err=True)
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
