"""The socket that a server listens on, and how long it waits for a request."""

import asyncio
import select
import socket
from itertools import chain
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from lookup.errors import SourceError
from pagequote.serving.clients import counted_as, refusal
from pagequote.serving.server_settings import is_loopback

MOST_CONNECTIONS = 448
"""Connections open at once: fewer than the 1,024 files that a process may mostly have open."""

BACKLOG = 64  # Connections accepted before others are read again: who asks is heard before a flood.

MOST_OF_ONE = 64  # Connections of one address, or of one IPv6 network: five browsers open 30.


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
    counts the connections of all clients together. Here each client has MOST_OF_ONE, but this machine and
    the proxies that the door trusts. Of too many one goes that never asked, else one that owes a body, else
    one that waits for its next request: of each kind the one that has waited longest. What was
    answered before its body came, as a refusal is, is closed when no more of it comes.
    """

    seconds: ClassVar[float] = 30.0
    """For the body of a request: the longest draft over 64 kbit/s takes 8."""

    header_seconds: ClassVar[float] = 10.0
    """For the beginning of a request."""

    owing_seconds: ClassVar[float] = 1.0
    """After its head, until a request without the rest of its body gives way; answered ones do at once."""

    _silent: ClassVar[dict["HurriedProtocol", None]] = {}
    _idle: ClassVar[dict["HurriedProtocol", None]] = {}
    """The connections that wait for a request, the oldest first: those that never had one, and others."""

    _owing: ClassVar[dict["HurriedProtocol", float]] = {}
    """The connections that wait for the rest of a body: from which time of the loop on they give way."""

    counted_by = ""
    """What it is counted by, as `buckets` count requests."""

    _ends: asyncio.TimerHandle | None = None
    _awaited: object = None
    _latest = 0.0  # The time of the loop at which it is closed whatever comes.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Await the first request, if there is room."""
        super().connection_made(transport)
        self.counted_by = counted_as(self.client[0]) if self.client else ""
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

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing of a request for a WebSocket, which is answered as if it were none."""

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, in JSON."""
        told = refusal(400, "NoHTTP", f"{msg} Send HTTP/1.1; https is for a proxy before it.", {}).body
        head = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
        self.transport.write(head.encode() + told)
        self.transport.close()

    def _make_room(self) -> None:
        """Close a connection if there are too many: that which gives way first, else this one."""
        host = self.client[0] if self.client else ""
        trusted = is_loopback(host) or host in self.config.forwarded_allow_ips
        every = [one for one in self.connections if isinstance(one, HurriedProtocol)]
        there = [one for one in every if not one.transport.is_closing()]
        own = 0 if trusted else sum(one.counted_by == self.counted_by for one in there)
        if own <= MOST_OF_ONE and len(there) <= MOST_CONNECTIONS:
            return
        now = self.loop.time()
        owing = (one for one, since in self._owing.items() if since <= now)
        for one in chain(self._silent, owing, self._idle):
            here = one.connections is self.connections and not one.transport.is_closing()
            counted = own <= MOST_OF_ONE or one.counted_by == self.counted_by
            if here and counted and not _has_unread(one.transport):
                break
        else:
            one = self
        one._forget()  # one of this class
        one.transport.abort()

    def _watch(self) -> None:
        """Say what the connection waits for, and close it when that does not come in time."""
        state, closing = self.conn.their_state, self.transport.is_closing()
        if state is h11.IDLE and not closing:
            (self._idle if self.cycle else self._silent).setdefault(self)
        elif state is not h11.SEND_BODY or closing:
            self._forget()
        else:
            self._silent.pop(self, None)
            self._idle.pop(self, None)
        if state not in (h11.IDLE, h11.SEND_BODY) or closing:
            self._stop()
            return
        now = self.loop.time()
        if self._ends is None or self._awaited is not state:
            self._awaited = state
            self._latest = now + (self.header_seconds if state is h11.IDLE else self.seconds)
            self._close_at(self._latest)
        if state is h11.SEND_BODY:
            answered = self.cycle is not None and self.cycle.response_complete
            self._owing.setdefault(self, now + self.owing_seconds)  # a byte now and then is no body
            if answered:
                self._owing[self] = now
                self._close_at(min(now + self.owing_seconds, self._latest))

    def _close_at(self, when: float) -> None:
        self._stop()
        self._ends = self.loop.call_at(when, self.transport.close)

    def _forget(self) -> None:
        self._silent.pop(self, None)
        self._idle.pop(self, None)
        self._owing.pop(self, None)

    def _stop(self) -> None:
        if self._ends is not None:
            self._ends.cancel()
            self._ends = None


def _has_unread(transport: asyncio.Transport) -> bool:
    """Return whether the client has sent what was not read yet: among many that connect, it may ask."""
    descriptor = transport.get_extra_info("socket").fileno()
    if not hasattr(select, "poll"):  # Windows
        return bool(select.select([descriptor], [], [], 0)[0])
    ready = select.poll()
    ready.register(descriptor, select.POLLIN)
    return bool(ready.poll(0))
