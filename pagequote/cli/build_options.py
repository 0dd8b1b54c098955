"""The options of the commands that write a corpus, and what is made of them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from lookup.errors import BuildError
from lookup.release.current import MOST_SHARDS, beside
from pagequote.cli.options import FOLDER, PLACE
from pagequote.cli.parameters import argument, option

if TYPE_CHECKING:
    from pipeline.builds.survey import BuildSettings
    from pipeline.engines import Engine

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def span(value: str) -> timedelta:
    """Parse a number with a unit: 90m, 36h, 7d, 2w. Anything else is a usage error."""
    if match := re.fullmatch(r"(\d{1,6})([mhdw])", value):
        return timedelta(**{_UNITS[match[2]]: int(match[1])})
    raise click.BadParameter(f"{value!r} is not a span of time. Write 90m, 36h, 7d or 2w.")


def moment(value: str) -> datetime:
    """Parse a date or time in ISO 8601 (by default in local time), or a span before now, to UTC.

    Anything else is a usage error.
    """
    with suppress(click.BadParameter):
        return datetime.now(UTC) - span(value)
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a date or time. Write 2026-11-20, 2026-11-20T02:15 or 36h (ago)."
        ) from None


def share(value: str) -> float:
    """Parse a percentage, 0% to 100%, to a share. Anything else is a usage error."""
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s?%", value)
    if match is None or float(match[1]) > 100:
        raise click.BadParameter(f"{value!r} is not a percentage. Write 10%, 2.5% or 100%.")
    return float(match[1]) / 100


BIB = option(
    "A .bib, CSL JSON file or Zotero data folder that gives keys and titles to the files.",
    "--bib",
    type=PLACE,
)
WORK = option("Where extractions are kept between builds.  [default: work, beside the corpus]")
DEADLINE = option(
    "Seconds of processor time that one PDF may take; ten times as many by the clock, and more for OCR.",
    type=click.FloatRange(min=0.1),
    default=120.0,
    show_default=True,
)
OCR_LANGUAGE = option(
    "The languages for Tesseract, such as eng+deu.  [default: that of the scans there are, else eng]"
)
METRICS = option("Write the figures of the build to this file, as JSON.")
MODEL = option(
    "The model that makes vectors: its name, a folder, or none, which drops the vectors there are.  "
    "[default: that of the vectors there are, else one that is installed]"
)
SHARDS = option(
    "Part the corpus into so many shards, which are published side by side; 1 is in one piece.  "
    "[default: as it is]",
    type=click.IntRange(1, MOST_SHARDS),
    metavar="N",
)
FORCE = option("Read everything again, and write a release anew.")
WAIT = option(
    "How long to wait for another build to end.  [default: not at all]",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="SECONDS",
)


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The sources of a build, and how they are read."""

    sources: tuple[str, ...] = argument(type=click.Path())
    zotero: tuple[Path, ...] = option(
        "A Zotero data folder: its papers, with their citation keys. Zotero may be running.",
        type=FOLDER,
        metavar="DIR",
    )
    bibliographies: tuple[Path, ...] = BIB
    keys: Literal["auto", "author-year", "file"] = option(
        "Keys of papers that no library names: the file's name where it can be cited, else author and "
        "year; always author and year (szeto2024); or always the file's name.",
        default="auto",
    )
    work: Path | None = WORK
    deadline: float = DEADLINE
    memory: int = option("MiB that reading one PDF may take.", type=click.IntRange(64), default=4096)
    ocr: Literal["auto", "off", "force"] = option(
        "Pages to read by Tesseract: those without usable text, none, or all.", default="auto"
    )
    ocr_language: str | None = OCR_LANGUAGE
    since: datetime | None = option(
        "Open only files that were touched since then: a date, a time, or a span such as 36h. "
        "Others stay as they were.",
        type=moment,
        metavar="WHEN",
    )
    max_gone: float | None = option(
        "Refuse to build where more of the last build's papers are gone from the sources.  "
        "[default: 10%, and more than 10 papers]",
        type=share,
        metavar="SHARE",
    )
    retry: bool = option("Read again what could not be read.", "--retry-failures")
    force: bool = FORCE

    def __post_init__(self) -> None:
        """Raise UsageError where there is nothing to read."""
        if not (self.sources or self.zotero):
            raise click.UsageError("Missing argument 'SOURCES...', or --zotero DIR.")
        if wrong := [one for one in self.zotero if not (one / "zotero.sqlite").is_file()]:
            raise click.UsageError(
                f"{str(wrong[0])!r} holds no zotero.sqlite. "
                "Zotero shows its data folder in Settings, Advanced, Files and Folders."
            )

    def settings(self, corpus: Path, shards: int | None = None) -> "BuildSettings":
        """Return the settings of a build of this corpus."""
        from pipeline.builds.survey import BuildSettings
        from pipeline.ocr.tesseract import find_ocr
        from pipeline.work.outcomes import Limits
        from pipeline.work.state import last_language

        work = self.work or beside(corpus, "work")
        return BuildSettings(
            (*self.sources, *map(str, self.zotero)),
            self.bibliographies,
            work=work,
            limits=Limits(self.deadline, self.memory << 20),
            ocr=find_ocr(self.ocr, self.ocr_language or last_language(work)),
            shards=shards,
            since=self.since,
            retry=self.retry,
            force=self.force,
            keys=self.keys,
            max_gone=self.max_gone,
        )


@dataclass(frozen=True, kw_only=True)
class EngineNamed:
    """What reads PDFs and makes vectors."""

    engine: Literal["local", "ray"] = option(
        "What reads PDFs and makes vectors: this machine, or a Ray cluster.", default="local"
    )
    address: str | None = option(
        "With --engine ray: the cluster.  [default: $RAY_ADDRESS, else one on this machine for this build]"
    )
    workers: int | None = option(
        "Processes that read PDFs; with Ray, processors.  [default: all processors]",
        type=click.IntRange(1),
    )

    @contextmanager
    def begun(self) -> Iterator["Engine"]:
        """Yield the engine."""
        if self.engine == "local":
            from pipeline.builds.stages import available_workers
            from pipeline.engines.local import Local
            from pipeline.records import leave_out_pandas

            if self.address is not None:
                raise click.UsageError("--address goes with --engine ray.")
            leave_out_pandas()
            yield Local(self.workers or available_workers())
            return
        try:
            from pipeline.engines.ray import Ray
        except ModuleNotFoundError as error:
            raise BuildError(
                f"--engine ray needs {error.name!r}, which is not installed: pip install 'ray[data]'."
            ) from error
        with Ray(self.address, self.workers) as engine:
            yield engine
