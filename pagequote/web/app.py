"""The reading room as an ASGI application."""

import re
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from pagequote.calls.killable import Runner, run_inline
from pagequote.serving.access import (
    HEALTH,
    STRANGER,
    TokenAuth,
    TooManyTokensError,
    client,
    give_ticket,
    guarded,
)
from pagequote.serving.clients import TOO_MANY_TOKENS, foreign, unknown
from pagequote.serving.server_settings import LOCAL_NAMES
from pagequote.web import draft_page, pages, report_page, search_page
from pagequote.web.api import api_routes, listed, route
from pagequote.web.page_pictures import DrawInPixels, Pictures
from pagequote.web.room import STATIC, ErrorPage, Room, error_page, page_templates

_API = "/api"  # Where the JSON API is.


def reading_room(
    corpus: Corpus,
    draw: DrawInPixels,
    names: Iterable[str] = LOCAL_NAMES,
    at_end: Callable[[], None] = lambda: None,
    keeper: TokenAuth | None = None,
    long: Runner = run_inline,
) -> Starlette:
    """Return the ASGI app over a corpus. It follows new releases, and closes the corpus on shutdown.

    `draw` makes the pictures of pages. Requests for a host that is not among `names` are refused, so that no
    other site can make a browser read the corpus (DNS rebinding). `at_end` is called on shutdown. With a
    `keeper`, nobody reads anything without its token. `long` does what may take long.
    """

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await run_in_threadpool(at_end)
            corpus.close()

    room = Room(corpus, Pictures(draw), long)
    static = _Static(directory=STATIC)
    access = []
    if keeper:
        outside = strangers(keeper, static)
        outside.state.room = room  # for the page of an error
        access = [Middleware(guarded, keeper=keeper, strangers=outside, their_paths={SIGN_IN})]
    app = Starlette(
        routes=[
            *(Route(path, page, methods=["GET"]) for path, page in _PAGES.items()),
            Route("/draft", draft_page.judged, methods=["POST"], max_body_size=draft_page.BODY_LIMIT),
            Mount("/static", static),
            route(_API, listed),
            Mount(_API, routes=api_routes(room.current, long)),
        ],
        middleware=[*guards(names), *access],
        exception_handlers=dict.fromkeys((PageQuoteError, HTTPException, Exception), _on_error),
        lifespan=lifespan,
    )
    app.state.room = room
    return app


def guards(names: Iterable[str]) -> list[Middleware]:
    """Return what stands before every page: headers, the names of the server, no requests of other sites."""
    return [
        Middleware(security_headers),
        Middleware(TrustedHostMiddleware, allowed_hosts=list(names), www_redirect=False),
        Middleware(same_origin),
    ]


def health(request: Request) -> Response:
    """Tell monitoring whether the corpus can be read, and those with the token of which release it is."""
    try:
        release = Room.of(request).current().release.name
    except PageQuoteError:
        return JSONResponse({"status": "unavailable"}, 503)
    return JSONResponse({"status": "ok"} | ({} if request.scope.get(STRANGER) else {"release": release}))


_PAGES = {
    "/": pages.home,
    "/quote": pages.quote,
    "/proof": pages.proof,
    "/basket": pages.basket,
    "/search": search_page.search,
    "/papers": pages.papers,
    "/paper": pages.paper,
    "/page": pages.page,
    "/read": pages.read,
    "/image": pages.image,
    "/pdf": pages.pdf,
    "/draft": draft_page.empty,
    "/report": report_page.report,
    HEALTH: health,
}


