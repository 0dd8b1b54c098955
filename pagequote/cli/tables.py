"""Tables as plain text."""

from collections.abc import Sequence
from typing import Any

from lookup.results.answer import counted, cut

WIDTH = 110  # Characters of a line where there is no terminal.
_FEW = 20  # Rows that are shown one below the other where a line is too short for them.
_NARROWEST = 12  # Characters that a cell keeps, however short the line is.


def table_text(names: Sequence[str], rows: Sequence[Sequence[Any]], width: int = WIDTH) -> str:
    """Return the rows as a table no wider than `width`, or, if few and long, each as names and values.

    Below it stands how many rows there are.
    """
    every = (["" if value is None else " ".join(str(value).split()) for value in row] for row in rows)
    cells = [[*names], *every]
    widths = [max(len(row[i]) for row in cells) for i in range(len(names))]
    counts = f"({counted(len(rows), 'row')})\n"
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
    import textwrap  # wide tables alone need it

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
