"""The command that reports on a corpus and its builds."""

from datetime import timedelta
from pathlib import Path
from tempfile import mkdtemp

import click

from lookup.text.printable import on_one_line
from pagequote.cli import options
from pagequote.cli.printing import echo


@click.command
@options.flag("--json as_json", "As JSON: the release's report, and its builds.")
@options.option("--html", "Write the report as a page to this file.", options.PATH)
@options.flag("--open open_page", "Show the report as a page in the browser.")
@options.option("--growth", "Write a row for each release to this file, as JSON.", options.PATH)
@options.option(
    "--max-age", "Exit with status 1 if the last good build is older: 26h, 2d.", options.span, metavar="SPAN"
)
@options.corpus
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

    corpus = options.chosen_corpus(corpus)
    found = status_of(corpus, max_age)
    if html is None and open_page:
        html = Path(mkdtemp(prefix="pagequote-")) / "report.html"
    if html is not None:
        from pagequote.web.report_page import standalone

        write_atomically(html, standalone(found.report).encode(), html.parent)
    if growth is not None:
        write_json(growth, found.report["growth"], growth.parent, indent=1)
    if open_page:
        click.launch(str(html))
    if as_json:
        options.echo_json(found.to_dict())
    else:
        for line in found.lines():
            echo(on_one_line(line))
    if not found.well:
        raise SystemExit(1)