class _Static(StaticFiles):
    """Files whose address changes with their content: browsers may keep them."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response


_SENTENCES = {
    404: "There is no such page in the reading room.",
    405: "This page does not answer this method.",
    413: "This is more than the reading room accepts.",
}


async def _on_error(request: Request, error: Exception) -> Response:
    """Return the page for an error; what is said of one of the API is JSON."""
    if isinstance(error, HTTPException):
        sentence = _SENTENCES.get(error.status_code, "This request cannot be answered.")
        page, headers = ErrorPage(error.status_code, sentence), error.headers or {}
    else:
        # Starlette answers a crash outside of the middleware.
        page, headers = error_page(error), SECURITY_HEADERS
    response: Response
    if request.url.path.startswith(f"{_API}/"):
        response = JSONResponse({"error": {"type": "Error", "message": page.sentence}}, page.status)
    else:
        response = await run_in_threadpool(_error_page, request, page)
    response.headers.update(headers)
    return response


def _error_page(request: Request, error: ErrorPage) -> Response:
    room = Room.of(request)
    values = {"error": error, "closest": [room.facts(key).paper for key in error.closest]}
    return room.page(request, "error.html", values, error.status)


_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

SECURITY_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # "no-referrer" would take the origin from our own forms
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}
"""Headers of every response that does not set its own."""

_RETRY_AFTER = "10"  # Seconds after which what cannot be answered now is asked for again.

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


def security_headers(app: ASGIApp) -> ASGIApp:
    """Add SECURITY_HEADERS, so that nothing in a PDF or a paper can run in the browser."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                if message["status"] == 503:
                    headers.setdefault("Retry-After", _RETRY_AFTER)
            await send(message)

        await app(scope, receive, headed)

    return respond


def same_origin(app: ASGIApp) -> ASGIApp:
    """Refuse requests with a body that come from a page of another site."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        refused = False
        if scope["type"] == "http" and scope["method"] not in _READING:
            headers = Headers(scope=scope)
            origin = headers.get("origin")
            refused = headers.get("sec-fetch-site", "none") not in ("same-origin", "none") or (
                origin is not None and origin.partition("://")[2] != headers.get("host")
            )
        await (foreign() if refused else app)(scope, receive, send)

    return respond


_LONGEST = 1 << 14  # Bytes of the form: a token, and the address that was opened.

SIGN_IN = "/sign-in"  # Where the form is sent to.

_OF_THIS_SERVER = re.compile(r"/(?![/\\])[!-~]*")
"""Addresses that a browser opens here. It takes "//" and "/\\" for other servers, and skips tabs."""


def strangers(keeper: TokenAuth, static: StaticFiles) -> Starlette:
    """Return the application for those who have not shown the token."""
    templates = page_templates()

    def form(opened: str, status: int, message: str = "") -> Response:
        values = {"opened": opened, "message": message, "sign_in": SIGN_IN}
        text = templates.get_template("sign_in.html").render(values)
        return HTMLResponse(text, status, {"Cache-Control": "no-store", "WWW-Authenticate": "Bearer"})

    async def ask(request: Request) -> Response:
        if request.method != "GET" or "text/html" not in request.headers.get("accept", ""):
            return unknown()
        asked = (request.scope["raw_path"] + b"?" + request.scope["query_string"]).decode("latin-1")
        return form(_local(asked.removesuffix("?")), 401)

    async def sign_in(request: Request) -> Response:
        try:
            async with request.form(max_files=0, max_fields=2) as given:
                token, opened = str(given.get("token", "")), _local(str(given.get("opened", "")))
        except ClientDisconnect:
            return Response()  # which nobody reads
        try:
            if not keeper.opens(token.strip(), client(request)):
                return form(opened, 401, "This is not the token.")
        except TooManyTokensError:
            return form(opened, 429, TOO_MANY_TOKENS)
        response = RedirectResponse(opened, 303, {"Cache-Control": "no-store"})
        give_ticket(response, request, keeper)
        return response

    return Starlette(
        routes=[
            Route(SIGN_IN, sign_in, methods=["POST"], max_body_size=_LONGEST),
            Mount("/static", static),
            Route("/{rest:path}", ask, methods=["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]),
        ]
    )


def _local(address: str) -> str:
    """Return `address` if it is one of this server, else its first page."""
    return address if _OF_THIS_SERVER.fullmatch(address) and address != SIGN_IN else "/"
