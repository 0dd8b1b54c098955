"""The commands that read a corpus."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from lookup.cli import styles
from lookup.cli.batch import batch_option, one_or_batch, read_batch
from lookup.cli.next_steps import with_command
from lookup.cli.options import (
    WORDS,
    corpus_option,
    echo_json,
    formats,
    json_option,
    key_argument,
    key_unless_batch,
    keys_option,
    open_corpus,
    standard_input,
    words_unless_batch,
)
from lookup.errors import QueryError
from lookup.results.showing import short, whereabouts


@click.command
@key_unless_batch
@words_unless_batch
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
@batch_option
@formats("text", "json", "latex", "markdown", "annotation")
@corpus_option
def quote(
    key: str | None,
    words: str | None,
    page: int,
    count: int,
    context: str,
    context_chars: int,
    paragraphs: int,
    batch: Path | None,
    form: str,
    corpus: Path | None,
) -> None:
    """Find where the paper KEY prints WORDS ("-" reads them from standard input).

    Exit status: 0 found, 1 nothing but related passages, 2 a call that cannot be answered. With --batch: 0 all found, 1 not all.

    \b
    Examples:
      pagequote quote feng2022 "electrochemically switchable states"
      pagequote quote feng2022 "switchable states" --page 6 --format latex
      xsel | pagequote quote feng2022 - --json
      pagequote quote --batch quotes.tsv --json
    """
    one_or_batch(key, words, batch)
    extent = (count, context, context_chars, paragraphs)
    with open_corpus(corpus) as opened:
        if batch is not None:
            answers = opened.quotes(read_batch(batch), *extent)
        else:
            answers = (opened.quote(key, words, page, *extent),)
    matches = [match for answer in answers for match in answer.matches]
    if form == "json":
        echo_json([answer.to_dict() for answer in answers] if batch else answers[0].to_dict())
    elif form == "annotation":
        echo_json([match.to_annotation() for match in matches])
    elif form == "latex":
        _echo_each(match.to_latex() for match in matches)
    elif form == "markdown":
        _echo_each(match.to_markdown() for match in matches)
    else:
        _echo_each(_as_text(match) for match in matches)
    for answer in answers:
        if answer.hint:
            hint = with_command(answer.hint, answer.next_step)
            click.echo(f"{answer.key}, {short(answer.query)!r}: {hint}" if batch else hint, err=True)
    if not all(answer and answer.matches[0].verdict != "related" for answer in answers):
        sys.exit(1)


@click.command
@click.argument("phrase", type=WORDS)
@keys_option
@click.option("--page", default=0, show_default=True, help="Search this page of them only; 0 searches all.")
@click.option("--limit", default=50, show_default=True, help="Places to show.")
@click.option("--context-chars", default=80, show_default=True, help="Characters on either side.")
@formats("text", "json")
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
@key_unless_batch
@words_unless_batch
@click.option("--page", default=0, show_default=True, help="The page that is said to print it.")
@batch_option
@formats("text", "json")
@corpus_option
def verify(
    key: str | None, words: str | None, page: int, batch: Path | None, form: str, corpus: Path | None
) -> None:
    """Check whether the paper KEY prints WORDS ("-" reads them from standard input), and on which page.

    Exit status: 0 printed so (and there), 1 not, 2 a call that cannot be answered. With --batch: 0 all, 1 not all.

    \b
    Examples:
      pagequote verify feng2022 "electrochemically switchable states" --page 6
      pagequote verify --batch quotes.tsv --json
      printf 'feng2022\\tswitchable states\\t6\\n' | pagequote verify --batch -
    """
    one_or_batch(key, words, batch)
    with open_corpus(corpus) as opened:
        if batch is not None:
            found = opened.verify_all((one.words, one.key, one.page) for one in read_batch(batch))
        else:
            found = (opened.verify(words, key, page),)
    if form == "json":
        echo_json([one.to_dict() for one in found] if batch else found[0].to_dict())
    else:
        for one in found:
            _echo_each(_as_verdict(one))
    sys.exit(0 if all(found) else 1)


@click.command
@key_argument
@click.argument("number", type=int)
@json_option
@corpus_option
def page(key: str, number: int, as_json: bool, corpus: Path | None) -> None:
    """Print page NUMBER (counted from 1) of the paper KEY in reading order.

    \b
    Examples:
      pagequote page feng2022 6
      pagequote page feng2022 6 --json
    """
    with open_corpus(corpus) as opened:
        text = opened.page(key, number)
        label = opened.pages(key)[number - 1].page_label if as_json else None
    if as_json:
        echo_json({"key": key, "page": number, "page_label": label, "text": text})
    else:
        click.echo(text)


@click.command
@key_argument
@json_option
@corpus_option
def document(key: str, as_json: bool, corpus: Path | None) -> None:
    """Print the whole text of the paper KEY in reading order.

    \b
    Examples:
      pagequote document feng2022 > feng2022.txt
      pagequote document feng2022 --json
    """
    with open_corpus(corpus) as opened:
        text = opened.document(key)
    if as_json:
        echo_json({"key": key, "text": text})
    else:
        click.echo(text)


@click.command
@json_option
def schema(as_json: bool) -> None:
    """Print what the tables of a corpus hold, as Markdown.

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
        click.echo(as_markdown(), nl=False)


@click.command
@click.argument("query")
@formats("table", "csv", "json")
@corpus_option
def sql(query: str, form: str, corpus: Path | None) -> None:
    """Run QUERY over the current release ("-" reads it from standard input).

    \b
    Examples:
      pagequote sql "SELECT key, pages, title FROM papers ORDER BY pages DESC"
      pagequote sql "FROM find_quote('feng2022', 'switchable states')"
      pagequote sql "FROM papers_with_failures" --format csv
    """
    query = standard_input() if query == "-" else query
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
    head = whereabouts(match.key, match.page, match.page_label, match.section_title, match.kind)
    notes = "".join(f"{note}\n" for note in _notes(match))
    return f"{head}: {styles.verdict(match.verdict)}\n{notes}\n{styles.marked(match.text, [match.span])}\n"


def _as_line(match: Any) -> str:
    label = f" ({match.page_label})" if match.page_label else ""
    return f"{match.key}:{match.page}{label}: " + " ".join(styles.marked(match.text, [match.span]).split())


def _as_verdict(found: Any) -> Iterator[str]:
    head = found.key
    if found.match is not None:
        head = whereabouts(found.key, found.match.page, found.match.page_label)
    yield f"{head}: {styles.verdict(found.verdict)}"
    if found.match is not None:
        if found.verdict != "verbatim":
            yield f"  printed: {found.match.quote}"
        yield from _notes(found.match)
    for other in found.elsewhere:
        yield f"  printed by {other.key}, page {other.page}"
    if found.hint:
        yield f"  {with_command(found.hint, found.next_step)}"


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
