"""The commands that read a corpus."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from lookup.cli.options import corpus_option, echo_json, open_corpus
from lookup.errors import QueryError


@click.command
@click.argument("key")
@click.argument("words")
@click.option("--page", default=0, show_default=True, help="Search this page only; 0 searches all.")
@click.option("-n", "count", default=1, show_default=True, help="Places to show.")
@click.option(
    "--context",
    type=click.Choice(["paragraph", "sentence", "chars"]),
    default="paragraph",
    show_default=True,
    help="How much text to show around the words.",
)
@click.option(
    "--context-chars", default=400, show_default=True, help="Characters on either side, with --context chars."
)
@click.option(
    "--paragraphs", default=1, show_default=True, help="Paragraphs to show, with --context paragraph."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "latex", "markdown", "annotation"]),
    default="text",
    show_default=True,
)
@corpus_option
def quote(
    key: str,
    words: str,
    page: int,
    count: int,
    context: str,
    context_chars: int,
    paragraphs: int,
    form: str,
    corpus: Path | None,
) -> None:
    """Find where the paper KEY prints WORDS.

    Exit status: 0 found, 1 nothing but related passages, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote quote feng2022 "electrochemically switchable states"
      pagequote quote feng2022 "switchable states" --page 6 --format latex
    """
    with open_corpus(corpus) as opened:
        answer = opened.quote(key, words, page, count, context, context_chars, paragraphs)
    if form == "json":
        click.echo(answer.to_json(indent=2))
    elif form == "annotation":
        echo_json([match.to_annotation() for match in answer.matches])
    elif form == "latex":
        _echo_each(match.to_latex() for match in answer.matches)
    elif form == "markdown":
        _echo_each(match.to_markdown() for match in answer.matches)
    else:
        _echo_each(_as_text(match) for match in answer.matches)
    if answer.hint:
        click.echo(answer.hint, err=True)
    if not answer or answer.matches[0].verdict == "related":
        sys.exit(1)


@click.command
@click.argument("phrase")
@click.option("--key", "keys", multiple=True, help="Search this paper only; may be given several times.")
@click.option("--page", default=0, show_default=True, help="Search this page of them only; 0 searches all.")
@click.option("--limit", default=50, show_default=True, help="Places to show.")
@click.option("--context-chars", default=80, show_default=True, help="Characters on either side.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@corpus_option
def grep(
    phrase: str,
    keys: tuple[str, ...],
    page: int,
    limit: int,
    context_chars: int,
    form: str,
    corpus: Path | None,
) -> None:
    """Find every place that prints PHRASE, in all papers.

    Exit status: 0 found, 1 nothing found, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote grep "light-harvesting"
      pagequote grep "light-harvesting" --key feng2022 --key okafor2021 --limit 5
    """
    with open_corpus(corpus) as opened:
        found = opened.grep(phrase, keys or None, page, limit, context_chars)
    if form == "json":
        echo_json([match.to_dict() for match in found])
    else:
        _echo_each(_as_line(match) for match in found)
    if not found:
        click.echo(f"Nothing prints {phrase!r} within a paragraph. Ask for fewer words.", err=True)
        sys.exit(1)


@click.command
@click.argument("key")
@click.argument("words")
@click.option("--page", default=0, show_default=True, help="The page that is said to print it.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@corpus_option
def verify(key: str, words: str, page: int, form: str, corpus: Path | None) -> None:
    """Check whether the paper KEY prints WORDS, and on which page.

    Exit status: 0 printed so (and there), 1 not, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote verify feng2022 "electrochemically switchable states" --page 6
    """
    with open_corpus(corpus) as opened:
        found = opened.verify(words, key, page)
    if form == "json":
        click.echo(found.to_json(indent=2))
    else:
        _echo_each(_as_verdict(found))
    sys.exit(0 if found else 1)


@click.command
@click.argument("key")
@click.argument("number", type=int)
@corpus_option
def page(key: str, number: int, corpus: Path | None) -> None:
    """Print page NUMBER (counted from 1) of the paper KEY in reading order."""
    with open_corpus(corpus) as opened:
        click.echo(opened.page(key, number))


@click.command
@click.argument("key")
@corpus_option
def document(key: str, corpus: Path | None) -> None:
    """Print the whole text of the paper KEY in reading order."""
    with open_corpus(corpus) as opened:
        click.echo(opened.document(key))


@click.command
def schema() -> None:
    """Print what the tables of a corpus hold, as Markdown."""
    from lookup.schema import as_markdown

    click.echo(as_markdown(), nl=False)


@click.command
@click.argument("query")
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
@corpus_option
def sql(query: str, form: str, corpus: Path | None) -> None:
    """Run QUERY over the current release ("-" reads it from standard input).

    \b
    Examples:
      pagequote sql "SELECT key, pages, title FROM papers ORDER BY pages DESC"
      pagequote sql "FROM find_quote('feng2022', 'switchable states')"
      pagequote sql "FROM papers_with_failures" --format csv
    """
    if query == "-":
        query = sys.stdin.read()
    with open_corpus(corpus) as opened:
        result = opened.sql(query)
        names = result.columns
        if not names:
            raise QueryError("The query gives no rows. Ask with SELECT or FROM.")
        rows = result.fetchall()
    click.echo(_FORMS[form](names, rows), nl=False)


def _echo_each(texts: Any) -> None:
    for text in texts:
        click.echo(text)


def _as_text(match: Any) -> str:
    page_shown = f"page {match.page}" + (f" (printed {match.page_label})" if match.page_label else "")
    head = ", ".join(filter(None, (match.key, page_shown, match.section_title, match.kind)))
    start, end = match.span
    quoted = click.style(match.text[start:end], bold=True, underline=True)
    notes = "".join(f"{note}\n" for note in _notes(match))
    return f"{head}: {match.verdict}\n{notes}\n{match.text[:start]}{quoted}{match.text[end:]}\n"


def _as_line(match: Any) -> str:
    label = f" ({match.page_label})" if match.page_label else ""
    start, end = match.span
    quoted = click.style(match.text[start:end], bold=True, underline=True)
    return f"{match.key}:{match.page}{label}: " + " ".join(
        f"{match.text[:start]}{quoted}{match.text[end:]}".split()
    )


def _as_verdict(found: Any) -> Iterator[str]:
    page_shown = ""
    if found.match is not None:
        label = f" (printed {found.match.page_label})" if found.match.page_label else ""
        page_shown = f", page {found.match.page}{label}"
    yield f"{found.key}{page_shown}: {found.verdict}"
    if found.match is not None:
        if found.verdict != "verbatim":
            yield f"  printed: {found.match.quote}"
        yield from _notes(found.match)
    for other in found.elsewhere:
        yield f"  printed by {other.key}, page {other.page}"
    if found.hint:
        yield f"  {found.hint}"


def _notes(match: Any) -> Iterator[str]:
    """How the words asked for differ from the printed ones, a line each."""
    for one in match.differences:
        yield f"  {one.kind}: {one.asked or '(nothing)'} -> {one.printed or '(nothing)'}"
    if match.omitted:
        yield "  left out: " + " | ".join(match.omitted)


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> str:
    cells = [names, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
    lines = [
        "  ".join(value.ljust(width) for value, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines) + f"\n({len(rows)} row{'' if len(rows) == 1 else 's'})\n"


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
    import json

    return (
        json.dumps(
            [dict(zip(names, row, strict=True)) for row in rows], ensure_ascii=False, indent=2, default=str
        )
        + "\n"
    )


_FORMS = {"table": _table, "csv": _csv, "json": _json}
