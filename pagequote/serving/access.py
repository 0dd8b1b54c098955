"""Nobody comes in without the token: it opens a server, and browsers get tickets for it."""

import hashlib
import hmac
import time
from collections.abc import Callable, Container
from pathlib import Path

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from lookup.errors import SourceError
from pagequote.serving.clients import TOO_MANY_TOKENS, RateLimits, client_of, counted_as, refusal, unknown

_LEAST_TOKEN = 16  # Characters of a token: 16 of a random one in base 64 are 96 bits, which nobody guesses.
_WRONG_TOKENS = 10  # Wrong tokens that one client may show in a minute.
TICKET_SECONDS = 12 * 3600  # How long a browser stays signed in: a working day.


class TooManyTokensError(Exception):
    """The client has shown too many wrong tokens, and has to wait."""


class TokenAuth:
    """Knows the token. What it is shown is compared in constant time, so that time tells nothing of it."""

    def __init__(self, token: str, now: Callable[[], float] = time.time) -> None:
        self._token = token.encode()
        self._now = now
        self._wrong = RateLimits(_WRONG_TOKENS, now)

    def opens(self, token: str, client: str) -> bool:
        """Return whether this is the token. Raise TooManyTokensError for a client that guesses.

        Who shows the right one comes in, whoever else guesses behind the same proxy: nobody guesses 96 bits.
        """
        if _same(token.encode(errors="replace"), self._token):
            return True
        if not self._wrong.take(client):
            raise TooManyTokensError
        return False

    def ticket(self) -> str:
        """Return what a browser shows instead of the token, for TICKET_SECONDS."""
        until = str(int(self._now()) + TICKET_SECONDS)
        return f"{until}.{self._signature(until)}"

    def admits(self, ticket: str) -> bool:
        """Return whether this ticket was made for this token, and has not run out."""
        until, _, signature = ticket.partition(".")
        signed = _same(signature.encode(errors="replace"), self._signature(until).encode())
        return signed and int(until) > self._now()

    def _signature(self, until: str) -> str:
        return hmac.new(self._token, b"ticket " + until.encode(errors="replace"), "sha256").hexdigest()


def read_token(file: Path) -> str:
    """Return the token in a file, without the spaces around it. Raise SourceError."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"The token cannot be read from {str(file)!r} ({error}).") from error
    if len(token) < _LEAST_TOKEN:
        raise SourceError(
            f"The token in {str(file)!r} has {len(token)} characters; it needs at least {_LEAST_TOKEN}. "
            "Make one: python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    return token


def _same(one: bytes, other: bytes) -> bool:
    """Compare by hashes of one length, so that not even the length of the secret can be timed."""
    return hmac.compare_digest(hashlib.sha256(one).digest(), hashlib.sha256(other).digest())


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
            told = refusal(429, "TooManyTokens", TOO_MANY_TOKENS, {"Retry-After": "60"})
            await told(scope, receive, send)
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
        secure=request.url.scheme == "https",
    )


def _cookie(request: HTTPConnection) -> str:
    """Return the cookie's name. Browsers take one with this prefix by TLS alone, and from no other host."""
    return "__Host-pagequote" if request.url.scheme == "https" else "pagequote"
