"""What a paper prints of a query, by its words: tier 1, else tier 2."""

from bisect import bisect_right
from collections.abc import Sequence

from lookup.quote.candidate import Candidate
from lookup.quote.certify import Examined, certify, examine
from lookup.quote.exact import ExactSearch, by_letters, distinct, find, ways
from lookup.quote.query import Query
from lookup.quote.reading import Elision, Piece, Reading, long_enough
from lookup.results.difference import PRINTED
from lookup.text.folding import fold, fold_with_offsets
from lookup.text.regex import regex
from lookup.text.words import STOP_WORDS, words_in


def by_words(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, else what tier 2 finds, best first; only what touches `page` (0: any).

    Places that are not found at once are looked for further while there are fewer than `wanted`.
    """
    paragraphs = search.paper.paragraphs

    def order(one: Candidate) -> tuple[float, int, int, int]:
        first, last = one.span.first, one.span.last
        return -one.score, max(paragraphs[first].rank, paragraphs[last].rank), first, one.span.start

    found = printed(search, query, page, wanted) or over_pages(search, query) or misread(search, query, page)
    if not any(one.verdict in ("near", *PRINTED) for one in found):
        found = spaced_otherwise(search, query, page) or found
    return sorted(found, key=order)


def printed(search: ExactSearch, query: Query, page: int = 0, wanted: int = 1) -> list[Candidate]:
    """Return what tier 1 finds, in reading order: by the query as given, else by its other readings."""
    nearest: list[Candidate] = []
    for reading in (*query.readings, *query.others):
        found = _in_pieces(search, reading, page) if reading.abridges else find(search, reading, page, wanted)
        if any(one.verdict in PRINTED for one in found):
            return found
        nearest = nearest or found
    return nearest


def misread(search: ExactSearch, query: Query, page: int = 0) -> list[Candidate]:
    """Return what tier 2 finds, best first; nothing for what only asks."""
    if _only_asks(search, query):
        return []
    from lookup.quote import proximity  # a quote that is printed does without  # noqa: PLC0415

    return proximity.find(search.paper, query, page)


_QUESTION = regex(r"(?:what|which|who|whom|whose|when|where|why|how)\b.*\?\W*")


def _only_asks(search: ExactSearch, query: Query) -> bool:
    """Return whether a query is a question, and none that the paper prints with half of its words."""
    if not _QUESTION.fullmatch(query.whole.folded):
        return False
    words = set(words_in(query.whole.folded)) - STOP_WORDS
    printed = (one.text_norm for one in search.paper.paragraphs if "?" in one.text_norm)
    return not any(2 * len(words.intersection(words_in(text))) >= len(words) for text in printed)


def over_pages(search: ExactSearch, query: Query) -> list[Candidate]:
    """Return the places of a query that has the head, foot or number of a page where it runs over pages."""
    asked, beside = query.whole, query.readings[0].beside
    begins = " ".join(asked.folded.split()[:_BEGINNING])
    for i, paragraph in enumerate(search.paper.paragraphs):
        text = paragraph.text_norm
        over = paragraph.page < paragraph.page_end and begins in text
        for at in search.paper.page_ends(i) if over else ():
            before, after = (" ".join(words) for words in (text[:at].split()[-2:], text[at:].split()[:2]))
            end = asked.folded.find(f"{before} ") + len(before)
            start = asked.folded.find(f" {after}", end) + 1
            if len(before) <= end < start:
                folded = fold_with_offsets(asked.asked)
                parts = asked.asked[: folded.ends[end - 1]], asked.asked[folded.starts[start] :]
                pieces = tuple(Piece(part, fold(part), asked.cased) for part in parts)
                between = Elision(furniture=asked.folded[end:start].strip())
                places = _in_pieces(search, Reading(pieces, (between,), beside=beside))
                if any(one.verdict in PRINTED for one in places):
                    return places
    return []


_BEGINNING = 3  # Words of a query that a paragraph has in which it may run over pages.


def spaced_otherwise(search: ExactSearch, query: Query, page: int = 0) -> list[Candidate]:
    """Return the places with the query's letters and digits, in other words: near, as none is printed so."""
    if query.whole.short:
        return []
    proposals = [one for one in by_letters(search.paper, query.whole) if search.paper.touches(one.span, page)]
    examined = [examine(search.paper, query.whole, one) for one in proposals[:_SPACED_OTHERWISE]]
    found = (certify(search.paper, query.readings[0], [one]) for one in distinct(examined))
    return [one for one in found if one]


_SPACED_OTHERWISE = 3  # Places with the same letters that are looked at, at most.


def _in_pieces(search: ExactSearch, reading: Reading, page: int = 0) -> list[Candidate]:
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
            start = chain[0].span
            if start not in found and (candidate := certify(search.paper, reading, chain)):
                found[start] = candidate  # the nearest end for each beginning
        if any(one.verdict in PRINTED for one in found.values()):
            break
    return [one for one in found.values() if search.paper.touches(one.span, page)]


def _places(search: ExactSearch, piece: Piece, *, thorough: bool) -> list[Examined]:
    found: list[Examined] = []
    for way in ways(piece):
        found = distinct([*found, *search.by(way, piece)])
        if found and not thorough:
            break
    return found


def _chains(places: Sequence[list[Examined]]) -> list[list[Examined]]:
    """For each place of the last piece the nearest places of the others before it, in order."""
    ends = [[(one.span.last, one.span.end) for one in each] for each in places]
    chains = []
    for last in places[-1]:
        chain = [last]
        for each, ended in zip(reversed(places[:-1]), reversed(ends[:-1]), strict=True):
            before = bisect_right(ended, (chain[0].span.first, chain[0].span.start))
            if not before:
                break
            chain.insert(0, each[before - 1])
        else:
            chains.append(chain)
    return chains
