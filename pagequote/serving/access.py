"""Middleware: nobody comes in without the token."""

from collections.abc import Container

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pagequote.serving.rate_limits import counted_as
from pagequote.serving.refusals import client_of, guessing, unknown
from pagequote.serving.token_auth import TICKET_SECONDS, TokenAuth, TooManyTokensError

HEALTH = "/health"
"""Where monitoring asks, with a token or without."""

STRANGER = "pagequote.stranger"
"""The key of a request's scope that says whether it has no token where one is needed."""


def guarded(
    app: ASGIApp, keeper: TokenAuth, strangers: ASGIApp | None = None, their_paths: Container[str] = ()
) -> ASGIApp:
    """Hand requests with the token, or a ticket for it, to the application; all others to `strangers`.

    `their_paths` are always for strangers: the form in which they sign in. HEALTH is for all.
    """

    def knows(request: HTTPConnection) -> bool:
        if keeper.admits(request.cookies.get(_cookie(request), "")):
            return True
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and keeper.opens(token.strip(), client(request))

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await app(scope, receive, send)
            return
        try:
            known = scope["path"] not in their_paths and knows(HTTPConnection(scope))
        except TooManyTokensError:
            await guessing()(scope, receive, send)
            return
        scope[STRANGER] = not known
        admitted = known or scope["path"] == HEALTH
        await (app if admitted else strangers or unknown())(scope, receive, send)

    return respond


def client(request: HTTPConnection) -> str:
    """Return what the client of a request is counted by."""
    return counted_as(client_of(request.scope))


def give_ticket(response: Response, request: HTTPConnection, keeper: TokenAuth) -> None:
    """Sign a browser in, by a cookie that no script reads and no other site makes it send."""
    response.set_cookie(
        _cookie(request),
        keeper.ticket(),
        max_age=TICKET_SECONDS,
        httponly=True,
        samesite="strict",
        secure=_is_secure(request),
    )


def _cookie(request: HTTPConnection) -> str:
    """Return the cookie's name. Browsers take one with this prefix by TLS alone, and from no other host."""
    return "__Host-pagequote" if _is_secure(request) else "pagequote"


def _is_secure(request: HTTPConnection) -> bool:
    return request.url.scheme == "https"
