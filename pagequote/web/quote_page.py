"""The start page, and the page that answers a quote."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pagequote.check.report import as_proof
from pagequote.web.form_fields import MOST_PLACES, key_of, number_of, page_of, words_of
from pagequote.web.room import Room, attached, link
from pagequote.web.view_models import shown, strip_of
from pipeline.processes.operating_system import file_name


def basket(request: Request) -> Response:
    """Return the page of the quotes that the browser keeps; the server knows none of them."""
    return Room.of(request).page(request, "basket.html")


def home(request: Request) -> Response:
    """Return the start page: a form to search with, and an example."""
    room = Room.of(request)
    corpus = room.current()
    example = room.example()
    values: dict[str, Any] = {"example": example}
    if example:
        facts = room.facts(example.key)
        parts = corpus.page_parts(example.key, example.page) if example.boxes else ()
        values |= {"paper": facts.paper, "strip_of_print": strip_of(facts, example, parts)}
    return room.page(request, "home.html", values)


def proof(request: Request) -> Response:
    """Return the best place of a quote as one file that any page can hold: words, source, strip of print."""
    room, asked = Room.of(request), request.query_params
    corpus = room.current()
    matches = corpus.quote(room.facts(key_of(asked)).paper.key, words_of(asked), page_of(asked, 0)).matches
    if not matches:
        raise HTTPException(404)
    made = as_proof(corpus, matches[0], room.draw)
    return attached(made.encode(), f"{file_name(matches[0].key)}-quote.html")


def quote(request: Request) -> Response:
    """Return the places where a paper prints the words, or the page that helps if a field is empty."""
    room, asked = Room.of(request), request.query_params
    key, query = key_of(asked), words_of(asked)
    limit = number_of(asked, "limit", 1, 1, MOST_PLACES)
    if not query:
        return RedirectResponse(link("/paper", key=key) if key else "/", 303)
    if not key:
        found = room.current().verify(query) if len(query.split()) > 1 else None
        if found is None or not found.key:
            return RedirectResponse(link("/search", query=query), 303)
        return RedirectResponse(link("/quote", key=found.key, query=query, page=asked.get("page")), 303)
    corpus = room.current()
    facts = room.facts(key)
    page = page_of(asked, 0)
    answer = corpus.quote(facts.paper.key, query, page, limit)
    more = limit < MOST_PLACES and len(answer.matches) >= limit
    further: dict[str, Any] = {
        "key": answer.key,
        "query": answer.query,
        "page": page,
        "limit": min(limit + 4, MOST_PLACES),
    }
    values = {
        **room.named(facts, key),
        "answer": answer,
        "shown": shown(corpus, facts, answer, str(request.base_url)),
        "paper": facts.paper,
        "more": link("/quote", **further) if more else "",
    }
    return room.page(request, "quote.html", values)
