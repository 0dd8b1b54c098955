"""The options of the commands that write a corpus, and what is made of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.errors import BuildError
from lookup.release.current import MOST_SHARDS, beside
from pagequote.cli.options import FOLDER, PATH, PLACE, Command, flag, moment, option, share, with_options

if TYPE_CHECKING:
    from pipeline.builds.survey import BuildSettings
    from pipeline.engines import Engine
    from pipeline.ocr.tesseract import OcrMode


bib = option(
    "--bib bibliographies",
    "A .bib, CSL JSON file or Zotero data folder that gives keys and titles to the files.",
    PLACE,
    multiple=True,
)
work = option(
    "--work", "Where extractions are kept between builds.  [default: work, beside the corpus]", PATH
)
deadline = option(
    "--deadline",
    "Seconds of processor time that one PDF may take; ten times as many by the clock, and more for OCR.",
    click.FloatRange(min=0.1),
    120.0,
)
ocr_language = option(
    "--ocr-language",
    "The languages for Tesseract, such as eng+deu.  [default: that of the scans there are, else eng]",
)
metrics = option("--metrics", "Write the figures of the build to this file, as JSON.", PATH)
model = option(
    "--model",
    "The model that makes vectors: its name, a folder, or none, which drops the vectors there are.  "
    "[default: that of the vectors there are, else one that is installed]",
)
shards = option(
    "--shards",
    "Part the corpus into so many shards, which are published side by side; 1 is in one piece.  "
    "[default: as it is]",
    click.IntRange(1, MOST_SHARDS),
    metavar="N",
)
force = flag("--force", "Read everything again, and write a release anew.")
wait = option(
    "--wait",
    "How long to wait for another build to end.  [default: not at all]",
    click.FloatRange(min=0),
    0.0,
    show_default=False,
    metavar="SECONDS",
)

_HOW_TO_READ = (
    click.argument("sources", nargs=-1, type=click.Path()),
    option(
        "--zotero",
        "A Zotero data folder: its papers, with their citation keys. Zotero may be running.",
        FOLDER,
        multiple=True,
        metavar="DIR",
    ),
    bib,
    option(
        "--keys",
        "Keys of papers that no library names: the file's name where it can be cited, else author and "
        "year; always author and year (szeto2024); or always the file's name.",
        click.Choice(["auto", "author-year", "file"]),
        "auto",
    ),
    work,
    deadline,
    option("--memory", "MiB that reading one PDF may take.", click.IntRange(64), 4096),
    option(
        "--ocr",
        "Pages to read by Tesseract: those without usable text, none, or all.",
        click.Choice(["auto", "off", "force"]),
        "auto",
    ),
    ocr_language,
    option(
        "--since",
        "Open only files that were touched since then: a date, a time, or a span such as 36h. "
        "Others stay as they were.",
        moment,
        metavar="WHEN",
    ),
    option(
        "--max-gone",
        "Refuse to build where more of the last build's papers are gone from the sources.  "
        "[default: 10%, and more than 10 papers]",
        share,
        metavar="SHARE",
    ),
    flag("--retry-failures retry", "Read again what could not be read."),
    force,
)


_SETTINGS = ("bibliographies", "since", "retry", "force", "keys", "max_gone")
"""Options that are settings of a build as they stand."""


def sources(command: Command) -> Command:
    """Add the sources, and how they are read: `settings`, to be called with the corpus and its shards."""

    @wraps(command)
    def with_settings(
        *,
        sources: tuple[str, ...],
        zotero: tuple[Path, ...],
        work: Path | None,
        deadline: float,
        memory: int,
        ocr: "OcrMode",
        ocr_language: str | None,
        **given: Any,
    ) -> Any:
        if not (sources or zotero):
            raise click.UsageError("Missing argument 'SOURCES...', or --zotero DIR.")
        if wrong := [one for one in zotero if not (one / "zotero.sqlite").is_file()]:
            raise click.UsageError(
                f"{str(wrong[0])!r} holds no zotero.sqlite. "
                "Zotero shows its data folder in Settings, Advanced, Files and Folders."
            )
        as_given = {name: given.pop(name) for name in _SETTINGS}

        def settings(corpus: Path, shards: int | None = None) -> "BuildSettings":
            from pipeline.builds.survey import BuildSettings
            from pipeline.ocr.tesseract import find_ocr
            from pipeline.work.outcomes import Limits
            from pipeline.work.state import last_language

            every, kept = (*sources, *map(str, zotero)), work or beside(corpus, "work")
            limits = Limits(deadline, memory << 20)
            reader = find_ocr(ocr, ocr_language or last_language(kept))
            return BuildSettings(every, work=kept, limits=limits, ocr=reader, shards=shards, **as_given)

        return command(settings=settings, **given)

    return with_options(with_settings, _HOW_TO_READ)


_ENGINE = (
    option(
        "--engine",
        "What reads PDFs and makes vectors: this machine, or a Ray cluster.",
        click.Choice(["local", "ray"]),
        "local",
    ),
    option(
        "--address",
        "With --engine ray: the cluster.  [default: $RAY_ADDRESS, else one on this machine for this build]",
    ),
    option(
        "--workers",
        "Processes that read PDFs; with Ray, processors.  [default: all processors]",
        click.IntRange(1),
    ),
)


def engine(command: Command) -> Command:
    """Add the options of an engine, which the command gets as `engine`, to be entered."""

    @wraps(command)
    def with_engine(*, engine: str, address: str | None, workers: int | None, **given: Any) -> Any:
        return command(engine=_engine(engine, address, workers), **given)

    return with_options(with_engine, _ENGINE)


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
