"""Answers and tables as plain text, for `print` and the shell."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lookup.results.answer import SHOWN, ShownPlace, counted, cut, marked_pieces
from lookup.text.printable import printable

WIDTH = 110  # Characters of a line where there is no terminal.
_FEW = 20  # Rows that are shown one below the other where a line is too short for them.
_NARROWEST = 12  # Characters that a cell keeps, however short the line is.


def places_text(places: Sequence[ShownPlace], notes: Iterable[str]) -> str:
    """Return the first places, the number of the others, and the notes; nothing in it acts on a terminal."""
    more = [f"and {len(places) - SHOWN} more"] if len(places) > SHOWN else []
    return printable("\n".join([*map(place_text, places[:SHOWN]), *more, *filter(None, notes)])).rstrip("\n")


def place_text(
    place: ShownPlace, mark: Callable[[str], str] = "**{}**".format, verdict: Callable[[str], str] = str
) -> str:
    """Return a heading with its verdict and notes, and below it the text; `mark` shows what is marked."""
    head = f"{place.head}: {verdict(place.verdict)}" if place.verdict else place.head
    marked = (
        mark(piece) if is_marked else piece for piece, is_marked in marked_pieces(place.text, place.spans)
    )
    return "\n".join([head, *(f"  {note}" for note in place.notes), "", "".join(marked), ""])


def table_text(
    names: Sequence[str], rows: Sequence[Sequence[Any]], width: int = WIDTH, *, more: bool = False
) -> str:
    """Return the rows as a table no wider than `width`, or, if few and long, each as names and values.

    Below it stands how many rows there are; with `more`, that they are only the first.
    """
    every = (["" if value is None else " ".join(str(value).split()) for value in row] for row in rows)
    cells = [[*names], *every]
    widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
    counts = f"(the first {len(rows)} rows)\n" if more else f"({counted(len(rows), 'row')})\n"
    room = width - 2 * (len(widths) - 1)
    if sum(widths) > room:
        narrowed = _narrowed(widths, room)
        shown = (min(len(cell), narrowed[i]) for row in cells for i, cell in enumerate(row))
        if 0 < len(rows) <= _FEW and 2 * sum(shown) < sum(len(cell) for row in cells for cell in row):
            return _records(cells[0], cells[1:], width) + counts
        widths = narrowed
    lines = ["  ".join(map(_fitted, row, widths)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines) + "\n" + counts


def _records(names: list[str], rows: list[list[str]], width: int) -> str:
    import textwrap  # wide tables alone need it  # noqa: PLC0415

    margin = max(map(len, names)) + 2
    lines = []
    for row in rows:
        for name, value in zip(names, row, strict=True):
            lines += textwrap.wrap(
                value or " ",
                max(width, margin + _NARROWEST),
                initial_indent=name.ljust(margin),
                subsequent_indent=" " * margin,
                break_on_hyphens=False,
                drop_whitespace=bool(value),
            )
        lines.append("")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _narrowed(widths: list[int], room: int) -> list[int]:
    """Return widths that fill `room` where cells may be so narrow: the widest columns give way."""
    caps = range(min(max(widths), room), _NARROWEST, -1)
    cap = next((cap for cap in caps if sum(min(width, cap) for width in widths) <= room), _NARROWEST)
    return [min(width, cap) for width in widths]


def _fitted(text: str, width: int) -> str:
    return cut(text, width).ljust(width)
