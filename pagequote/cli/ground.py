"""The command that finds values."""

import sys
from pathlib import Path

import click

from lookup.results.showing import short, whereabouts
from pagequote.cli import options, styles
from pagequote.cli.printing import echo


@click.command
@options.key
@click.argument("values", nargs=-1, required=True, metavar="[NAME=]VALUE...")
@options.count("Places to show of each value.", 20)
@options.formats("text", "json")
@options.corpus
def ground(key: str, values: tuple[str, ...], count: int, form: str, corpus: Path | None) -> None:
    """Find where the paper KEY prints each VALUE: a number with its unit, or a phrase.

    Exit status: 0 all printed, 1 not all, 2 an error.

    \b
    Examples:
      pagequote ground feng2022 "dose=10 mg" "n=4,000 participants"
      pagequote ground paper.pdf "22 %" --json
    """
    pairs = [one.partition("=") for one in values]
    named = {name: value if sign else name for name, sign, value in pairs}
    with options.open_corpus(corpus, key) as opened:
        found = opened.ground(options.key_of(opened, key), named, count)
    if form == "json":
        options.echo_json({name: answer.to_dict() for name, answer in found.items()})
    for name, answer in found.items() if form == "text" else ():
        for match in answer.matches:
            place = whereabouts(match.key, match.page, match.page_label, anchor=match.anchor)
            words = short(styles.marked(match.text, [match.span]))
            echo(f"{name}: {place}: {match.verdict}: {words}")
        if not answer.matches:
            echo(f"{name}: not found")
    if not all(one.matches and one.matches[0].verdict == "verbatim" for one in found.values()):
        sys.exit(1)
