"""Charts as SVG: no script, colours from the page, titles for screen readers."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 640, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 12, 28
_BAR, _LABEL = 22, 200
"""Pixels: the height of a bar with the space around it, and the width of its label."""

_LONGEST_LABEL = 30
"""Characters of a bar's label; its title has the rest."""


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
