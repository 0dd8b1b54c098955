"""The reading room on a socket of this machine."""

import ipaddress
import signal
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Never

import uvicorn

from lookup.calls.listening import listening_socket
from lookup.corpus import Corpus
from lookup.web.app import LOCAL_NAMES, reading_room
from lookup.web.page_pictures import Draw

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

    Browsers may call it by `host`, by the names of this machine's own, and by `names`. Raises SourceError where the address cannot be used.
    """
    listening = listening_socket(host, port)
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


def _is_here(host: str) -> bool:
    """Whether `host` is, or takes in, the addresses by which this machine calls itself."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return address.is_loopback or address.is_unspecified
