"""What the door answers when it lets nobody in."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOO_MANY_TOKENS = "Too many wrong tokens came from this address. Wait a minute."

_NOT_KEPT = {"Cache-Control": "no-store"}
_OF_ITS_TEXT = frozenset({"content-type", "content-length", "cache-control"})
"""Headers of a plain refusal that its answer in JSON has of its own."""


def unknown() -> Response:
    """Return the answer to a client without the token."""
    message = "This needs the token of the server: send it as 'Authorization: Bearer TOKEN'."
    return refusal(401, "Unauthorized", message, {"WWW-Authenticate": "Bearer"})


def foreign() -> Response:
    """Return the answer to what a page of another site sends."""
    message = (
        "This comes from another site. Use the server's own pages, or start it with --allowed-host NAME."
    )
    return refusal(403, "ForeignOrigin", message, {})


def refusal(
    status: int, kind: str, message: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """Return an error in the form that the JSON API has."""
    return JSONResponse({"error": {"type": kind, "message": message}}, status, {**_NOT_KEPT, **headers})


def plain_refusals(app: ASGIApp, path: str) -> ASGIApp:
    """Say in JSON what the libraries of a server refuse in plain text, and what to do: `path` is its own."""
    said = {
        400: "The server is not called by this name. Use its own, or start it with --allowed-host NAME.",
        404: f"There is nothing at this address. The server answers at {path}",
        413: "The body of this request is too large. Send several smaller ones: 256 KiB are always taken.",
        503: "Too many requests are open. Wait a little, and send it again.",
    }

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        refused = False

        async def in_json(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] >= 400:
                headers = Headers(raw=message["headers"])
                refused = headers.get("content-type", "text/plain").startswith("text/plain")
                if refused:
                    status = HTTPStatus(message["status"])
                    kept = {name: value for name, value in headers.items() if name not in _OF_ITS_TEXT}
                    to_do = said.get(status, f"{status.description or status.phrase}.")
                    kind = "TooLarge" if status == 413 else status.phrase.title().replace(" ", "")
                    await refusal(status, kind, to_do, kept)(scope, receive, send)
            if not refused:
                await send(message)

        await app(scope, receive, in_json)

    return respond
