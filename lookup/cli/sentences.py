"""The commands that compare meanings."""

import sys
from pathlib import Path
from typing import Any

import click

from lookup.cli.options import WORDS, corpus_option, echo_json, formats, keys_option, open_corpus
from lookup.results.showing import whereabouts


@click.command
@click.argument("query", type=WORDS)
@click.option("-n", "--results", default=10, show_default=True, help="Sentences, at most.")
@click.option("--threshold", type=float, help="Least similarity (cosine).  [default: 0.5]")
@keys_option
@click.option("--section", help="Only in sections whose heading holds this.")
@click.option(
    "--offset", default=0, show_default=True, help="Show the sentences that many further on instead."
)
@click.option("--title", default="", help="A title that says what QUERY is about; encoded together with it.")
@formats("text", "json")
@corpus_option
def sentences(
    query: str,
    results: int,
    threshold: float | None,
    keys: tuple[str, ...],
    section: str | None,
    offset: int,
    title: str,
    form: str,
    corpus: Path | None,
) -> None:
    """Find the sentences most similar to QUERY in meaning, each with the one before and the one after it.

    Exit status: 0 found, 1 nothing found, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote sentences "Most of the carbon is released at night."
      pagequote sentences "the pores are filled by ions" --section results --threshold 0.4
    """
    from lookup.embedding.sentence_vectors import MATCH_THRESHOLD

    least = MATCH_THRESHOLD if threshold is None else threshold
    with open_corpus(corpus) as opened:
        found = opened.sentences(query, results, least, keys or None, section, offset, title)
    if form == "json":
        echo_json([one.to_dict() for one in found])
    else:
        click.echo("\n".join(map(_as_text, found)), nl=bool(found))
    if not found:
        click.echo(f"No sentence has a similarity of {least} or more. Lower --threshold.", err=True)
        sys.exit(1)


def _as_text(one: Any) -> str:
    head = whereabouts(one.key, one.page, one.page_label, one.section_title)
    shown = " ".join(filter(None, (one.previous, click.style(one.target, bold=True), one.next)))
    return f"{head}: {one.similarity:.2f}\n\n{shown}\n"
