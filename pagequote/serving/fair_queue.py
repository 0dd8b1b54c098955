"""FairQueue of clients: of what waits, one piece of work of each client after another is done."""

from collections import deque
from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio import to_thread
from starlette.types import Scope

from pagequote.serving.rate_limits import counted_as
from pagequote.serving.server_settings import is_loopback

T = TypeVar("T")


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


def client_of_turn(scope: Scope) -> str:
    """Return whose turn a request takes: its address, or on this machine its connection."""
    host, port = scope.get("client") or ("", 0)
    return f"{host}:{port}" if is_loopback(host) else counted_as(host)
