"""The commands about the state of a corpus, and its releases."""

from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import click

from lookup.release.current import beside
from lookup.results.answer import counted
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import on_one_line
from pagequote.cli import build_options, options
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


@click.group(invoke_without_command=True)
@options.as_json
@options.corpus
@click.pass_context
def releases(ctx: click.Context, as_json: bool, corpus: Path | None) -> None:
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
@options.as_json
@options.corpus
def list_them(as_json: bool, corpus: Path | None) -> None:
    """List the releases.

    \b
    Examples:
      pagequote releases list --json
    """
    from pipeline.releases.history import list_releases
    from pipeline.storage.object_corpus import list_object_releases

    corpus = options.chosen_corpus(corpus)
    listed = list_object_releases(corpus) if isinstance(corpus, ObjectPath) else list_releases(corpus)
    if as_json:
        options.echo_json([asdict(one) for one in listed])
        return
    for one in listed:
        mark = "*" if one.current else " "
        model = one.model or "no vectors"
        held = ", ".join(counted(one.rows.get(table, 0), table[:-1]) for table in ("papers", "failures"))
        echo(f"{mark} {one.name}  {held}, {_size(one.bytes)} ({_size(one.own_bytes)} own), {model}")


@releases.command
@click.argument("release", required=False)
@options.flag("--hold", "Let builds publish nothing until `releases use` is called again without this.")
@build_options.wait
@options.as_json
@options.corpus
def use(release: str | None, hold: bool, wait: float, as_json: bool, corpus: Path | None) -> None:
    """Make RELEASE current, or the one before the current one.

    RELEASE is a name, or its number. Sources stay as they are: the next build publishes them as a new
    release. So correct them, stop the nightly job, or hold the release.

    \b
    Examples:
      pagequote releases use
      pagequote releases use 12
      pagequote releases use 12 --hold
    """
    from pipeline.releases.history import rollback
    from pipeline.storage.object_corpus import rollback_objects

    corpus = options.chosen_corpus(corpus)
    if isinstance(corpus, ObjectPath):
        if hold:
            raise click.UsageError("--hold is for a corpus on a disk. Stop the builds of this one instead.")
        now = rollback_objects(corpus, release)
    else:
        now = rollback(corpus, release, wait, hold=hold)
    after = "It stays until this is called again without --hold."
    told = f"{now.name} is current. {after if hold else 'The next build publishes what its sources say.'}"
    options.say({"current": now.name}, told, as_json=as_json)


@releases.command
@click.argument("old")
@click.argument("new", default="current")
@options.as_json
@options.corpus
def diff(old: str, new: str, as_json: bool, corpus: Path | None) -> None:
    """Show the differences from the release OLD to the release NEW (by default the current one).

    Exit status: 0 nothing, 1 something, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote releases diff 11 12
      pagequote releases diff 11 --json
    """
    from pipeline.releases.history import find_release
    from pipeline.releases.release_diff import compare_releases
    from pipeline.storage.object_corpus import fetch_differences, find_object_release

    corpus = options.chosen_corpus(corpus)
    with TemporaryDirectory() as folder:
        if isinstance(corpus, ObjectPath):
            named = find_object_release(corpus, old), find_object_release(corpus, new)
            both = fetch_differences(*named, Path(folder))
        else:
            both = find_release(corpus, old), find_release(corpus, new)
        difference = compare_releases(*both)
    if as_json:
        options.echo_json(difference.to_dict())
    else:
        for line in difference.lines():
            echo(line)
    if difference:
        raise SystemExit(1)


@releases.command
@options.option("--keep", "Releases to keep; the current one always is.", click.IntRange(1), 3)
@options.flag("--dry-run", "Print what would be removed, and remove nothing.")
@build_options.work
@build_options.wait
@options.as_json
@options.corpus
def gc(keep: int, dry_run: bool, work: Path | None, wait: float, as_json: bool, corpus: Path | None) -> None:
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
    if as_json:
        said = {"releases": list(found.releases), "work": files, "bytes": found.bytes, "dry_run": dry_run}
        options.echo_json(said)
    else:
        for line in (*(f"release {name}" for name in found.releases), *files):
            echo(line)
    would = "would be " if dry_run else ""
    echo(
        f"{counted(len(found.releases), 'release')} and {counted(len(found.work), 'file')} of the work "
        f"folder {would}removed, {_size(found.bytes)}",
        err=True,
    )


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
