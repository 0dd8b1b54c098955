"""What the door answers when it lets nobody in."""

from starlette.responses import JSONResponse, Response
from starlette.types import Scope

SIGN_IN_NEEDED = "This needs the token of the server: send it as 'Authorization: Bearer TOKEN'."
TOO_MANY_TOKENS = "Too many wrong tokens came from this address. Wait a minute."

_NOT_KEPT = {"Cache-Control": "no-store"}


def unknown() -> Response:
    """Return the answer to a client without the token."""
    return refusal(401, "Unauthorized", SIGN_IN_NEEDED, {"WWW-Authenticate": "Bearer"})


def guessing() -> Response:
    """Return the answer to a client that guesses tokens."""
    return refusal(429, "TooManyTokens", TOO_MANY_TOKENS, {"Retry-After": "60"})


def foreign() -> Response:
    """Return the answer to what a page of another site sends."""
    return refusal(403, "ForeignOrigin", "This comes from another site. Use the server's own pages.", {})


def refusal(status: int, kind: str, message: str, headers: dict[str, str]) -> Response:
    """Return an error in the form that the JSON API has."""
    return JSONResponse({"error": {"type": kind, "message": message}}, status, {**_NOT_KEPT, **headers})


def client_of(scope: Scope) -> str:
    """Return the address of the client, as the server or a trusted proxy names it."""
    return str((scope.get("client") or ("",))[0])
