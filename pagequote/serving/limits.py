"""Middleware: how much one client may ask for."""

import time
from collections import Counter
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from pagequote.serving.buckets import Buckets, counted_as
from pagequote.serving.door import is_loopback
from pagequote.serving.refusals import client_of, refusal

AT_ONCE = 32  # Requests of one client that may be open at once: those of five browsers, which open six each.


class RateLimits:
    """Answers 429 to a client with more than `rate` requests a minute, or more than AT_ONCE open ones.

    Clients on this machine are not counted: they are the user's own, and could do worse.
    """

    def __init__(self, app: ASGIApp, rate: int, now: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._rate = rate
        self._buckets = Buckets(rate, now)
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond, or refuse."""
        if scope["type"] != "http" or is_loopback(client_of(scope)):
            await self._app(scope, receive, send)
            return
        client = counted_as(client_of(scope))
        if not self._buckets.take(client):
            message = f"More than {self._rate} requests came from this address in a minute. Wait a little."
            await refusal(429, "TooManyRequests", message, {"Retry-After": "10"})(scope, receive, send)
            return
        if self._open[client] >= AT_ONCE:
            message = f"{AT_ONCE} requests of this address are still open. Wait until some are answered."
            await refusal(429, "TooManyAtOnce", message, {"Retry-After": "1"})(scope, receive, send)
            return
        self._open[client] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._open[client] -= 1
            if not self._open[client]:
                del self._open[client]
