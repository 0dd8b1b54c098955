"""Runs the application of a face behind its door."""

import ipaddress
import signal
import socket
import ssl
import sys
from collections.abc import Callable
from functools import partial

import uvicorn
from starlette.types import ASGIApp

from lookup.errors import SourceError
from lookup.storage.handed import open_file
from pagequote.serving.audit import AuditLog, audited
from pagequote.serving.buckets import rate_limited
from pagequote.serving.door import Door
from pagequote.serving.doorkeeper import Doorkeeper, read_token
from pagequote.serving.listening import ACCEPTED_AT_ONCE, MOST_CONNECTIONS, HurriedProtocol, listening_socket
from pagequote.serving.refusals import plain_refusals

_GRACE = 5  # Seconds that open requests have when the server stops.


def run(
    make_app: Callable[[Doorkeeper | None], ASGIApp],
    door: Door,
    face: str,
    announce: Callable[[str], None],
    path: str = "/",
) -> None:
    """Serve an application until SIGINT or SIGTERM. `announce` gets the address once it is served.

    `make_app` gets who asks for the token, None if the door has none; the door is sound when it is called.
    Raise SourceError where the address is not to be had, where it can be reached from other machines and the
    door has no token, and where a file of the door cannot be used.
    """
    _check_tls(door)
    keeper = Doorkeeper(read_token(door.token_file)) if door.token_file else None
    log = AuditLog(door.audit_log) if door.audit_log else None
    listening = listening_socket(door.host, door.port)
    try:
        host, port = listening.getsockname()[:2]
        _check_open(door, ipaddress.ip_address(host))
        app = plain_refusals(make_app(keeper), path)
        app = rate_limited(app, door.rate) if door.rate else app
        app = audited(app, log, face) if log else app
        config = uvicorn.Config(
            app,
            http=HurriedProtocol,
            access_log=False,
            log_config=None,
            log_level="warning",
            server_header=False,
            ws="none",
            backlog=ACCEPTED_AT_ONCE,
            # Of requests: uvicorn counts connections too, and those that are being closed.
            limit_concurrency=2 * MOST_CONNECTIONS,
            proxy_headers=bool(door.trusted_proxies),
            forwarded_allow_ips=list(door.trusted_proxies),
            ssl_certfile=door.tls_cert,
            ssl_keyfile=door.tls_key,
            timeout_graceful_shutdown=_GRACE,
        )
        address = f"{'https' if door.tls_cert else 'http'}://{door.shown_host}:{port}{path}"
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


def _check_open(door: Door, address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    """Raise SourceError if other machines reach `address`, and the door is not made for them."""
    if address.is_loopback:
        return
    if not door.token_file:
        raise SourceError(
            f"Other machines reach {door.host or address}, and whoever does could read all papers. "
            "Name a file with a token (--token-file), or listen on 127.0.0.1."
        )
    if address.is_unspecified and not door.allowed_hosts:
        raise SourceError(
            f"{door.host or address} is all addresses of this machine, and no client calls it by that name. "
            "Say by which name they call it (--allowed-host)."
        )
    if not door.tls_cert:
        print(  # noqa: T201
            "Without --tls-cert, the token and what is read cross the network in the open. "
            "Serve so only to a proxy that has TLS, or in a network that you trust.",
            file=sys.stderr,
        )


def _check_tls(door: Door) -> None:
    """Raise SourceError if the certificate and its key cannot be used."""
    if door.tls_key and not door.tls_cert:
        raise SourceError("--tls-key needs --tls-cert, the certificate that the key belongs to.")
    if not door.tls_cert:
        return
    for file in filter(None, (door.tls_cert, door.tls_key)):
        try:
            open_file(file).close()
        except OSError as error:
            raise SourceError(f"{str(file)!r} cannot be read ({error.strerror}).") from error
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(
            door.tls_cert, door.tls_key, password=lambda: ""
        )
    except (OSError, ValueError) as error:
        raise SourceError(
            f"{str(door.tls_cert)!r} and its key cannot be used for TLS ({error}). "
            "They have to be PEM files, the key without a password."
        ) from error
