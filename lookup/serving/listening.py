"""The socket that a server listens on."""

import socket

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
