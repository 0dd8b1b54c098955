"""What is said to those who are elsewhere: without the folders and commands of this machine."""

import re

from lookup.errors import PageQuoteError

_QUOTED = re.compile(r"(['\"])/(?:[^'\"/\n]*/)+([^'\"/\n]*)\1")
_BARE = re.compile(r"(?<![\w.:/'\"})\]])/(?:[^\s'\"/]+/)+")

_LONGEST = 1_000
"""Characters of an error."""

_ECHO = 200
"""Characters of a query that an answer repeats: whoever asked knows it."""


def without_folders(text: str) -> str:
    """`text` with every absolute path shortened to its last part."""
    return _BARE.sub("", _QUOTED.sub(r"\1\2\1", text))


def public_message(error: PageQuoteError) -> str:
    """What an error says: what was wrong, and what to do."""
    return without_folders(str(error))[:_LONGEST]


def echo(query: str) -> str:
    """A query as its answer repeats it."""
    return query if len(query) <= _ECHO else f"{query[:_ECHO]}…"
