"""Middleware: security headers, same-origin checks for forms, and a limit for bodies."""

from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagequote.serving.refusals import foreign, refusal

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

BODY_LIMIT = 1 << 20  # The greatest body of a request, in bytes.
_API_LIMIT = 1 << 18  # That of one to the API: enough for the longest batch of quotations, in any script.

_READING = frozenset({"GET", "HEAD", "OPTIONS"})


def security_headers(app: ASGIApp) -> ASGIApp:
    """Add SECURITY_HEADERS, so that nothing in a PDF or a paper can run in the browser."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await app(scope, receive, headed)

    return respond


def same_origin(app: ASGIApp) -> ASGIApp:
    """Refuse requests with a body that come from a page of another site."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        refused = scope["type"] == "http" and scope["method"] not in _READING and not _from_here(scope)
        await (foreign() if refused else app)(scope, receive, send)

    return respond


def _from_here(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == headers.get("host")


def body_limit(app: ASGIApp, api: str) -> ASGIApp:
    """Answer 413 to a body of more than BODY_LIMIT bytes, or _API_LIMIT below the address `api`."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD"):
            await app(scope, receive, send)
            return
        most = _API_LIMIT if scope["path"].startswith(f"{api}/") else BODY_LIMIT
        length = Headers(scope=scope).get("content-length", "0")
        messages = await _read(receive, most) if length.isdecimal() and int(length) <= most else None
        if messages is None:
            message = f"The body is larger than {most >> 10} KiB. Send several smaller ones."
            await refusal(413, "TooLarge", message, {"Connection": "close"})(scope, receive, send)
            return
        waiting = iter(messages)

        async def replayed() -> Message:
            return next(waiting, None) or await receive()

        await app(scope, replayed, send)

    return respond


async def _read(receive: Receive, most: int) -> Sequence[Message] | None:
    """Return the messages of a request's body, None if it is too large."""
    messages: list[Message] = []
    size, more = 0, True
    while more:
        message = await receive()
        messages.append(message)
        size += len(message.get("body", b""))
        more = message["type"] == "http.request" and message.get("more_body", False)
        if size > most:
            return None
    return messages
