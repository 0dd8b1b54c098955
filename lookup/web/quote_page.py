"""The pages that find a quote: the door, and the answers of a paper."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from lookup.calls.parameters import LAST_PAGE
from lookup.results.quote_answer import QuoteAnswer
from lookup.web.form_fields import MOST_PLACES, key_of, number_of, words_of
from lookup.web.paper_cache import Facts
from lookup.web.room import Room, link
from lookup.web.view_models import shown


def home(request: Request) -> Response:
    """The door: a box to search in."""
    room = Room.of(request)
    room.current()
    return room.page(request, "home.html")


def quote(request: Request) -> Response:
    """Where a paper prints the words, or a step on where there are none."""
    room, asked = Room.of(request), request.query_params
    key, query = key_of(asked), words_of(asked)
    n = number_of(asked, "n", 1, 1, MOST_PLACES)
    if not query:
        return RedirectResponse(link("/paper", key=key) if key else "/", 303)
    if not key:
        return RedirectResponse(link("/search", query=query), 303)
    corpus = room.current()
    facts = room.facts(key)
    page = _page(facts, asked)
    answer = corpus.quote(key, query, page, n)
    values = {
        "asked_key": key,
        "asked_query": query,
        "asked_page": page,
        "answer": answer,
        "shown": shown(facts, answer.matches, str(request.base_url)),
        "paper": facts.paper,
        "more": _more(answer, page, n),
    }
    return room.page(request, "quote.html", values)


def _page(facts: Facts, asked: Mapping[str, str]) -> int:
    """The page asked for, counted from the first; where the paper has not so many, the one with that number printed on it."""
    given = asked.get("page", "").strip().casefold()
    numbers = {str(one.page) for one in facts.pages}
    printed = [one.page for one in facts.pages if (one.page_label or "").casefold() == given]
    if given and given not in numbers and printed:
        return printed[0]
    return number_of(asked, "page", 0, 0, LAST_PAGE)


def _more(answer: QuoteAnswer, page: int, n: int) -> str:
    """The address of more places, where there may be any."""
    if n >= MOST_PLACES or len(answer.matches) < n:
        return ""
    return link("/quote", key=answer.key, query=answer.query, page=page, n=min(n + 4, MOST_PLACES))


routes = [Route("/", home, methods=["GET"]), Route("/quote", quote, methods=["GET"])]
