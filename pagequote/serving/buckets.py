"""Rates by client: a bucket for each, which fills with time and is emptied by requests."""

import ipaddress
from collections.abc import Callable

from cachetools import LRUCache

_MOST_CLIENTS = 10_000
"""Clients that are remembered, some 2 MB of them; of more, those that came longest ago are forgotten."""

_IPV6_NETWORK = 64
"""Bits of an IPv6 address that tell clients apart: providers give each of them a network of that size."""


class Buckets:
    """A bucket for each client, of `per_minute` requests, which a minute fills again."""

    def __init__(self, per_minute: int, now: Callable[[], float]) -> None:
        self._size = per_minute
        self._now = now
        self._levels: LRUCache[str, tuple[float, float]] = LRUCache(_MOST_CLIENTS)

    def take(self, client: str) -> bool:
        """Count a request. Return whether the client may make it."""
        level = self._level(client)
        self._levels[client] = (max(level - 1, 0), self._now())
        return level >= 1

    def _level(self, client: str) -> float:
        level, since = self._levels.get(client, (float(self._size), 0.0))
        return min(self._size, level + (self._now() - since) * self._size / 60)


def counted_as(host: str) -> str:
    """Return what a client is counted by: its address, or the network of an IPv6 address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.IPv6Network((int(address), _IPV6_NETWORK), strict=False))
    return host
