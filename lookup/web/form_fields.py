"""What a reader asks for, within its bounds."""

from collections.abc import Mapping

from lookup.errors import QueryError

MOST_WORDS = 4000
"""Characters of a query."""

MOST_PLACES = 20
"""Places that a page of answers shows."""

_LONGEST_KEY = 300


def words_of(values: Mapping[str, str], name: str = "query") -> str:
    """The words asked for, without spaces around them; raises QueryError where they are too many."""
    words = values.get(name, "").strip()
    if len(words) > MOST_WORDS:
        raise QueryError(f"These are {len(words)} characters; ask for {MOST_WORDS} at most.")
    return words


def key_of(values: Mapping[str, str]) -> str:
    """The key asked for; raises QueryError where no key can be so long."""
    key = values.get("key", "").strip()
    if len(key) > _LONGEST_KEY:
        raise QueryError(f"A key has {_LONGEST_KEY} characters at most.")
    return key


def number_of(values: Mapping[str, str], name: str, default: int, lowest: int, highest: int) -> int:
    """A number between its bounds; raises QueryError where it is none, or outside."""
    given = values.get(name, "").strip()
    if not given:
        return default
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and lowest <= int(given) <= highest):
        raise QueryError(f"{name} is a number from {lowest} to {highest}.")
    return int(given)


LAST_PAGE = 100_000
"""More pages than a paper has: what is beyond is not looked up."""
