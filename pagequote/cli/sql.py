"""The commands for SQL over a corpus: a query, and the tables that there are."""

from pathlib import Path
from typing import Any

import click

from lookup.errors import QueryError
from lookup.results.showing import counted
from pagequote.cli.options import corpus_option, echo_json, formats, json_option, open_corpus, standard_input
from pagequote.cli.printing import echo


@click.command
@json_option
def schema(as_json: bool) -> None:
    """Describe the tables of a corpus, as Markdown.

    \b
    Examples:
      pagequote schema
      pagequote schema --json
    """
    from dataclasses import asdict

    from lookup.release.schema import TABLES, as_markdown

    if as_json:
        echo_json([asdict(table) for table in TABLES])
    else:
        echo(as_markdown(), nl=False)


@click.command
@click.argument("query")
@click.option(
    "--safe", is_flag=True, help="One SELECT that reaches no file and no network, 10 seconds at most."
)
@formats("table", "csv", "json")
@corpus_option
def sql(query: str, safe: bool, form: str, corpus: Path | None) -> None:
    """Run QUERY over the current release ("-" reads it from standard input).

    The tables of the release can only be read. Otherwise QUERY may do what you may: read any file
    (read_text), and write any (COPY). Give --safe where somebody else wrote it.

    \b
    Examples:
      pagequote sql "SELECT key, pages, title FROM papers ORDER BY pages DESC"
      pagequote sql "FROM find_quote('feng2022', 'switchable states')"
      pagequote sql "FROM papers_with_failures" --format csv
      pagequote sql --safe "FROM papers WHERE year > 2020"
    """
    from pagequote.stranger_sql import safe_sql

    query = standard_input() if query == "-" else query
    with open_corpus(corpus) as opened:
        result = safe_sql(opened, query) if safe else opened.sql(query)
        names = result.columns
        if not names:
            raise QueryError("The query returns no rows. Use SELECT or FROM.")
        rows = result.fetchall()
    echo(_FORMS[form](names, rows), nl=False)


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> str:
    cells = [names, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
    lines = [
        "  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines) + f"\n({counted(len(rows), 'row')})\n"


_WIDEST = 60
"""Characters of a cell that the table shows; csv and json show all."""


def _cell(value: Any) -> str:
    text = "" if value is None else " ".join(str(value).split())
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _csv(names: list[str], rows: list[tuple[Any, ...]]) -> str:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


def _json(names: list[str], rows: list[tuple[Any, ...]]) -> str:
    from lookup.text.printable import json_text

    return json_text([dict(zip(names, row, strict=True)) for row in rows], indent=2, default=str) + "\n"


_FORMS = {"table": _table, "csv": _csv, "json": _json}
