"""Messages for remote clients, without the paths of this machine."""

import re

from lookup.errors import PageQuoteError

_QUOTED = re.compile(r"(['\"])/(?>(?:[^'\"/\n]*+/)+)([^'\"/\n]*+)\1")
_BARE = re.compile(r"(?<![\w.:/'\"})\]])/(?:[^\s'\"/]++/)+")

_LONGEST = 1_000  # The greatest length of an error message.
_ECHO = 200  # Characters of a query that an answer repeats: the client knows it.


def without_folders(text: str) -> str:
    """Return `text` with every absolute path shortened to its last part."""
    return _BARE.sub("", _QUOTED.sub(r"\1\2\1", text))


def public_message(error: PageQuoteError) -> str:
    """Return the message of an error for a remote client."""
    return without_folders(str(error))[:_LONGEST]


def echo(query: str) -> str:
    """Return a query as its answer repeats it."""
    return query if len(query) <= _ECHO else f"{query[:_ECHO]}…"
