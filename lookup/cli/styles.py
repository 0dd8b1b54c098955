"""How answers look on a terminal. Each style stands for something that the words say as well: without colours nothing is lost."""

from collections.abc import Iterable

import click

_VERDICTS = {
    "verbatim": "green",
    "near": "yellow",
    "related": "yellow",
    "not found": "red",
    "not covered": "magenta",
}


def verdict(name: str) -> str:
    """A verdict in its colour."""
    return click.style(name, fg=_VERDICTS.get(name), bold=True)


def marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """`text` with the spans, which are in order, highlighted; of spans that overlap the first."""
    shown, at = "", 0
    for start, end in spans:
        if start >= at:
            shown += text[at:start] + click.style(text[start:end], bold=True, underline=True)
            at = end
    return shown + text[at:]


def place(key: str, page: int | None, page_label: str | None, *more: str | None) -> str:
    """Where something stands: "feng2022, page 6 (printed 1650), Results"."""
    shown = f"page {page}" + (f" (printed {page_label})" if page_label else "")
    return ", ".join(filter(None, (key, shown, *more)))
