"""The terms of the headings that a paragraph is under, as the index of words has them."""

from functools import lru_cache

from lookup.text.folding import fold
from retrieval.scoring.relevance import terms

_HELD_HEADINGS = 4096  # Titles and headings whose terms are kept: some 1 MiB.


def heading_terms(title: str | None, kind: str, section: str | None) -> tuple[tuple[str, ...], ...]:
    """Return the terms of the title and of the section that a paragraph of this kind is under.

    No heading is under itself. `title` is folded, `section` as printed.
    """
    above = "" if kind == "title" else title or ""
    section = "" if kind in {"title", "heading"} else section or ""
    return _terms(above), _terms(section)


@lru_cache(_HELD_HEADINGS)
def _terms(heading: str) -> tuple[str, ...]:
    return tuple(terms(fold(heading)))
