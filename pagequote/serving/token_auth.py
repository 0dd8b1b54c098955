"""The token that opens a server, and the tickets that browsers get for it."""

import hashlib
import hmac
import time
from collections.abc import Callable
from pathlib import Path

from lookup.errors import SourceError
from pagequote.serving.rate_limits import RateLimits

_LEAST_TOKEN = 16  # Characters of a token: 16 of a random one in base 64 are 96 bits, which nobody guesses.
_WRONG_TOKENS = 10  # Wrong tokens that one client may show in a minute.
TICKET_SECONDS = 12 * 3600  # How long a browser stays signed in: a working day.


class TooManyTokensError(Exception):
    """The client has shown too many wrong tokens, and has to wait."""


class TokenAuth:
    """Knows the token. What it is shown is compared in constant time, so that time tells nothing of it."""

    def __init__(self, token: str, now: Callable[[], float] = time.time) -> None:
        self._token = token.encode()
        self._now = now
        self._wrong = RateLimits(_WRONG_TOKENS, now)

    def opens(self, token: str, client: str) -> bool:
        """Return whether this is the token. Raise TooManyTokensError for a client that guesses.

        Who shows the right one comes in, whoever else guesses behind the same proxy: nobody guesses 96 bits.
        """
        if _same(token.encode(errors="replace"), self._token):
            return True
        if not self._wrong.take(client):
            raise TooManyTokensError
        return False

    def ticket(self) -> str:
        """Return what a browser shows instead of the token, for TICKET_SECONDS."""
        until = str(int(self._now()) + TICKET_SECONDS)
        return f"{until}.{self._signature(until)}"

    def admits(self, ticket: str) -> bool:
        """Return whether this ticket was made for this token, and has not run out."""
        until, _, signature = ticket.partition(".")
        signed = _same(signature.encode(errors="replace"), self._signature(until).encode())
        return signed and int(until) > self._now()

    def _signature(self, until: str) -> str:
        return hmac.new(self._token, b"ticket " + until.encode(errors="replace"), "sha256").hexdigest()


def read_token(file: Path) -> str:
    """Return the token in a file, without the spaces around it. Raise SourceError."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"The token cannot be read from {str(file)!r} ({error}).") from error
    if len(token) < _LEAST_TOKEN:
        raise SourceError(
            f"The token in {str(file)!r} has {len(token)} characters; it needs at least {_LEAST_TOKEN}. "
            "Make one: python -c 'import secrets; print(secrets.token_urlsafe())'"
        )
    return token


def _same(one: bytes, other: bytes) -> bool:
    """Compare by hashes of one length, so that not even the length of the secret can be timed."""
    return hmac.compare_digest(hashlib.sha256(one).digest(), hashlib.sha256(other).digest())
