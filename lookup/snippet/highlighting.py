"""Show a segment as it is, or with the words of the query marked."""

from collections.abc import Collection
from html import escape
from typing import Literal, get_args

from lookup.errors import QueryError
from lookup.results.showing import marked_pieces
from lookup.snippet.terms import folded, word_spans
from lookup.text.graphemes import boundary_after, boundary_before

Highlight = Literal["plain", "markdown", "html"]

_MARKS: dict[Highlight, tuple[str, str]] = {"markdown": ("**", "**"), "html": ("<mark>", "</mark>")}


def checked(highlight: str) -> Highlight:
    """Return `highlight`; raise QueryError if it is unknown."""
    for known in get_args(Highlight):
        if highlight == known:
            return known  # type: ignore[no-any-return]
    raise QueryError(f"There is no highlighting {highlight!r}. Give one of {', '.join(get_args(Highlight))}.")


def highlighted(text: str, terms: Collection[str], highlight: Highlight, *, is_code: bool) -> str:
    """Return `text` with the words among `terms` in `**`, or escaped with these in `<mark>`.

    Code gets no `**`, since Markdown would show them.
    """
    if highlight == "plain" or (highlight == "markdown" and is_code):
        return text
    shown = escape if highlight == "html" else str
    before, after = _MARKS[highlight]
    return "".join(
        f"{before}{shown(piece)}{after}" if marked else shown(piece)
        for piece, marked in marked_pieces(text, _found(text, terms))
    )


def _found(text: str, terms: Collection[str]) -> list[tuple[int, int]]:
    """Return the spans of the words among `terms`, in whole characters; spans that touch become one."""
    spans: list[tuple[int, int]] = []
    for start, end, stem in word_spans(folded(text)):
        if stem not in terms:
            continue
        first, last = boundary_before(text, start), boundary_after(text, end)
        if spans and first <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(last, spans[-1][1]))
        else:
            spans.append((first, last))
    return spans
