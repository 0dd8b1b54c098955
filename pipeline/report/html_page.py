"""The report of a release as one page: no script, nothing fetched, light or dark as its reader's screen is.

Whatever comes from PDFs, .bib files or file names is escaped, and the page's own policy forbids it to do
anything.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lookup.text.printable import printable
from pipeline.report.charts import Series, bar_chart, line_chart, number

if TYPE_CHECKING:
    from jinja2 import Template


def report_page(report: Mapping[str, Any]) -> str:
    """Return the page for a report."""
    return printable(_template().render(report))


@cache
def _template() -> "Template":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415  # for new releases alone

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    templates.filters["number"] = number
    templates.globals |= {
        "failure_chart": _failure_chart,
        "growth_charts": _growth_charts,
        "stage_chart": _stage_chart,
        "slowest_chart": _slowest_chart,
    }
    return templates.get_template("release.html")


def _failure_chart(failures: Sequence[Mapping[str, Any]]) -> str:
    return bar_chart("Failures by reason", [(one["reason"], one["count"]) for one in failures])


def _growth_charts(growth: Sequence[Mapping[str, Any]]) -> str:
    places = [point["created"][:10] for point in growth]
    papers = [Series(name, [point[name] for point in growth]) for name in ("papers", "failures")]
    seconds = [Series("seconds a build", [point["seconds"] for point in growth])]
    return line_chart("Papers and failures by release", places, papers) + line_chart(
        "Seconds a build took, by release", places, seconds
    )


def _stage_chart(stages: Mapping[str, Mapping[str, Any]]) -> str:
    bars = [(stage, float(figures.get("seconds", 0.0))) for stage, figures in stages.items()]
    return bar_chart("Seconds by stage", bars, "s")


def _slowest_chart(slowest: Sequence[Mapping[str, Any]]) -> str:
    bars = [("…/" + "/".join(one["path"].split("/")[-2:]), one["seconds"]) for one in slowest]
    return bar_chart("Seconds that the slowest PDFs took", bars, "s")
