"""The reading room as an ASGI application."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.web import draft_page, paper_pages, quote_page, report_page, search_page
from lookup.web.api import api_routes
from lookup.web.error_pages import Refusal, refusal
from lookup.web.middleware import HEADERS, Bounded, Headed, SameOrigin
from lookup.web.page_pictures import Draw, Pictures
from lookup.web.room import STATIC, Room

LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""By which a browser on this machine calls the server."""


_API = "/api"
"""Where the JSON API is, which bounds what it takes by itself."""


def reading_room(
    corpus: Corpus,
    draw: Draw,
    names: Iterable[str] = LOCAL_NAMES,
    at_end: Callable[[], None] = lambda: None,
) -> Starlette:
    """The reading room of a corpus, which it follows from release to release, and closes at its end.

    `draw` makes the pictures of pages. Requests that call the server by another of `names` are refused, so that no other site can
    make a browser read the corpus for it. `at_end` is called when the server ends.
    """

    @asynccontextmanager
    async def open_hours(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await run_in_threadpool(at_end)
            corpus.close()

    room = Room(corpus, Pictures(draw))
    app = Starlette(
        routes=[
            *quote_page.routes,
            *search_page.routes,
            *paper_pages.routes,
            *draft_page.routes,
            *report_page.routes,
            Route("/health", health, methods=["GET"]),
            Mount("/static", _Static(directory=STATIC)),
            Mount(_API, routes=api_routes(room.current)),
        ],
        middleware=[
            Middleware(Headed),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(names), www_redirect=False),
            Middleware(SameOrigin),
            Middleware(Bounded, but_not=f"{_API}/"),
        ],
        exception_handlers={
            PageQuoteError: _refused,
            HTTPException: _no_page,
            Exception: _broken,
        },
        lifespan=open_hours,
    )
    app.state.room = room
    return app


def health(request: Request) -> Response:
    """Whether the corpus can be read, for whoever watches the server."""
    try:
        release = Room.of(request).current().release.name
    except PageQuoteError:
        return JSONResponse({"status": "unavailable"}, 503)
    return JSONResponse({"status": "ok", "release": release})


class _Static(StaticFiles):
    """Files whose address changes with their content."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, PageQuoteError)
    return await _said(request, refusal(error))


_NO_PAGE = {
    404: "There is no such page in the reading room.",
    405: "This page cannot be asked for in this way.",
    413: "This is more than the reading room takes.",
}


async def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = _NO_PAGE.get(error.status_code, "This request cannot be answered.")
    response = await _said(request, Refusal(error.status_code, said))
    response.headers.update(error.headers or {})
    return response


async def _broken(request: Request, _: Exception) -> Response:
    response = await _said(request, refusal(PageQuoteError()))
    response.headers.update(
        HEADERS
    )  # Starlette answers for what broke outside of all that is around the pages
    return response


async def _said(request: Request, said: Refusal) -> Response:
    if request.url.path.startswith(f"{_API}/"):
        return JSONResponse({"error": {"type": "Error", "message": said.sentence}}, said.status)
    values = {"refusal": said, "query": request.query_params.get("query", "")}
    room = Room.of(request)
    return await run_in_threadpool(room.page, request, "refusal.html", values, said.status)
