"""Middleware: security headers, and same-origin checks for forms."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagequote.serving.refusals import foreign

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
