"""The door of a server: where it listens, by which names it is called, and who may come in."""

import ipaddress
from dataclasses import dataclass
from pathlib import Path

LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""The names by which a client on this machine calls a server."""


@dataclass(frozen=True)
class ServerSettings:
    """What the command line says about serving. Nothing of it is read or checked yet."""

    host: str = "127.0.0.1"
    port: int = 0
    allowed_hosts: tuple[str, ...] = ()
    token_file: Path | None = None
    trusted_proxies: tuple[str, ...] = ()
    rate: int = 600
    audit_log: Path | None = None

    @property
    def shown_host(self) -> str:
        """Return the host as an address has it."""
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by which clients may call the server; it refuses all others."""
        address = address_of(self.host)
        local = is_loopback(self.host) or (address is not None and address.is_unspecified)
        return tuple(dict.fromkeys([self.shown_host, *self.allowed_hosts, *(LOCAL_NAMES if local else ())]))


def is_loopback(host: str) -> bool:
    """Return whether `host` is this machine by name or address, which nothing outside of it reaches."""
    address = address_of(host)
    return address.is_loopback if address else host == "localhost"


def address_of(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address that a host is named by, None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
