"""The page that searches all papers, for exact words or by topic."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.web.form_fields import words_of
from lookup.web.room import Room
from lookup.web.view_models import places_of

EXACT, TOPIC = "exact", "topic"

_MOST_HITS = 50
"""Places that a search shows."""

_TOPIC_HITS = 15

_AROUND = 160
"""Characters on either side of the words."""


def search(request: Request) -> Response:
    """Return the places that print the words, or the paragraphs on the topic."""
    room, asked = Room.of(request), request.query_params
    query, how = words_of(asked), asked.get("how", EXACT)
    if how not in (EXACT, TOPIC):
        raise QueryError(f"how must be {EXACT!r} or {TOPIC!r}, got {how!r}.")
    corpus = room.current()
    values = {"search_query": query, "how": how, "matches": (), "hits": (), "note": "", "most": _MOST_HITS}
    if query:
        values |= _by_topic(corpus, query) if how == TOPIC else _exactly(corpus, query)
    return room.page(request, "search.html", values)


def _exactly(corpus: Corpus, query: str) -> dict[str, object]:
    matches = corpus.grep(query, limit=_MOST_HITS, context_chars=_AROUND)
    return {"matches": list(zip(matches, places_of(matches), strict=True))}


def _by_topic(corpus: Corpus, query: str) -> dict[str, object]:
    answer = corpus.search(query, _TOPIC_HITS)
    alone = {"lexical": "Searched by words alone.", "semantic": "Searched by meaning alone.", "hybrid": ""}
    far = "Most likely no paper answers this: even the nearest passage is far from it."
    notes = (far if answer.hits and not answer.answered else "", alone[answer.mode])
    return {"hits": answer.hits, "note": " ".join(filter(None, notes))}


routes = [Route("/search", search, methods=["GET"])]
