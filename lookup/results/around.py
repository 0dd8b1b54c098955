"""The whole printed sentence around a quote, with what the quote cuts off or leaves out marked in it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

OPENS, CLOSES = "{+", "+}"
"""Between these stands what is printed and not quoted, as in a word diff."""

Span = tuple[int, int]


def around(text: str, quoted: Span, omitted: Sequence[Span]) -> str:
    """Return printed sentences with what is not `quoted` of them marked; '' where they are quoted whole.

    `omitted` are the spans that the quote leaves out, in order.
    """
    start, end = quoted
    bounds = [0, start, *(at for span in omitted for at in span if start <= at <= end), end, len(text)]
    pieces = [text[first:last] for first, last in pairwise(bounds)]
    if not any(map(_says_something, pieces[::2])):
        return ""
    for at, piece in enumerate(pieces):
        words = piece.strip()
        if at % 2 == 0 and _says_something(words):
            pieces[at] = piece.replace(words, f"{OPENS}{words}{CLOSES}", 1)
    return "".join(pieces)


def cuts(marked: str) -> Iterator[str]:
    """Yield in words where the quote begins and ends, if that is within the sentence of `around`."""
    if marked.startswith(OPENS):
        yield "begins within a sentence"
    if marked.endswith(CLOSES):
        yield "ends within one" if marked.startswith(OPENS) else "ends within a sentence"


def _says_something(piece: str) -> bool:
    return any(map(str.isalnum, piece))
