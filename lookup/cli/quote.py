"""The command that finds a quote."""

import sys
from pathlib import Path
from typing import Any

import click

from lookup.cli import styles
from lookup.cli.batch import batch_option, one_or_batch, read_batch
from lookup.cli.next_steps import with_command
from lookup.cli.options import (
    corpus_option,
    echo_json,
    formats,
    key_of,
    key_unless_batch,
    open_corpus,
    words_unless_batch,
)
from lookup.cli.printing import echo
from lookup.results.showing import short, whereabouts


@click.command
@key_unless_batch
@words_unless_batch
@click.option(
    "--page",
    default=0,
    show_default=True,
    help="Search this page only, counted from 1, or printed; 0 searches all.",
)
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

    Exit status: 0 found, 1 only related passages, 2 an error. With --batch: 0 all found, 1 not all.

    \b
    Examples:
      pagequote quote feng2022 "electrochemically switchable states"
      pagequote quote feng2022 "switchable states" --page 6 --format latex
      xsel | pagequote quote feng2022 - --json
      pagequote quote --batch quotes.tsv --json
    """
    one_or_batch(key, words, batch)
    extent = (count, context, context_chars, paragraphs)
    with open_corpus(corpus, key) as opened:
        if batch is not None:
            answers = opened.quotes(read_batch(batch), *extent)
        else:
            answers = (opened.quote(key_of(opened, key or ""), words, page, *extent),)
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
            echo(f"{answer.key}, {short(answer.query)!r}: {hint}" if batch else hint, err=True)
    if not all(answer and answer.matches[0].verdict != "related" for answer in answers):
        sys.exit(1)


def _echo_each(texts: Any) -> None:
    for text in texts:
        echo(text)


def _as_text(match: Any) -> str:
    head = whereabouts(match.key, match.page, match.page_label, match.section_title, match.kind)
    notes = "".join(f"{note}\n" for note in styles.notes(match))
    return f"{head}: {styles.verdict(match.verdict)}\n{notes}\n{styles.marked(match.text, [match.span])}\n"
