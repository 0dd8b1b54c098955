"""Answers in HTML for notebooks: the quote marked in its paragraph.

All text, from PDFs or from users, is escaped. Only what has a background of its own has colours, so that the
rest follows a light or a dark notebook.
"""

from collections.abc import Iterable, Sequence
from html import escape

from lookup.results.answer import SHOWN, ShownPlace, marked_pieces

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


def places_html(places: Sequence[ShownPlace], notes: Iterable[str]) -> str:
    """Return the first places, the number of the others, and the notes."""
    more = [f"and {len(places) - SHOWN} more"] if len(places) > SHOWN else []
    return f"<div>{''.join(map(_place_html, places[:SHOWN]))}{_notes_html([*more, *notes])}</div>"


def _place_html(place: ShownPlace) -> str:
    """Return a heading with its verdict and notes, and below it the text, its spans marked."""
    chip = ""
    if place.verdict is not None:
        style = f"background:{_CHIPS[place.verdict]};color:#fff;border-radius:.6em;padding:.05em .5em"
        chip = f' <span style="{style}">{escape(place.verdict)}</span>'
    marked = "".join(
        f'<mark style="{_MARK}">{escape(piece)}</mark>' if is_marked else escape(piece)
        for piece, is_marked in marked_pieces(place.text, place.spans)
    )
    quote = f'<div style="{_QUOTE}">{marked}</div>'
    return f"<div><strong>{escape(place.head)}</strong>{chip}{_notes_html(place.notes)}{quote}</div>"


def _notes_html(notes: Iterable[str]) -> str:
    """Return each note on a line of its own."""
    return "".join(f"<div><small>{escape(note)}</small></div>" for note in notes if note)


def table_html(columns: Sequence[str], rows: Sequence[Sequence[str]], *, more: bool) -> str:
    """Return rows as a table; `more` tells that there are others."""
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in columns)
    lines = (
        "".join(f'<td style="text-align:left;vertical-align:top">{escape(cell)}</td>' for cell in row)
        for row in rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    note = _notes_html([f"the first {len(rows)} rows"]) if more else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
