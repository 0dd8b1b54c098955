"""The command that finds a phrase in all papers."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.results.showing import counted
from pagequote.cli import styles
from pagequote.cli.options import (
    corpus_option,
    echo_json,
    formats,
    keys_option,
    open_corpus,
    page_to_search,
    words_argument,
)
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from lookup.results.papers import PageName


@click.command
@words_argument("phrase")
@keys_option
@page_to_search("Search this page of them only, counted from 1, or as printed; 0 searches all.")
@click.option("-n", "--limit", default=50, show_default=True, help="Places to show.")
@click.option("--context-chars", default=80, show_default=True, help="Characters on either side.")
@formats("text", "json")
@corpus_option
def grep(
    phrase: str,
    keys: tuple[str, ...],
    page: "PageName",
    limit: int,
    context_chars: int,
    form: str,
    corpus: Path | None,
) -> None:
    """Find every place that prints PHRASE, in all papers.

    Exit status: 0 found, 1 nothing found, 2 an error.

    \b
    Examples:
      pagequote grep "light-harvesting"
      pagequote grep light-harvesting complex --key feng2022 --key okafor2021 -n 5
    """
    with open_corpus(corpus) as opened:
        found = opened.grep(phrase, keys or None, page, limit, context_chars)
        held = opened.count(phrase, keys or None) if len(found) == limit else None
    if form == "json":
        echo_json([match.to_dict() for match in found])
    else:
        for match in found:
            echo(_as_line(match))
    if held:
        places = f"{counted(held.paragraphs, 'paragraph')} of {counted(held.papers, 'paper')}"
        echo(f"Shown: the first {counted(limit, 'place')}. With these words: {places}.", err=True)
    if not found:
        echo(f"No paper prints {phrase!r} within a paragraph. Try fewer words.", err=True)
        sys.exit(1)


def _as_line(match: Any) -> str:
    label = f" ({match.page_label})" if match.page_label else ""
    place = f"{match.page}{label}" if match.page else f"#{match.anchor}"
    return f"{match.key}:{place}: " + " ".join(styles.marked(match.text, [match.span]).split())
