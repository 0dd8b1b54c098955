"""The socket that a server listens on."""

import socket

from lookup.errors import SourceError


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to `host` and `port` (0 for any that is free), to which one may connect; raises SourceError where the address cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's algorithm, which would hold each answer back for 40 ms, only where the protocol is named.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except (OSError, OverflowError) as error:
        listening.close()
        cause = error.strerror if isinstance(error, OSError) else error
        raise SourceError(
            f"{host} port {port} cannot be had ({cause}). Name another with --port or --host."
        ) from error
    return listening
