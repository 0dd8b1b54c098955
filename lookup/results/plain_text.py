"""Answers as plain text, for `print`, the shell and notebooks."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from lookup.results.answer import SHOWN, ShownPlace, marked_pieces
from lookup.text.printable import printable


def places_text(
    places: Sequence[ShownPlace],
    notes: Iterable[str],
    mark: Callable[[str], str] = "**{}**".format,
    shown: Callable[[str], str] = str,
) -> str:
    """Return the first places, the number of the others, and the notes; nothing in it acts on a terminal."""
    more = [f"and {len(places) - SHOWN} more"] if len(places) > SHOWN else []
    each = (place_text(place, mark, shown=shown) for place in places[:SHOWN])
    return printable("\n".join([*each, *map(shown, (*more, *filter(None, notes)))])).rstrip("\n")


def places_html(places: Sequence[ShownPlace], notes: Iterable[str]) -> str:
    """Return the same text as HTML: all of it is escaped, and words are marked."""
    return preformatted(places_text(places, notes, "<mark>{}</mark>".format, escape))


def preformatted(html: str) -> str:
    """Return escaped text as a notebook shows it, with its lines."""
    return f'<pre style="white-space:pre-wrap">{html}</pre>'


def place_text(
    place: ShownPlace,
    mark: Callable[[str], str] = "**{}**".format,
    verdict: Callable[[str], str] = str,
    shown: Callable[[str], str] = str,
) -> str:
    """Return a heading with its verdict and notes, and below it the text; `mark` shows what is marked."""
    head = f"{shown(place.head)}: {verdict(place.verdict)}" if place.verdict else shown(place.head)
    pieces = ((shown(piece), marked) for piece, marked in marked_pieces(place.text, place.spans))
    text = "".join(mark(piece) if marked else piece for piece, marked in pieces)
    return "\n".join([head, *(f"  {shown(note)}" for note in place.notes), "", text, ""])
