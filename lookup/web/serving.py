"""The reading room on a socket of this machine."""

import ipaddress
import signal
import socket
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Never

import uvicorn

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.web.app import LOCAL_NAMES, reading_room
from lookup.web.pictures import Draw

_LAST_ANSWERS = 5
"""Seconds that answers under way have when the server is told to end."""


def serve(
    corpus: Corpus,
    draw: Draw,
    at_end: Callable[[], None],
    host: str,
    port: int,
    names: Iterable[str] = (),
    announce: Callable[[str], None] = print,
) -> None:
    """Serve the reading room on `host` until SIGINT or SIGTERM; port 0 takes a free one, and `announce` is told the address.

    Browsers may call it by `host`, by the names of this machine's own, and by `names`. Raises PageQuoteError where the address cannot be used.
    """
    listening = _listening(host, port)
    shown = f"[{host}]" if ":" in host else host
    called = {shown, *names, *(LOCAL_NAMES if _is_here(host) else ())}
    app = reading_room(corpus, draw, called, at_end)
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_LAST_ANSWERS,
    )
    announce(f"http://{shown}:{listening.getsockname()[1]}/")
    signal.signal(signal.SIGTERM, _end)  # after the server has ended by itself, it raises the signal again
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


def _end(_signal: int, _frame: FrameType | None) -> Never:
    raise SystemExit(0)


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise PageQuoteError(
            f"The reading room cannot be opened at {host}, port {port} ({cause}). Name another with --port or --host."
        ) from error


def _is_here(host: str) -> bool:
    """Whether `host` is, or takes in, the addresses by which this machine calls itself."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return address.is_loopback or address.is_unspecified
