"""The page that searches all papers, for exact words or by topic."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, NamedTuple

from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.release.schema import KINDS
from lookup.results.answer import counted, marked_pieces
from lookup.results.quote_answer import Match
from pagequote.calls.table import LONGEST_QUERY
from pagequote.web.room import Room, link, number_of, words_of
from pagequote.web.view_models import places_of
from retrieval.corpus_searches import PER_PAPER
from retrieval.topics.search_answer import Hit

EXACT, TOPIC = "exact", "topic"

_COUNTED = 500
"""Places that are counted: 0.15 s of processor for the commonest word of 57 papers. The page says if there
are more."""

_MOST_HITS = 100  # Paragraphs on a topic that can be turned to.

_JUMPS = 25  # Papers in the list beside the places.

_ON_A_PAGE = 20  # Places, or paragraphs, on a page of answers.

_AROUND = 160  # Characters on either side of the words.

_LAST_YEAR = 9999

_BESIDE = frozenset({"reference", "furniture"})
"""Kinds of text in which a paper says nothing itself: papers with most places elsewhere come first."""


class Place(NamedTuple):
    """A place of an answer: its address, its words in pieces, each marked or not, and where it is."""

    address: str
    pieces: Sequence[tuple[str, bool]]
    place: Match | Hit


def search(request: Request) -> Response:
    """Return the places that print the words, or the paragraphs on the topic, by paper."""
    room, asked = Room.of(request), request.query_params
    query, how = words_of(asked), asked.get("how", EXACT)
    if how not in (EXACT, TOPIC):
        raise QueryError(f"how must be {EXACT!r} or {TOPIC!r}, got {how!r}.")
    start = number_of(asked, "start", 0, 0, _COUNTED)
    corpus = room.current()
    keys, kind = _narrowed(corpus, asked)
    values: dict[str, Any] = {"groups": (), "jumps": (), "count": "", "note": "", "before": "", "after": ""}
    if query:
        find = _by_topic if how == TOPIC else _exactly
        values |= _page(find(corpus, query, keys, kind), room, dict(asked), start)
    return room.page(request, "search.html", {**values, "narrowed": keys is not None or bool(kind)})


def _narrowed(corpus: Corpus, asked: QueryParams) -> tuple[list[str] | None, str]:
    """Return the keys of the papers that the form narrows the search to, None for all; and the kind of text.

    They have `papers` in key, title, authors ..., and are of these years. Raise QueryError.
    """
    kind, words = asked.get("kind", ""), words_of(asked, "papers")
    if kind and kind not in KINDS:
        raise QueryError(f"There is no kind of paragraph {kind!r}. The kinds are {', '.join(KINDS)}.")
    first, last = (number_of(asked, name, 0, 0, _LAST_YEAR) for name in ("from_year", "to_year"))
    if not (words or first or last):
        return None, kind
    years = range(first, (last or _LAST_YEAR) + 1)
    found = [one.key for one in corpus.papers(words) if not (first or last) or one.year in years]
    return [words] if words in found else found, kind


@dataclass(frozen=True)
class _Found:
    """All places that a search found, those that are shown, in how many papers they are, and a note."""

    places: Sequence[Place]
    shown: Sequence[Place]
    count: str
    note: str = ""


def _page(found: _Found, room: Room, asked: dict[str, Any], start: int) -> dict[str, Any]:
    """Return what the page shows that begins with the place number `start`."""
    counts, shown = (Counter(one.place.key for one in places) for places in (found.places, found.shown))
    end = start + _ON_A_PAGE
    alone = {key: link("/search", **asked | {"papers": key, "start": 0}) for key in counts}
    listed = list(counts.items())[:_JUMPS] if len(counts) > 1 else []
    return {
        "groups": [
            {
                "paper": room.facts(key).paper,
                "places": tuple(places),
                "count": counts[key],
                "all": alone[key] if shown[key] < counts[key] else "",
            }
            for key, places in groupby(found.shown[start:end], lambda one: one.place.key)
        ],
        "jumps": [(room.facts(key).paper, count, alone[key]) for key, count in listed],
        "count": found.count,
        "note": found.note,
        "before": link("/search", **asked | {"start": max(0, start - _ON_A_PAGE)}) if start else "",
        "after": link("/search", **asked | {"start": end}) if end < len(found.shown) else "",
    }


def _exactly(corpus: Corpus, query: str, keys: list[str] | None, kind: str) -> _Found:
    found = corpus.grep(query, keys, limit=_COUNTED + 1, context_chars=_AROUND) if keys != [] else ()
    listed = [one for one in found if kind in ("", one.kind)][:_COUNTED]
    running = Counter(one.key for one in listed if one.kind not in _BESIDE)
    listed.sort(key=lambda one: (-running[one.key], one.key, one.kind in _BESIDE))  # stable: by page
    places = [
        Place(address, tuple(marked_pieces(one.text, [one.span])), one)
        for address, one in zip(places_of(listed), listed, strict=True)
    ]
    papers = len({one.place.key for one in places})
    more = "more than " if len(found) > _COUNTED else ""
    count = f"{more}{counted(len(places), 'place')} in {counted(papers, 'paper')}" if places else ""
    if more and papers:
        count += f"; the first {_COUNTED} are counted"
    if papers == 1:
        return _Found(places, places, count)
    grouped = groupby(places, lambda one: one.place.key)
    return _Found(places, [one for _, group in grouped for one in islice(group, PER_PAPER)], count)


def _by_topic(corpus: Corpus, query: str, keys: list[str] | None, kind: str) -> _Found:
    answer = corpus.search(query, _MOST_HITS, keys=keys, kinds=[kind] if kind else None)
    best = list(dict.fromkeys(hit.key for hit in answer.hits))
    hits = sorted(answer.hits, key=lambda hit: best.index(hit.key))
    places = [
        Place(
            link("/quote", key=hit.key, query=hit.text[:LONGEST_QUERY], page=hit.page),
            tuple(marked_pieces(hit.text, hit.spans)),
            hit,
        )
        for hit in hits
    ]
    count = f"{counted(len(places), 'paragraph')} in {counted(len(best), 'paper')}, best papers first"
    return _Found(places, places, count if places else "", answer.hint)
