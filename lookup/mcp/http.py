"""Serving many clients over streamable HTTP."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings

from lookup.calls.listening import listening_socket

PATH = "/mcp"

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

_LONGEST_REQUEST = 1 << 20
"""The greatest body of a request, in bytes."""

_GRACE = 3
"""Seconds that open requests have when the server stops."""


def serve_http(
    server: Server[Any], host: str, port: int, names: Sequence[str], say: Callable[[str], None]
) -> None:
    """Serve on `host` and `port` (0 for a free one) until a signal. `say` gets the address once it is bound.

    The Host of requests must be `host`, one of `names`, or a loopback name: this stops web pages that
    point their own name at this machine (DNS rebinding). Raise SourceError if the address is not available.
    """
    listening = listening_socket(host, port)
    shown = f"[{host}]" if ":" in host else host
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,  # each answer is one message
        stateless_http=True,  # nothing is kept between requests
        max_request_body_size=_LONGEST_REQUEST,
        transport_security=_trusted([*_LOOPBACK, shown, *names]),
    )
    config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=_GRACE)
    say(f"http://{shown}:{listening.getsockname()[1]}{PATH}")
    with suppress(KeyboardInterrupt):  # which uvicorn raises anew once it has ended
        uvicorn.Server(config).run(sockets=[listening])


def _trusted(names: Sequence[str]) -> TransportSecuritySettings:
    hosts = [form for name in names for form in (name, f"{name}:*")]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts],
    )
