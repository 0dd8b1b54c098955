"""The socket that a server listens on, and how long it waits for a request."""

import asyncio
import socket
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lookup.errors import SourceError


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket on `host` and `port` (0 for a free one). Raise SourceError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns off Nagle's algorithm, which would delay each answer by 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        cause = error.strerror if isinstance(error, OSError) else error
        raise SourceError(
            f"Cannot listen on {host} port {port} ({cause}). Choose another with --port or --host."
        ) from error
    return listening


class HurriedProtocol(H11Protocol):
    """uvicorn's HTTP, which also closes a connection that takes longer than `seconds` to send a request.

    uvicorn itself closes what is idle after an answer, and waits without end for the rest of what has begun.
    """

    seconds: ClassVar[float] = 30.0
    """From the first byte to the last: the longest draft over 64 kbit/s takes 8."""

    _ends: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Await the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Await the next request, of which a part may be there already."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        self._stop()

    def _watch(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY) or self.transport.is_closing():
            self._stop()
        elif self._ends is None:
            self._ends = self.loop.call_later(self.seconds, self.transport.close)

    def _stop(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None
