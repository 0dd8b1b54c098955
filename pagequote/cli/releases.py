"""The commands about the state of a corpus, and its releases."""

from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from tempfile import mkdtemp

import click

from lookup.release.current import beside
from lookup.results.answer import counted
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import on_one_line
from pagequote.cli import build_options, options
from pagequote.cli.parameters import argument, option, taking
from pagequote.cli.printing import echo
from pipeline.files.atomic import write_atomically, write_json
from pipeline.releases.history import Listed, find_release, list_releases, rollback
from pipeline.releases.release_diff import compare_releases


@click.command
@taking
def status(
    as_json: bool = option("As JSON: the release's report, and its builds.", "--json"),
    html: Path | None = option("Write the report as a page to this file."),
    open_page: bool = option("Show the report as a page in the browser.", "--open"),
    growth: Path | None = option("Write a row for each release to this file, as JSON."),
    max_age: timedelta | None = option(
        "Exit with status 1 if the last good build is older: 26h, 2d.",
        type=build_options.span,
        metavar="SPAN",
    ),
    corpus: Path | None = options.CORPUS,
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
    options.say(found, map(on_one_line, found.lines()), as_json=as_json)
    if not found.well:
        raise SystemExit(1)


@click.group(invoke_without_command=True)
@click.pass_context
@taking
def releases(
    ctx: click.Context, as_json: bool = options.AS_JSON, corpus: Path | None = options.CORPUS
) -> None:
    """List the releases of a corpus, oldest first; the current one is marked with an asterisk.

    `own` is the space that removing a release frees: files that it shares with others do not count.

    \b
    Examples:
      pagequote releases
      pagequote releases use 12
      pagequote releases diff 11 12
      pagequote releases gc --keep 5
    """
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_them, as_json=as_json, corpus=corpus)


@releases.command("list")
@taking
def list_them(as_json: bool = options.AS_JSON, corpus: Path | None = options.CORPUS) -> None:
    """List the releases.

    \b
    Examples:
      pagequote releases list --json
    """
    corpus = options.chosen_corpus(corpus)
    listed = list_releases(corpus)
    options.say([asdict(one) for one in listed], map(_listed, listed), as_json=as_json)


def _listed(one: Listed) -> str:
    mark = "*" if one.current else " "
    held = ", ".join(counted(one.rows.get(table, 0), table[:-1]) for table in ("papers", "failures"))
    sizes = f"{_size(one.bytes)} ({_size(one.own_bytes)} own)"
    return f"{mark} {one.name}  {held}, {sizes}, {one.model or 'no vectors'}"


@releases.command
@taking
def use(
    release: str | None = argument(),
    hold: bool = option("Let builds publish nothing until `releases use` is called again without this."),
    wait: float = build_options.WAIT,
    as_json: bool = options.AS_JSON,
    corpus: Path | None = options.CORPUS,
) -> None:
    """Make RELEASE current, or the one before the current one.

    RELEASE is a name, or its number. Sources stay as they are: the next build publishes them as a new
    release. So correct them, stop the nightly job, or hold the release.

    \b
    Examples:
      pagequote releases use
      pagequote releases use 12
      pagequote releases use 12 --hold
    """
    corpus = options.chosen_corpus(corpus)
    held_there = "--hold is for a corpus on a disk. Stop the builds of this one instead."
    options.refuse((hold and isinstance(corpus, ObjectPath), held_there))
    now = rollback(corpus, release, wait, hold=hold)
    after = "It stays until this is called again without --hold."
    told = f"{now.name} is current. {after if hold else 'The next build publishes what its sources say.'}"
    options.say({"current": now.name}, [told], as_json=as_json)


@releases.command
@taking
def diff(
    old: str = argument(),
    new: str = argument(default="current"),
    as_json: bool = options.AS_JSON,
    corpus: Path | None = options.CORPUS,
) -> None:
    """Show the differences from the release OLD to the release NEW (by default the current one).

    Exit status: 0 nothing, 1 something, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote releases diff 11 12
      pagequote releases diff 11 --json
    """
    corpus = options.chosen_corpus(corpus)
    difference = compare_releases(find_release(corpus, old), find_release(corpus, new))
    options.say(difference, difference.lines(), as_json=as_json)
    if difference:
        raise SystemExit(1)


@releases.command
@taking
def gc(
    keep: int = option("Releases to keep; the current one always is.", type=click.IntRange(1), default=3),
    dry_run: bool = option("Print what would be removed, and remove nothing."),
    work: Path | None = build_options.WORK,
    wait: float = build_options.WAIT,
    as_json: bool = options.AS_JSON,
    corpus: Path | None = options.CORPUS,
) -> None:
    """Remove the oldest releases, and from the work folder what no build can use again.

    These are extractions by other versions of the extractor, or of files that the last build did not find,
    and vectors of models that neither that build nor a remaining release has. Give each corpus a work folder
    of its own before you use this. A reader that has a removed release open reads on.

    \b
    Examples:
      pagequote releases gc --dry-run
      pagequote releases gc --keep 5
    """
    from pipeline.builds.garbage import collect_garbage

    corpus = options.chosen_corpus(corpus)
    found = collect_garbage(corpus, work or beside(corpus, "work"), keep, dry=dry_run, wait=wait)
    files = [str(path) for path in found.work]
    said = {"releases": list(found.releases), "work": files, "bytes": found.bytes, "dry_run": dry_run}
    options.say(said, (*(f"release {name}" for name in found.releases), *files), as_json=as_json)
    would = "would be " if dry_run else ""
    echo(
        f"{counted(len(found.releases), 'release')} and {counted(len(found.work), 'file')} of the work "
        f"folder {would}removed, {_size(found.bytes)}",
        err=True,
    )


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
