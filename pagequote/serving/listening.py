"""The socket that a server listens on, and how long it waits for a request."""

import asyncio
import select
import socket
from itertools import chain
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lookup.errors import SourceError
from pagequote.serving.door import is_loopback
from pagequote.serving.refusals import refusal

MOST_CONNECTIONS = 448
"""Connections open at once: fewer than the 1,024 files that a process may mostly have open."""

ACCEPTED_AT_ONCE = 64  # Connections accepted before others are read again: who asks is heard before a flood.

MOST_OF_ONE = 64  # Connections of one address: five browsers open 30.


class _Listening(socket.socket):
    """Lets more wait than asyncio accepts at once: who finds no room tries again after a whole second."""

    def listen(self, _accepted_at_once: int = 0, /) -> None:
        super().listen(4_096)


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket on `host` and `port` (0 for a free one). Raise SourceError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio turns off Nagle's algorithm, which would delay each answer by 40 ms.
    listening = _Listening(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except (OSError, OverflowError, TypeError) as error:
        listening.close()
        cause = error.strerror if isinstance(error, OSError) else error
        raise SourceError(
            f"Cannot listen on {host} port {port} ({cause}). Choose another with --port or --host."
        ) from error
    return listening


class HurriedProtocol(H11Protocol):
    """uvicorn's HTTP, which also closes connections that take too long, or are too many.

    uvicorn itself closes what is idle after an answer, waits without end for the rest of what has begun, and
    counts the connections of all clients together. Here each address has MOST_OF_ONE, but this machine and
    the proxies that the door trusts; of too many the one goes that has said nothing for longest.
    """

    seconds: ClassVar[float] = 30.0
    """For the body of a request: the longest draft over 64 kbit/s takes 8."""

    header_seconds: ClassVar[float] = 10.0
    """For the beginning of a request."""

    _silent: ClassVar[dict["HurriedProtocol", None]] = {}
    _idle: ClassVar[dict["HurriedProtocol", None]] = {}
    """The connections that wait for a request, the oldest first: those that never had one, and others."""

    _ends: asyncio.TimerHandle | None = None
    _awaited: object = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Await the first request, if there is room."""
        super().connection_made(transport)
        self._make_room()
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
        self._forget()
        self._stop()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, in JSON."""
        told = refusal(400, "NoHTTP", f"{msg} Send HTTP/1.1, by https if the server has TLS.", {}).body
        head = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode() + told)
        self.transport.close()

    def _make_room(self) -> None:
        """Close a connection if there are too many: that which waits for longest, else this one."""
        host = self.client[0] if self.client else ""
        trusted = is_loopback(host) or host in self.config.forwarded_allow_ips
        every = [one for one in self.connections if isinstance(one, HurriedProtocol)]
        there = [one for one in every if not one.transport.is_closing()]
        own = 0 if trusted else sum(one.client is not None and one.client[0] == host for one in there)
        if own <= MOST_OF_ONE and len(there) <= MOST_CONNECTIONS:
            return
        for one in chain(self._silent, self._idle):
            here = one.connections is self.connections and not one.transport.is_closing()
            counted = own <= MOST_OF_ONE or (one.client and one.client[0] == host)
            if here and counted and not _has_unread(one.transport):
                break
        else:
            one = self
        one._forget()  # one of this class
        one.transport.abort()

    def _watch(self) -> None:
        state = self.conn.their_state
        if state is h11.IDLE and not self.transport.is_closing():
            (self._idle if self.cycle else self._silent).setdefault(self)
        else:
            self._forget()
        if state not in (h11.IDLE, h11.SEND_BODY) or self.transport.is_closing():
            self._stop()
        elif self._ends is None or self._awaited is not state:
            self._stop()
            self._awaited = state
            seconds = self.header_seconds if state is h11.IDLE else self.seconds
            self._ends = self.loop.call_later(seconds, self.transport.close)

    def _forget(self) -> None:
        self._silent.pop(self, None)
        self._idle.pop(self, None)

    def _stop(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None


def _has_unread(transport: asyncio.Transport) -> bool:
    """Return whether the client has sent what was not read yet: among many that connect, it may ask."""
    ready = select.poll()
    ready.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
    return bool(ready.poll(0))
