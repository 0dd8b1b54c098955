"""Serving many clients over streamable HTTP."""

from collections.abc import Callable, Sequence
from typing import Any

from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from lookup.serving.access import Access
from lookup.serving.door import Door
from lookup.serving.doorkeeper import Doorkeeper
from lookup.serving.server import run

PATH = "/mcp"

_LONGEST_REQUEST = 1 << 20
"""The greatest body of a request, in bytes."""


def serve_http(server: Server[Any], door: Door, say: Callable[[str], None]) -> None:
    """Serve at the door until a signal. `say` gets the address once it is bound.

    The Host of requests must be a name of the door: this stops web pages that point their own name at this
    machine (DNS rebinding). Raise SourceError if the address is not available, or the door not fit for it.
    """

    def application(keeper: Doorkeeper | None) -> Starlette:
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,  # each answer is one message
            stateless_http=True,  # nothing is kept between requests
            max_request_body_size=_LONGEST_REQUEST,
            transport_security=_trusted(door.names),
        )
        if keeper:
            app.add_middleware(Access, keeper=keeper)
        return app

    run(application, door, "mcp", say, PATH)


def _trusted(names: Sequence[str]) -> TransportSecuritySettings:
    hosts = [form for name in names for form in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts],
    )
