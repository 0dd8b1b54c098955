"""Which papers may print a quote: those that print pieces of it, by the index of words.

A quote is cut into pieces of some words. A misread word, the border of two paragraphs or a citation mark
spoils one piece and leaves the others; where all are spoilt, each may have one word that is printed
otherwise.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from lookup.index.printed_words import any_of
from lookup.index.release_index import printed_words
from lookup.papers.library import Library
from lookup.papers.paper import Paper
from lookup.quote.query import Query

if TYPE_CHECKING:
    import tantivy

_PIECE = 5
"""Words of a piece, at least, where the quote has so many: fewer are printed by too many papers, more are
spoilt by a misread word."""

_PAPERS = 200
"""Papers, at most, that are compared by how many pieces they print: the rarest pieces choose them."""

_SHARE = 0.5
"""Of the pieces that one paper prints, the share that another prints at least that is looked at: where the
quote is printed, no more of them is spoilt."""

_TRIED = 20  # Papers, at most, of which the places are looked at: those that print most pieces.
_STATEMENTS = 1, 4
"""Papers whose places are read by the first statements, one after the other; the next one reads the rest.
Mostly the first paper prints the quote, or none does."""

_PLACES = 4  # Paragraphs of a paper with pieces of the quote, on average: those with the rarest ones.

_AROUND = 6
"""Paragraphs that are read on either side of one with a piece: a quote goes on past captions and notes."""

_PIECES = 12  # Pieces of a long quote that are looked for, at most: the first ones.


def places_with_words(library: Library, query: Query, *, misread: bool = False) -> Iterator[Paper]:
    """Yield what stands around the words of the query in each of the papers that may print it.

    Those with most of its pieces first, then by key; at most _TRIED. Each is a part of a paper, as a paper of
    its own, so that papers of any length cost the same. With `misread`, one word of each piece may be printed
    otherwise.
    """
    printed = library.printed
    pieces = [
        [printed.phrase(words, gap) for gap in (range(len(words)) if misread else (None,))]
        for words in _pieces(query)
        if not misread or len(words) > 2  # one word at a time may be printed otherwise
    ]
    queries = [any_of(piece) for piece in pieces if piece]
    counted = sorted(((printed.count(one), at) for at, one in enumerate(queries)))
    found: Counter[str] = Counter()
    rare: list[tantivy.Query] = []
    for paragraphs, at in counted:
        if paragraphs and len(found) < _PAPERS:
            found.update(printed.papers(queries[at], None, _PAPERS).keys())
        elif paragraphs:
            rare.append(queries[at])
    for one in rare:  # they choose no more papers, but tell those apart
        found.update(printed.papers(one, list(found)).keys())
    most = max(found.values(), default=0)
    likely = (key for key, pieces in found.items() if pieces >= _SHARE * most)
    keys = sorted(likely, key=lambda key: (-found[key], key))[:_TRIED]
    if not keys:
        return
    around: dict[str, set[int]] = {key: set() for key in keys}
    for place in printed.ranked(any_of(queries), keys, _PLACES * len(keys)):
        around[place.key].update(range(max(0, place.paragraph - _AROUND), place.paragraph + _AROUND + 1))
    for start, end in pairwise((0, *accumulate(_STATEMENTS), len(keys))):
        if some := keys[start:end]:
            yield from library.parts({key: around[key] for key in some})


def _pieces(query: Query) -> list[list[str]]:
    """Return the words of the query in pieces, without what its writer put in or left out."""
    readings = query.readings[min(1, len(query.readings) - 1)]
    pieces: list[list[str]] = []
    for part in readings.pieces:
        words = printed_words(part.folded)
        parts = max(1, len(words) // _PIECE)
        borders = [len(words) * i // parts for i in range(parts + 1)]
        pieces += [words[start:end] for start, end in pairwise(borders) if end > start]
    return pieces[:_PIECES]
