"""The command that searches papers with keywords."""

import sys
from pathlib import Path
from typing import Any

import click

from lookup.keywords.keyword_answer import NO_MATCH
from lookup.keywords.modes import KEYWORD_CALLS, KeywordMode
from lookup.papers.naming import KEY_BY_AUTHOR
from lookup.results.showing import whereabouts
from pagequote.cli import styles
from pagequote.cli.options import (
    WORDS,
    complete_keys,
    corpus_option,
    echo_json,
    formats,
    key_of,
    keys_option,
    open_corpus,
)
from pagequote.cli.printing import echo


@click.command
@click.argument(
    "terms", nargs=-1, required=True, metavar="[KEY] WORD...", type=WORDS, shell_complete=complete_keys
)
@keys_option
@click.option("--all", "everywhere", is_flag=True, help="Search all papers, for the first word too.")
@click.option(
    "--mode",
    type=click.Choice(list(KEYWORD_CALLS)),
    default="context",
    show_default=True,
    help="Rank by the words; find them as a phrase; find all of them together; take similar words too.",
)
@click.option("-n", "count", type=int, help="Places to show.  [default: 15; with --mode phrase 10]")
@click.option(
    "--context-chars",
    type=int,
    help="Characters of a place.  [default: 300; with --mode all 3000, with phrase 4000]",
)
@click.option("--sql", "explain", is_flag=True, help="Print the SQL that ran instead of the places.")
@formats("text", "json")
@corpus_option
def find(
    terms: tuple[str, ...],
    keys: tuple[str, ...],
    everywhere: bool,
    mode: KeywordMode,
    count: int | None,
    context_chars: int | None,
    explain: bool,
    form: str,
    corpus: Path | None,
) -> None:
    """Find where the paper KEY has these WORDs. Without KEY, or with --all, in all papers.

    Words in one pair of quotation marks are one keyword, found as given. Each place is shown with its cursor.

    Exit status: 0 found, 1 nothing found, 2 an error.

    \b
    Examples:
      pagequote find feng2022 membrane voltage
      pagequote find feng2022 membrane voltage --mode all --context-chars 500
      pagequote find "light harvesting" dye
      pagequote find --all feng dye
    """
    if everywhere and keys:
        raise click.UsageError("--all and --key exclude each other.")
    limits = {"max_results": count, "context_chars": context_chars}
    given = {name: value for name, value in limits.items() if value is not None}
    with open_corpus(corpus) as opened:
        if not everywhere and not keys:
            keys, terms = _paper_first(opened, terms)
        answer = getattr(opened, KEYWORD_CALLS[mode].method)(
            terms, keys=keys or None, explain=explain, **given
        )
    if form == "json":
        echo_json(answer.to_dict())
    elif explain:
        echo(";\n\n".join(answer.sql) + ";")
    else:
        for result in answer:
            echo(_as_text(result))
    if not answer:
        echo(NO_MATCH, err=True)
        sys.exit(1)
    if answer.paragraphs > len(answer):
        echo(f"Shown: {len(answer)}. {answer.paragraphs:,} paragraphs have these words.", err=True)
    if answer.answered_by != KEYWORD_CALLS[mode].answered_by:
        echo(f"No exact match; these places are from {answer.answered_by} search.", err=True)


def _paper_first(corpus: Any, terms: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the key of the paper that the first word names, if it does, and the other words."""
    first, alone = terms[0], len(terms) == 1
    named = [one for one in corpus.resolve(first) if not alone or one.key == first]
    if named or KEY_BY_AUTHOR.fullmatch(first):
        return (key_of(corpus, first),), terms[1:]
    if not alone:
        echo(f"No paper is called {first!r}: all papers are searched for it, too.", err=True)
    return (), terms


def _as_text(result: Any) -> str:
    where = whereabouts(result.key, result.page, result.page_label, result.section_title, result.kind)
    head = f"{where}, cursor {result.cursor}: {', '.join(result.matched)}"
    return f"{head}\n\n{styles.marked(result.text, result.spans)}\n"
