"""What stands before every page: who may ask, how much, and what a browser may do with the answer."""

from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)

HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # "no-referrer" would take the origin from our own forms
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-cache",
}
"""Of every answer that has none of its own."""

MOST_BYTES = 1 << 20
"""Bytes of what is sent with a request, at most."""

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


class Headed:
    """Every answer with headers that keep what PDFs and papers hold from doing anything, and with no more cached than said."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, headed)


class SameOrigin:
    """Requests that send something are answered only where they come from our own pages, or from no page at all."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] == "http" and scope["method"] not in _READING and not _from_here(scope):
            refused = PlainTextResponse("This request comes from another site.", status_code=403)
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)


def _from_here(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


class Bounded:
    """No request sends more than `MOST_BYTES`, whether it says so or not: 413. What is below `but_not` sees to that itself."""

    def __init__(self, app: ASGIApp, but_not: str) -> None:
        self._app = app
        self._but_not = but_not

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if (
            scope["type"] != "http"
            or scope["method"] in ("GET", "HEAD")
            or scope["path"].startswith(self._but_not)
        ):
            await self._app(scope, receive, send)
            return
        told = Headers(scope=scope).get("content-length", "0")
        messages = await _read(receive) if told.isdecimal() and int(told) <= MOST_BYTES else None
        if messages is None:
            refused = PlainTextResponse(
                f"This is more than {MOST_BYTES >> 10} KiB.", 413, {"Connection": "close"}
            )
            await refused(scope, receive, send)
            return
        waiting = iter(messages)

        async def replayed() -> Message:
            return next(waiting, None) or await receive()

        await self._app(scope, replayed, send)


async def _read(receive: Receive) -> Sequence[Message] | None:
    """All of a request's body; None where it is too much."""
    messages: list[Message] = []
    size, more = 0, True
    while more:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
        if size > MOST_BYTES:
            return None
    return messages
