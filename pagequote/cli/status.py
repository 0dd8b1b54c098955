"""The command that reports on a corpus and its builds."""

from datetime import timedelta
from pathlib import Path

import click

from lookup.text.printable import on_one_line
from pagequote.cli.options import chosen_corpus, corpus_option, echo_json, on_disk, span
from pagequote.cli.printing import echo


@click.command
@click.option("--json", "as_json", is_flag=True, help="As JSON: the release's report, and its builds.")
@click.option("--html", type=click.Path(path_type=Path), help="Write the release's page to this file.")
@click.option("--open", "open_page", is_flag=True, help="Show the release's page in the browser.")
@click.option(
    "--growth", type=click.Path(path_type=Path), help="Write a row for each release to this file, as JSON."
)
@click.option(
    "--max-age",
    metavar="SPAN",
    callback=span,
    help="Exit with status 1 if the last good build is older: 26h, 2d.",
)
@corpus_option
def status(
    as_json: bool,
    html: Path | None,
    open_page: bool,
    growth: Path | None,
    max_age: timedelta | None,
    corpus: Path | None,
) -> None:
    """Report on a corpus and its builds: what the current release holds, what failed, when it was built.

    Exit status: 0 all is well, 1 the last build failed, or the last good one is older than --max-age, 2 there
    is no corpus.

    \b
    Examples:
      pagequote status
      pagequote status --max-age 26h
      pagequote status --open
      pagequote status --html report.html
    """
    from pipeline.files.atomic import write_atomically, write_json
    from pipeline.report.corpus_status import status_of

    corpus = chosen_corpus(corpus)
    found = status_of(on_disk(corpus) if open_page else corpus, max_age)
    if html is not None:
        write_atomically(html, found.page_content())
    if growth is not None:
        write_json(growth, found.report["growth"], indent=1)
    if open_page:
        click.launch(found.page.as_uri())
    if as_json:
        echo_json(found.to_dict())
    else:
        for line in found.lines():
            echo(on_one_line(line))
    if not found.well:
        raise SystemExit(1)
