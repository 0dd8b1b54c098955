"""Answers in HTML for notebooks: the quote marked in its paragraph.

All text, from PDFs or from users, is escaped. Only what has a background of its own has colours, so that the
rest follows a light or a dark notebook.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Protocol

from lookup.results.showing import marked_pieces

SHOWN = 20  # Matches, hits or rows that a notebook shows, at most.
_CELL = 300  # Characters of a cell of a table that are shown.

_CHIPS = {
    "verbatim": "#1b6e35",
    "abridged": "#0f6b66",
    "near": "#835200",
    "related": "#5a5f66",
    "not found": "#a3231c",
    "not covered": "#6a3d9a",
    "unknown key": "#6a3d9a",
}
"""The background of a verdict. White has a contrast of 5.5 or more on each (WCAG 2.2 asks for 4.5)."""

_MARK = "background:#ffe08a;color:#1f1f1f;padding:0 .1em"
_QUOTE = "margin:.4em 0 .8em;padding-left:.8em;border-left:3px solid #8888;white-space:pre-wrap"


class _Shown(Protocol):
    def _repr_html_(self) -> str: ...


def place_html(
    head: str,
    text: str,
    spans: Iterable[tuple[int, int]] = (),
    notes: Iterable[str] = (),
    verdict: str | None = None,
) -> str:
    """Return a heading with its verdict and notes, and below it the text, its `spans` marked."""
    chip = ""
    if verdict is not None:
        style = f"background:{_CHIPS[verdict]};color:#fff;border-radius:.6em;padding:.05em .5em"
        chip = f' <span style="{style}">{escape(verdict)}</span>'
    marked = "".join(
        f'<mark style="{_MARK}">{escape(piece)}</mark>' if is_marked else escape(piece)
        for piece, is_marked in marked_pieces(text, spans)
    )
    quote = f'<div style="{_QUOTE}">{marked}</div>'
    return f"<div><strong>{escape(head)}</strong>{chip}{notes_html(notes)}{quote}</div>"


def list_html(places: Sequence[_Shown], hint: str) -> str:
    """Return the first places, the number of the others, and the hint."""
    more = [f"and {len(places) - SHOWN} more"] if len(places) > SHOWN else []
    shown = "".join(place._repr_html_() for place in places[:SHOWN])
    return f"<div>{shown}{notes_html([*more, *([hint] if hint else [])])}</div>"


def notes_html(notes: Iterable[str]) -> str:
    """Return each note on a line of its own."""
    return "".join(f"<div><small>{escape(note)}</small></div>" for note in notes)


def table_html(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, more: bool) -> str:
    """Return rows as a table; `more` tells that there are others."""
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in columns)
    texts = (["" if value is None else str(value) for value in row] for row in rows)
    short = ([one if len(one) <= _CELL else f"{one[: _CELL - 1]}…" for one in row] for row in texts)
    lines = (
        "".join(f'<td style="text-align:left;vertical-align:top">{escape(one)}</td>' for one in row)
        for row in short
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    note = notes_html([f"the first {len(rows)} rows"]) if more else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
