"""The pages to read in: the list of papers, a paper, a page of it, and the picture of a page."""

from html import escape
from textwrap import wrap

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lookup.calls.parameters import LAST_PAGE
from lookup.corpus import Corpus
from lookup.errors import PageNotFoundError
from lookup.papers.original_pdf import NotDrawnError, Original
from lookup.results.papers import Page
from lookup.web.form_fields import key_of, number_of, words_of
from lookup.web.paper_cache import Facts
from lookup.web.room import Room
from lookup.web.view_models import sheet

_LISTED = 100
"""Papers on a page of their list."""

_MOST_PAPERS = 10_000_000

_KEPT = "private, max-age=604800, immutable"
"""A picture whose address names the content of its PDF never changes."""


def papers(request: Request) -> Response:
    """Return the list of papers, or of those with some words in key, title, authors, year, DOI or venue."""
    room, asked = Room.of(request), request.query_params
    words = words_of(asked, "filter")
    start = number_of(asked, "start", 0, 0, _MOST_PAPERS)
    found = room.current().papers(words, _LISTED + 1, start)
    values = {
        "filter": words,
        "papers": found[:_LISTED],
        "start": start,
        "before": max(0, start - _LISTED),
        "after": start + _LISTED if len(found) > _LISTED else 0,
    }
    return room.page(request, "papers.html", values)


def paper(request: Request) -> Response:
    """Return the page of a paper: its metadata, outline and pages."""
    room, key = Room.of(request), key_of(request.query_params)
    corpus = room.current()
    facts = room.facts(key)
    values = {
        "paper": facts.paper,
        "outline": corpus.outline(key),
        "pages": facts.pages,
        "asked_key": facts.paper.key,
        "named": "" if key == facts.paper.key else facts.paper.named(key),
    }
    return room.page(request, "paper.html", values)


def page(request: Request) -> Response:
    """Return a page of a paper: its text in reading order, and its picture."""
    room, asked = Room.of(request), request.query_params
    key, number = key_of(asked), number_of(asked, "page", 1, 1, LAST_PAGE)
    corpus = room.current()
    facts = room.facts(key)
    number = corpus.page_number(key, number)
    printed = facts.pages[number - 1]
    values = {
        "paper": facts.paper,
        "page": printed,
        "last": len(facts.pages),
        "text": _text(corpus, key, printed),
        "shown_sheet": sheet(facts, number),
        "asked_key": facts.paper.key,
        "named": "" if key == facts.paper.key else facts.paper.named(key),
        "asked_page": number,
    }
    return room.page(request, "page.html", values)


def _text(corpus: Corpus, key: str, page: Page) -> list[str]:
    if page.source == "empty":
        return []
    return [part for part in corpus.page(key, page.page).split("\n\n") if part]


def _with_page(room: Room, key: str, number: int) -> Facts:
    """Return the facts of a paper that has such a page. Raise UnknownKeyError or PageNotFoundError."""
    facts = room.facts(key)
    count = len(facts.pages)
    if number > count:
        pages = f"pages 1 to {count}" if count > 1 else "one page"
        raise PageNotFoundError(f"{key!r} has {pages}; there is no page {number}.")
    return facts


async def image(request: Request) -> Response:
    """Return a page as a picture. On failure it is a picture of the reason, shown where the page would be."""
    room, asked = Room.of(request), request.query_params
    key, number = key_of(asked), number_of(asked, "page", 1, 1, LAST_PAGE)
    original = await run_in_threadpool(_original, room, key, number)
    tag = f'"{original.sha256[:16]}-{number}"'
    kept = _KEPT if asked.get("of") == original.sha256[:16] else "no-cache"
    headers = {"ETag": tag, "Cache-Control": kept}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    try:
        picture = await room.pictures.picture(original, number)
    except NotDrawnError as error:
        busy = {"Retry-After": "2"} if error.reason == "busy" else {}
        return Response(
            _as_picture(error.sentence),
            503 if busy else 404,
            {"Cache-Control": "no-store", **busy},
            "image/svg+xml",
        )
    return Response(picture, 200, headers, "image/png")


def _original(room: Room, key: str, number: int) -> Original:
    room.current()
    return _with_page(room, key, number).original


def _as_picture(sentence: str) -> str:
    lines = "".join(
        f'<text x="300" y="{380 + 34 * i}" text-anchor="middle">{escape(line)}</text>'
        for i, line in enumerate(wrap(sentence, 40))
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800" width="600" height="800" '
        'font-family="sans-serif" font-size="24" fill="#444"><rect width="600" height="800" fill="#f1efe9"/>'
        f"{lines}</svg>"
    )


routes = [
    Route("/papers", papers, methods=["GET"]),
    Route("/paper", paper, methods=["GET"]),
    Route("/page", page, methods=["GET"]),
    Route("/image", image, methods=["GET"]),
]
