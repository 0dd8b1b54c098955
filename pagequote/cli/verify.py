"""The command that checks a quote."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.results.showing import whereabouts
from pagequote.cli import options, styles
from pagequote.cli.batch import batch_option, key_or_words, read_batch
from pagequote.cli.next_steps import with_command
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from lookup.results.papers import PageName


@click.command
@options.optional_key
@options.optional_words
@options.page("The page that is cited for it, counted from 1, or as printed.", 0)
@options.option(
    "--min-verdict", "The lowest verdict that is right.", click.Choice(["verbatim", "abridged"]), "abridged"
)
@batch_option
@options.formats("text", "json")
@options.corpus
def verify(
    key: str | None,
    words: str | None,
    page: "PageName",
    min_verdict: str,
    batch: Path | None,
    form: str,
    corpus: Path | None,
) -> None:
    """Check whether the paper KEY prints WORDS ("-" reads them from standard input), and on which page.

    KEY may be a PDF, with nothing built. Without KEY, the paper that prints WORDS is looked for.

    Words left out under "..." and put in with [brackets] are the writer's: such a quote is abridged, and
    right unless --min-verdict is verbatim.

    Exit status: 0 printed so (and there), 1 not, 2 an error. With --batch: 0 all, 1 not all.

    \b
    Examples:
      pagequote verify feng2022 "electrochemically switchable states" --page 6
      pagequote verify "electrochemically switchable states"
      pagequote verify papers/feng2022.pdf "electrochemically switchable states"
      curl https://example.org/feng.pdf | pagequote verify - "electrochemically switchable states"
      pagequote verify --batch quotes.tsv --json
      printf 'feng2022\\tswitchable states\\t6\\n' | pagequote verify --batch -
    """
    key, words = key_or_words(key, words, batch)
    with options.open_corpus(corpus, key) as opened:
        if batch is not None:
            found = opened.verify_all((one.words, one.key, one.page) for one in read_batch(batch))
        else:
            found = (opened.verify(words, options.key_of(opened, key) if key else "", page),)
    if form == "json":
        options.echo_json([one.to_dict() for one in found] if batch else found[0].to_dict())
    else:
        for one in found:
            echo("\n".join(_as_verdict(one, "" if batch else key or "")))
    sys.exit(0 if all(one and one.verdict in (min_verdict, "verbatim") for one in found) else 1)


def _as_verdict(found: Any, named: str) -> Iterator[str]:
    head = found.key or "any paper"
    if found.match is not None:
        match = found.match
        head = whereabouts(found.key, match.page, match.page_label, anchor=match.anchor)
    yield f"{head}: {styles.verdict(found.verdict)}"
    if found.match is not None:
        if found.verdict != "verbatim":
            yield f"  printed: {found.match.quote}"
        yield from styles.notes(found.match)
    for other in found.elsewhere:
        yield f"  printed by {whereabouts(other.key, other.page, None)}"
    if found.hint:
        yield f"  {with_command(found.hint, found.next_step, named)}"
