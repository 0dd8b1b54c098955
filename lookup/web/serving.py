"""The server of the reading room."""

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
"""Seconds that open requests have when the server stops."""


def serve(
    corpus: Corpus,
    draw: Draw,
    at_end: Callable[[], None],
    host: str,
    port: int,
    names: Iterable[str] = (),
    announce: Callable[[str], None] = print,
) -> None:
    """Serve the reading room until SIGINT or SIGTERM. Port 0 takes a free one; `announce` gets the address.

    Browsers may call it by `host`, by the local names of this machine, and by `names`. Raise SourceError.
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
    """Return whether `host` is, or includes, a loopback address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return address.is_loopback or address.is_unspecified
