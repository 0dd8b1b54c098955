"""The builds of a corpus in the text format of Prometheus, for the node exporter's textfile collector."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from pipeline.work.journal import JournalEntry

_PREFIX = "pagequote"


def exposition(builds: Sequence[JournalEntry]) -> str:
    """Return how the last build ended and when the last good one began; nothing without builds."""
    return "".join(f"{line}\n" for line in _lines(builds))


def _lines(builds: Sequence[JournalEntry]) -> Iterator[str]:
    if not builds:
        return
    last, good = builds[-1], [one for one in builds if one.good]
    yield from _gauge("build_success", "1 if the last build was good, else 0", int(last.good))
    yield from _gauge("build_time_seconds", "When the last build began", _moment(last))
    yield from _gauge("build_duration_seconds", "How long the last build took", last.seconds)
    yield from _gauge("build_papers_read", "PDFs that the last build read", last.read)
    yield from _gauge("build_new_failures", "PDFs that the last build could not read", last.new_failures)
    if good:
        yield from _gauge("good_build_time_seconds", "When the last good build began", _moment(good[-1]))
        name = f"{_PREFIX}_rows"
        yield f"# HELP {name} Rows of each table of the release of the last good build"
        yield f"# TYPE {name} gauge"
        yield from (f'{name}{{table="{table}"}} {rows}' for table, rows in sorted(good[-1].rows.items()))


def _gauge(name: str, meaning: str, value: float) -> Iterator[str]:
    yield f"# HELP {_PREFIX}_{name} {meaning}"
    yield f"# TYPE {_PREFIX}_{name} gauge"
    yield f"{_PREFIX}_{name} {value}"


def _moment(build: JournalEntry) -> float:
    return datetime.fromisoformat(build.began).timestamp()
