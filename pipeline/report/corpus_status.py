"""The status of a corpus: its current release, its failures, its last builds, and the build that runs now."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lookup.errors import PageQuoteError
from lookup.release.current import Release, beside, current_release
from lookup.results.answer import counted
from lookup.storage.object_path import ObjectPath
from objectstore.releases import read_file
from pipeline.files.atomic import Holder, lock_holder
from pipeline.releases.history import held_release, release_names
from pipeline.report.release_report import REPORT
from pipeline.storage.object_corpus import staging
from pipeline.work.journal import JournalEntry, entries


@dataclass(frozen=True)
class Status:
    """The current release with its report, the last build, the last good build, and the build under way."""

    release: Release
    report: dict[str, Any]
    last: JournalEntry | None
    last_good: JournalEntry | None
    under_way: Holder | None
    too_old: bool
    newest: str
    held: bool
    metrics: dict[str, float]

    @property
    def well(self) -> bool:
        """Return whether the last build was good and is recent enough."""
        return not self.too_old and (self.last is None or self.last.good)

    def to_dict(self) -> dict[str, Any]:
        """Return the status, for JSON."""
        return {
            "well": self.well,
            "release": self.release.name,
            "newest_release": self.newest,
            "held": self.held,
            "metrics": self.metrics,
            "last_build": asdict(self.last) if self.last else None,
            "last_good_build": asdict(self.last_good) if self.last_good else None,
            "under_way": asdict(self.under_way) if self.under_way else None,
            "report": self.report,
        }

    def lines(self) -> Iterator[str]:
        """Yield the status as lines of text."""
        rows, pages = self.report["rows"], self.report["pages_by_source"]
        yield f"release: {self.release.name}, published {self.report['created']}"
        if self.newest != self.release.name:
            yield f"rolled back: {self.newest} is newer; the next build publishes what its sources say"
        if self.held:
            yield f"held: builds publish nothing until `pagequote releases use {self.newest}`"
        model = f", {rows['vectors']} vectors of {self.report['model']}" if self.report["model"] else ""
        if sparse := self.report.get("sparse_model"):
            model += f", weighted words of {sparse}"
        held = ", ".join(counted(rows[table], table[:-1]) for table in ("papers", "pages", "paragraphs"))
        yield f"holds: {held}{model}"
        sources = ", ".join(f"{count} {source}" for source, count in sorted(pages.items()))
        without = self.report["pages_without_text"]["count"]
        nothing_else = self.report["not_covered"]
        papers = counted(without, "paper")
        yield f"pages: {sources}; {papers} with pages without text, {nothing_else} with nothing else"
        for one in self.report["failures"]:
            yield f"failed: {one['count']} {one['reason']}. {one['what_to_do']}"
        stages = ", ".join(
            f"{stage} {figures.get('seconds', 0.0):.1f} s" for stage, figures in self.report["stages"].items()
        )
        yield f"stages: {stages}"
        if self.last:
            why = f": {self.last.message}" if self.last.message else ""
            yield f"last build: {self.last.began}, {self.last.outcome} in {self.last.seconds:.1f} s{why}"
        if self.last_good and self.last_good is not self.last:
            yield f"last good build: {self.last_good.began}, {self.last_good.outcome}"
        if self.under_way:
            yield f"under way: a build by {self.under_way}"
        if self.too_old:
            yield "too old: no good build within --max-age"


def status_of(corpus: Path, max_age: timedelta | None = None) -> Status:
    """Return the status of `corpus`, with its builds: in object storage, those of any machine.

    Raises CorpusNotFoundError or CorpusVersionError as a reader does, PageQuoteError where its report is
    missing.
    """
    release = current_release(corpus)
    try:
        report = json.loads(read_file(release, release.folder / REPORT))
    except (OSError, ValueError) as error:
        raise PageQuoteError(
            f"The release {release.name!r} has no report ({error}). "
            "Publish again: `pagequote build SOURCES --force`."
        ) from error
    staged = staging(corpus, beside(corpus, "work"))
    in_storage = isinstance(corpus, ObjectPath)
    journals = [entries(staged), *([entries(corpus)] if in_storage else [])]
    builds = max(journals, key=lambda builds: builds[-1].began if builds else "")
    last_good = next((entry for entry in reversed(builds) if entry.good), None)
    too_old = max_age is not None and (
        last_good is None or datetime.now(UTC) - datetime.fromisoformat(last_good.began) > max_age
    )
    names = release_names(corpus) if in_storage else [one.name for one in release.folder.parent.glob("r*")]
    last = builds[-1] if builds else None
    held = not in_storage and held_release(corpus) is not None
    figures = {
        f"{name}{label}": value for name, _, values in _gauges(builds) for label, value in values.items()
    }
    return Status(release, report, last, last_good, lock_holder(staged), too_old, max(names), held, figures)


def exposition(builds: Sequence[JournalEntry]) -> str:
    """Return how the last build ended and when the last good one began; nothing without builds."""
    return "".join(
        f"# HELP pagequote_{name} {meaning}\n# TYPE pagequote_{name} gauge\n"
        + "".join(f"pagequote_{name}{label} {value}\n" for label, value in values.items())
        for name, meaning, values in _gauges(builds)
    )


def _gauges(builds: Sequence[JournalEntry]) -> list[tuple[str, str, Mapping[str, float]]]:
    """Return the name, the meaning and the values (by label) of each figure of the builds."""
    if not builds:
        return []
    last, good = builds[-1], [one for one in builds if one.good]
    gauges: list[tuple[str, str, Mapping[str, float]]] = [
        ("build_success", "1 if the last build was good, else 0", {"": int(last.good)}),
        ("build_time_seconds", "When the last build began", {"": _moment(last)}),
        ("build_duration_seconds", "How long the last build took", {"": last.seconds}),
        ("build_papers_read", "PDFs that the last build read", {"": last.read}),
        ("build_new_failures", "PDFs that the last build could not read", {"": last.new_failures}),
    ]
    if good:
        rows = {f'{{table="{table}"}}': count for table, count in sorted(good[-1].rows.items())}
        gauges += [
            ("good_build_time_seconds", "When the last good build began", {"": _moment(good[-1])}),
            ("rows", "Rows of each table of the release of the last good build", rows),
        ]
    return gauges


def _moment(build: JournalEntry) -> float:
    return datetime.fromisoformat(build.began).timestamp()
