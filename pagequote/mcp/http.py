"""Serving many clients over streamable HTTP."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from pagequote.serving.access import HEALTH, TokenAuth, guarded
from pagequote.serving.clients import foreign
from pagequote.serving.server import run
from pagequote.serving.server_settings import ServerSettings

PATH = "/mcp"

_LONGEST_REQUEST = 1 << 20  # The greatest body of a request, in bytes.


def serve_http(server: Server[Any], settings: ServerSettings, say: Callable[[str], None]) -> None:
    """Serve with these settings until a signal. `say` gets the address once it is bound.

    The Host of requests must be a name in the settings: this stops web pages that point their own name at
    this machine (DNS rebinding). Raise SourceError if the address is not available, or the settings do not
    fit it.
    """

    def application(keeper: TokenAuth | None) -> Starlette:
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,  # each answer is one message
            stateless_http=True,  # nothing is kept between requests
            max_request_body_size=_LONGEST_REQUEST,
            # The SDK takes whatever begins like a name and a colon for that name: "localhost:1.evil.example".
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        )
        # A call tells what is wrong with the corpus.
        app.add_route(HEALTH, lambda _: JSONResponse({"status": "ok"}), methods=["GET"])
        if keeper:
            app.add_middleware(guarded, keeper=keeper)
        app.add_middleware(own_origins, names=settings.names)
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(settings.names), www_redirect=False)
        return app

    run(application, settings, "mcp", say, PATH)


_ORIGIN = re.compile(r"https?://(?P<name>[^/]++)")
_PORT = re.compile(r":\d{1,5}\Z")


def own_origins(app: ASGIApp, names: Sequence[str]) -> ASGIApp:
    """Refuse what pages of other sites send; those served under one of `names`, at any port, are its own."""

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        origin = Headers(scope=scope).get("origin") if scope["type"] == "http" else None
        found = _ORIGIN.fullmatch(origin.lower()) if origin is not None else None
        own = origin is None or (found is not None and _PORT.sub("", found["name"]) in names)
        await (app if own else foreign())(scope, receive, send)

    return respond
