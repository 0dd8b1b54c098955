"""What each client may have: so many requests a minute, so many open ones, its turn; and what is refused."""

import ipaddress
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import TypeVar

import anyio
from anyio import to_thread
from cachetools import LRUCache
from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pagequote.serving.server_settings import address_of, is_loopback

T = TypeVar("T")

_MOST_CLIENTS = 10_000
"""Clients that are remembered, some 2 MB of them; of more, those that came longest ago are forgotten."""

_IPV6_NETWORK = 56
"""Bits of an IPv6 address that tell clients apart: providers give each of them a network of that size."""


class RateLimits:
    """A bucket for each client, of `per_minute` requests, which a minute fills again."""

    def __init__(self, per_minute: int, now: Callable[[], float]) -> None:
        self._size = per_minute
        self._now = now
        self._levels: LRUCache[str, tuple[float, float]] = LRUCache(_MOST_CLIENTS)

    def take(self, client: str) -> bool:
        """Count a request. Return whether the client may make it."""
        before, since = self._levels.get(client, (float(self._size), 0.0))
        level = min(self._size, before + (self._now() - since) * self._size / 60)
        self._levels[client] = (max(level - 1, 0), self._now())
        return level >= 1


def client_of(scope: Scope) -> str:
    """Return the address of the client, as the server or a trusted proxy names it."""
    return str((scope.get("client") or ("",))[0])


def counted_as(host: str) -> str:
    """Return what a client is counted by: its address, or the network of an IPv6 address."""
    address = address_of(host)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.IPv6Network((int(address), _IPV6_NETWORK), strict=False))
    return host


OPEN_REQUESTS = 32  # Of one client, that may be open at once: those of five browsers, which open six each.


def rate_limited(app: ASGIApp, rate: int, now: Callable[[], float] = time.monotonic) -> ASGIApp:
    """Answer 429 to a client with more than `rate` requests a minute, or more than OPEN_REQUESTS open ones.

    Clients on this machine are not counted: they are the user's own, and could do worse.
    """
    limits = RateLimits(rate, now)
    opened: Counter[str] = Counter()

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or is_loopback(client_of(scope)):
            await app(scope, receive, send)
            return
        client = counted_as(client_of(scope))
        if not limits.take(client):
            message = f"More than {rate} requests came from this address in a minute. Wait a little."
            await refusal(429, "TooManyRequests", message, {"Retry-After": "10"})(scope, receive, send)
            return
        if opened[client] >= OPEN_REQUESTS:
            message = (
                f"{OPEN_REQUESTS} requests of this address are still open. Wait until some are answered."
            )
            await refusal(429, "TooManyAtOnce", message, {"Retry-After": "1"})(scope, receive, send)
            return
        opened[client] += 1
        try:
            await app(scope, receive, send)
        finally:
            opened[client] -= 1
            if not opened[client]:
                del opened[client]

    return respond


class FairQueue:
    """Does so many pieces of work at once, each in a thread; a client with many holds up no other one."""

    def __init__(self, at_once: int) -> None:
        self._threads = anyio.CapacityLimiter(at_once)
        self._free = at_once
        self._waiting: dict[str, deque[anyio.Event]] = {}
        """Those who wait, by client, the next one first. Nobody waits while a thread is free."""

    async def do(self, client: str, work: Callable[[], T]) -> T:
        """Return what `work` returns, once it is the turn of the client."""
        await self._turn(client)
        try:
            return await to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._threads)
        finally:
            self._next()

    async def _turn(self, client: str) -> None:
        if self._free:
            self._free -= 1
            return
        called = anyio.Event()
        self._waiting.setdefault(client, deque()).append(called)
        try:
            await called.wait()
        except BaseException:  # the request was taken back
            if called.is_set():
                self._next()
            else:
                self._waiting[client].remove(called)
            raise

    def _next(self) -> None:
        while self._waiting:
            client = next(iter(self._waiting))
            waiting = self._waiting.pop(client)
            if waiting:
                waiting.popleft().set()
                self._waiting[client] = waiting  # after all others
                return
        self._free += 1


_THREADS = 8  # Requests that are answered at once, other than long ones; the others wait.


class Turns:
    """Does what requests ask for; what may take long has threads of its own: no other one waits for it."""

    def __init__(self, long: int) -> None:
        self._queues = {True: FairQueue(long), False: FairQueue(_THREADS)}

    async def do(self, scope: Scope | None, work: Callable[[], T], *, long: bool) -> T:
        """Return what `work` returns. A client is an address, on this machine a connection, or none."""
        host, port = (scope or {}).get("client") or ("", 0)
        client = f"{host}:{port}" if is_loopback(host) else counted_as(host)
        return await self._queues[long].do(client, work)


TOO_MANY_TOKENS = "Too many wrong tokens came from this address. Wait a minute."

_NOT_KEPT = {"Cache-Control": "no-store"}
_OF_ITS_TEXT = frozenset({"content-type", "content-length", "cache-control"})
"""Headers of a plain refusal that its answer in JSON has of its own."""


def unknown() -> Response:
    """Return the answer to a client without the token."""
    message = "This needs the token of the server: send it as 'Authorization: Bearer TOKEN'."
    return refusal(401, "Unauthorized", message, {"WWW-Authenticate": "Bearer"})


def foreign() -> Response:
    """Return the answer to what a page of another site sends."""
    message = (
        "This comes from another site. Use the server's own pages, or start it with --allowed-host NAME."
    )
    return refusal(403, "ForeignOrigin", message, {})


def refusal(
    status: int, kind: str, message: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    """Return an error in the form that the JSON API has."""
    return JSONResponse({"error": {"type": kind, "message": message}}, status, {**_NOT_KEPT, **headers})


def plain_refusals(app: ASGIApp, path: str) -> ASGIApp:
    """Say in JSON what the libraries of a server refuse in plain text, and what to do: `path` is its own."""
    said = {
        400: "The server is not called by this name. Use its own, or start it with --allowed-host NAME.",
        404: f"There is nothing at this address. The server answers at {path}",
        413: "The body of this request is too large. Send several smaller ones: 256 KiB are always taken.",
        503: "Too many requests are open. Wait a little, and send it again.",
    }

    async def respond(scope: Scope, receive: Receive, send: Send) -> None:
        refused = False

        async def in_json(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] >= 400:
                headers = Headers(raw=message["headers"])
                refused = headers.get("content-type", "text/plain").startswith("text/plain")
                if refused:
                    status = HTTPStatus(message["status"])
                    kept = {name: value for name, value in headers.items() if name not in _OF_ITS_TEXT}
                    to_do = said.get(status, f"{status.description or status.phrase}.")
                    kind = "TooLarge" if status == 413 else status.phrase.title().replace(" ", "")
                    await refusal(status, kind, to_do, kept)(scope, receive, send)
            if not refused:
                await send(message)

        await app(scope, receive, in_json)

    return respond
