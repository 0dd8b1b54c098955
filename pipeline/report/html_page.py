"""The report of a release as one page: no script, nothing fetched, light or dark as its reader's screen is.

Whatever comes from PDFs, .bib files or file names is escaped, and the page's own policy forbids it to do
anything.
"""

from collections.abc import Mapping
from functools import cache
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
    return templates.get_template("release.html")


def number(value: float) -> str:
    """Return a number as text: with commas, and at most two decimals."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.2f}" if value < 10 else f"{value:,.1f}" if value < 100 else f"{value:,.0f}"
