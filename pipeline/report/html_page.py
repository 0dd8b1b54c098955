"""The report of a release as one page: no script, nothing fetched, light or dark as its reader's screen is.

Whatever comes from PDFs, .bib files or file names is escaped, and the page's own policy forbids it to do
anything.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lookup.text.printable import printable

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


_WIDTH, _HEIGHT = 640, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 12, 28
_BAR, _LABEL = 22, 200  # Pixels: the height of a bar with the space around it, and the width of its label.
_LONGEST_LABEL = 30  # Characters of a bar's label; its title has the rest.


@dataclass(frozen=True)
class Series:
    """One line of a chart: its name, and a value for each place on the axis."""

    name: str
    values: Sequence[float]


def line_chart(title: str, places: Sequence[str], lines: Sequence[Series]) -> str:
    """Return a chart of lines over `places`, from 0 up; a line with a single value is a dot."""
    top = _round_up(max((value for line in lines for value in line.values), default=0.0))
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(place: int) -> float:
        return round(_LEFT + wide * (place / (len(places) - 1) if len(places) > 1 else 0.5), 1)

    def y(value: float) -> float:
        return round(_TOP + high * (1 - value / top), 1)

    parts = []
    for share in (0.0, 0.5, 1.0):
        at = y(top * share)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{at}" y2="{at}"/>')
        parts.append(f'<text class="end" x="{_LEFT - 6}" y="{at + 4}">{number(top * share)}</text>')
    for place in sorted({0, len(places) - 1} if places else ()):
        anchor = "middle" if len(places) == 1 else "end" if place else "start"
        parts.append(
            f'<text class="{anchor}" x="{x(place)}" y="{_HEIGHT - 8}">{escape(places[place])}</text>'
        )
    for colour, line in enumerate(lines, 1):
        points = [(x(place), y(value)) for place, value in enumerate(line.values)]
        parts.append(f'<polyline class="c{colour}" points="{" ".join(f"{a},{b}" for a, b in points)}"/>')
        parts += [
            f'<circle class="c{colour}" cx="{a}" cy="{b}" r="3">'
            f"<title>{escape(place)}: {number(value)} {escape(line.name)}</title></circle>"
            for (a, b), place, value in zip(points, places, line.values, strict=True)
        ]
    legend = "".join(
        f'<span class="c{colour}">{escape(line.name)}</span>' for colour, line in enumerate(lines, 1)
    )
    return _figure(title, parts, _HEIGHT) + f'<p class="legend">{legend}</p>'


def bar_chart(title: str, bars: Sequence[tuple[str, float]], unit: str = "") -> str:
    """Return a chart with a bar for each label, in their order, with its value in figures."""
    top = max((value for _, value in bars), default=0.0) or 1.0
    wide = _WIDTH - _LABEL - 90
    parts = []
    for place, (label, value) in enumerate(bars):
        at = place * _BAR
        shown = label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"
        text = f"{number(value)} {unit}".strip()
        parts.append(
            f"<g><title>{escape(label)}: {escape(text)}</title>"
            f'<text class="end" x="{_LABEL - 8}" y="{at + 15}">{escape(shown)}</text>'
            f'<rect class="c1" x="{_LABEL}" y="{at + 3}" width="{round(wide * value / top, 1)}" '
            f'height="{_BAR - 6}"/>'
            f'<text x="{round(_LABEL + wide * value / top, 1) + 6}" y="{at + 15}">{escape(text)}</text></g>'
        )
    return _figure(title, parts, max(1, len(bars)) * _BAR)


def number(value: float) -> str:
    """Return a number as text: with commas, and at most two decimals."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def _figure(title: str, parts: Sequence[str], height: int) -> str:
    size = f"0 0 {_WIDTH} {height}"
    return f'<svg role="img" viewBox="{size}"><title>{escape(title)}</title>{"".join(parts)}</svg>'


def _round_up(value: float) -> float:
    """Return the least of 1, 2, 5, 10, 20, 50, ... that is not below `value`."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            if step * factor >= value:
                return step * factor
        step *= 10
