"""What strangers get of a reading room with a token: the page to type it in, and nothing of the corpus."""

import re

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from pagequote.serving.access import TokenAuth, TooManyTokensError, client, give_ticket
from pagequote.serving.refusals import TOO_MANY_TOKENS, unknown
from pagequote.web.room import page_templates

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
