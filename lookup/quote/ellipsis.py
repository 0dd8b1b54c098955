"""Tier 1 for queries that leave words out under ellipses or put words in with brackets."""

from bisect import bisect_right
from collections.abc import Sequence

from lookup.quote import exact
from lookup.quote.candidate import Candidate
from lookup.quote.certify import Examined, certify
from lookup.quote.exact import ExactSearch
from lookup.quote.joints import long_enough
from lookup.quote.query import Piece, Reading
from lookup.results.quote_answer import PRINTED


def find(search: ExactSearch, reading: Reading, page: int = 0) -> list[Candidate]:
    """Return places that print the pieces of `reading` in order within the bounds, in reading order.

    Where what is left out or put in changes what is said, the place is near, and its differences say so.
    """
    if not long_enough(reading):
        return []
    found: dict[object, Candidate] = {}
    for thorough in (False, True):
        places = [_places(search, piece, thorough=thorough) for piece in reading.pieces]
        found = {}
        for chain in _chains(places):
            start = chain[0].stretch
            if start not in found and (candidate := certify(search.paper, reading, chain)):
                found[start] = candidate  # the nearest end for each beginning
        if any(one.verdict in PRINTED for one in found.values()):
            break
    return [one for one in found.values() if search.paper.touches(one.stretch, page)]


def _places(search: ExactSearch, piece: Piece, *, thorough: bool) -> list[Examined]:
    found: list[Examined] = []
    for way in exact.ways(piece):
        found = exact.distinct([*found, *search.by(way, piece)])
        if found and not thorough:
            break
    return found


def _chains(places: Sequence[list[Examined]]) -> list[list[Examined]]:
    """For each place of the last piece the nearest places of the others before it, in order."""
    ends = [[(one.stretch.last, one.stretch.end) for one in each] for each in places]
    chains = []
    for last in places[-1]:
        chain = [last]
        for each, ended in zip(reversed(places[:-1]), reversed(ends[:-1]), strict=True):
            before = bisect_right(ended, (chain[0].stretch.first, chain[0].stretch.start))
            if not before:
                break
            chain.insert(0, each[before - 1])
        else:
            chains.append(chain)
    return chains
