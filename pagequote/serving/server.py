"""Runs the application of a face behind its settings."""

import ipaddress
import signal
import socket
import sys
from collections.abc import Callable
from functools import partial

import uvicorn
from starlette.types import ASGIApp

from lookup.errors import SourceError
from pagequote.serving.access import TokenAuth, read_token
from pagequote.serving.audit import AuditLog, audited
from pagequote.serving.clients import plain_refusals, rate_limited
from pagequote.serving.listening import BACKLOG, MOST_CONNECTIONS, HurriedProtocol, listening_socket
from pagequote.serving.server_settings import ServerSettings

_GRACE = 5  # Seconds that open requests have when the server stops.


def run(
    make_app: Callable[[TokenAuth | None], ASGIApp],
    settings: ServerSettings,
    face: str,
    announce: Callable[[str], None],
    path: str = "/",
) -> None:
    """Serve an application until SIGINT or SIGTERM. `announce` gets the address once it is served.

    `make_app` gets who asks for the token, None if there is no token; the settings are checked
    when it is called. Raise SourceError where the address is not to be had, where other machines reach it and
    there is no token, and where a file of the settings cannot be used.
    """
    keeper = TokenAuth(read_token(settings.token_file)) if settings.token_file else None
    log = AuditLog(settings.audit_log) if settings.audit_log else None
    listening = listening_socket(settings.host, settings.port)
    try:
        host, port = listening.getsockname()[:2]
        _check_open(settings, ipaddress.ip_address(host))
        app = plain_refusals(make_app(keeper), path)
        app = rate_limited(app, settings.rate) if settings.rate else app
        app = audited(app, log, face) if log else app
        config = uvicorn.Config(
            app,
            http=HurriedProtocol,
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            ws="none",
            backlog=BACKLOG,
            # Of requests: uvicorn counts connections too, and those that are being closed.
            limit_concurrency=2 * MOST_CONNECTIONS,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_graceful_shutdown=_GRACE,
        )
        address = f"http://{settings.shown_host}:{port}{path}"
        _Server(config, partial(announce, address)).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


class _Server(uvicorn.Server):
    """Announces itself when it answers and can be ended: who waits for that may send a signal at once."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        # Raised by the server when it has ended, and before that by nobody while a loop is being made.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._announce()


def _check_open(settings: ServerSettings, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    """Raise SourceError if other machines reach `address`, and the settings are not made for them."""
    if address.is_loopback:
        return
    if not settings.token_file:
        raise SourceError(
            f"Other machines reach {settings.host or address}, and whoever does could read all papers. "
            "Name a file with a token (--token-file), or listen on 127.0.0.1."
        )
    if address.is_unspecified and not settings.allowed_hosts:
        raise SourceError(
            f"{settings.host or address} is all addresses of this machine, and no client calls it by that "
            "name. Say by which name they call it (--allowed-host)."
        )
    print(  # noqa: T201
        "The token and what is read cross the network in the open. "
        "Serve so only to a proxy that has TLS, or in a network that you trust.",
        file=sys.stderr,
    )
