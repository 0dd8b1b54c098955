"""The commands that search across papers."""

import re
import sys
from pathlib import Path
from typing import Any

import click

from lookup.results.showing import whereabouts
from pagequote.cli.next_steps import with_command
from pagequote.cli.options import (
    WORDS,
    Command,
    corpus_option,
    echo_json,
    formats,
    key_argument,
    key_of,
    keys_option,
    open_corpus,
    words_argument,
)
from pagequote.cli.printing import echo, style

_YEARS = re.compile(r"(\d{4})?(-)?(\d{4})?")


class _Years(click.ParamType["int | tuple[int | None, int | None]"]):
    """A year, or a range that may be open at one end: 2015, 2015-2020, 2015-, -2020."""

    name = "YEARS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        match = _YEARS.fullmatch(value)
        if match is None or not (match[1] or match[3]) or (match[1] and match[3] and not match[2]):
            self.fail(f"{value!r} is not a year or range: 2015, 2015-2020, 2015- or -2020.", param, ctx)
        first, last = (int(year) if year else None for year in (match[1], match[3]))
        return (first, last) if match[2] else first


_exclude = click.option("--exclude", multiple=True, metavar="KEY", help="Not in this paper; repeatable.")


def _filters(command: Command) -> Command:
    for option in (
        keys_option,
        _exclude,
        click.option("--kind", "kinds", multiple=True, help="Only this kind of paragraph; repeatable."),
        click.option("--year", "years", type=_Years(), help="Papers of these years: 2015, 2015-2020, 2015-."),
        click.option("--author", "authors", multiple=True, help="Only by this author; repeatable."),
        click.option("--section", help="Sections with these words in the title."),
        click.option("--per-paper", default=3, show_default=True, help="Paragraphs of a paper; 0: no limit."),
        click.option("-n", "count", default=10, show_default=True, help="Paragraphs to show."),
        formats("text", "json"),
        corpus_option,
    ):  # fmt: skip
        command = option(command)
    return command


@click.command
@click.argument("words", nargs=-1, required=True, type=WORDS)
@click.option(
    "--mode",
    type=click.Choice(["hybrid", "lexical", "semantic"]),
    default="hybrid",
    show_default=True,
    help="By words and meaning, by words, or by meaning.",
)
@_filters
def search(
    words: tuple[str, ...], mode: Any, count: int, form: str, corpus: Path | None, **filters: Any
) -> None:
    """Find the paragraphs of all papers that answer WORDS best.

    References and running heads are searched only with --kind.

    Exit status: 0 found, 1 nothing found, 2 an error.

    \b
    Examples:
      pagequote search carbon released by marshes at night
      pagequote search light harvesting --year 2018- --author okafor --kind caption
    """
    with open_corpus(corpus) as opened:
        _show(opened.search(" ".join(words), count, mode, **_named(filters)), form)


@click.command
@key_argument
@click.argument("paragraph", type=int)
@_filters
def similar(key: str, paragraph: int, count: int, form: str, corpus: Path | None, **filters: Any) -> None:
    """Find paragraphs of other papers similar in meaning to PARAGRAPH (counted from 0) of the paper KEY.

    Exit status: 0 found, 1 nothing found, 2 an error.

    \b
    Examples:
      pagequote similar feng2022 14 -n 5
    """
    with open_corpus(corpus) as opened:
        _show(opened.similar(key_of(opened, key), paragraph, count, **_named(filters)), form)


@click.command
@words_argument("query")
@click.option("-n", "--results", default=10, show_default=True, help="Sentences, at most.")
@click.option("--threshold", type=float, help="Least similarity (cosine).  [default: 0.5]")
@keys_option
@_exclude
@click.option("--section", help="Only in sections with these words in the heading.")
@click.option("--offset", default=0, show_default=True, help="Skip so many sentences.")
@click.option("--title", default="", help="The topic of QUERY; encoded together with it.")
@formats("text", "json")
@corpus_option
def sentences(
    query: str,
    results: int,
    threshold: float | None,
    keys: tuple[str, ...],
    exclude: tuple[str, ...],
    section: str | None,
    offset: int,
    title: str,
    form: str,
    corpus: Path | None,
) -> None:
    """Find the sentences most similar to QUERY in meaning, each with the sentences before and after it.

    Exit status: 0 found, 1 nothing found, 2 an error.

    \b
    Examples:
      pagequote sentences "Most of the carbon is released at night."
      pagequote sentences "the pores are filled by ions" --section results --threshold 0.4
    """
    from lookup.corpus import MATCH_THRESHOLD

    least = MATCH_THRESHOLD if threshold is None else threshold
    with open_corpus(corpus) as opened:
        found = opened.sentences(query, results, least, keys or None, section, offset, title, exclude)
    if form == "json":
        echo_json([one.to_dict() for one in found])
    else:
        echo("\n".join(map(_as_sentence, found)), nl=bool(found))
    if not found:
        echo(f"No sentence has a similarity of {least} or more. Lower --threshold.", err=True)
        sys.exit(1)


def _named(filters: dict[str, Any]) -> dict[str, Any]:
    """Return the filters that were given as arguments of a corpus call."""
    return {name: value for name, value in filters.items() if value not in {(), None}}


def _show(answer: Any, form: str) -> None:
    if form == "json":
        echo(answer.to_json(indent=2))
    else:
        for hit in answer.hits:
            more = (hit.section_title, f"{hit.kind} {hit.paragraph}", f"{hit.score:.2f}")
            echo(whereabouts(hit.key, hit.page, hit.page_label, *more))
            echo(f"  {' '.join(hit.snippet.split())}\n")
    if answer.hint:
        echo(with_command(answer.hint, answer.next_step), err=True)
    if not answer:
        sys.exit(1)


def _as_sentence(one: Any) -> str:
    head = whereabouts(one.key, one.page, one.page_label, one.section_title)
    shown = " ".join(filter(None, (one.previous, style(one.target, bold=True), one.next)))
    return f"{head}: {one.similarity:.2f}\n\n{shown}\n"
