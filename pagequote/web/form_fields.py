"""The fields of forms and addresses, checked against the bounds that calls have."""

from collections.abc import Mapping
from typing import Annotated, Any

from lookup.limits import PageName
from pagequote.calls.arguments import read_value
from pagequote.calls.table import LAST_PAGE, LONGEST_KEY, LONGEST_QUERY, About

MOST_PLACES = 20  # Places that a page of answers shows.


def words_of(values: Mapping[str, str], name: str = "query", most: int = LONGEST_QUERY) -> str:
    """Return the words in a field, without spaces around them. Raise QueryError if they are too long."""
    words: str = read_value(Annotated[str, About("", most=most)], _given(values, name), name)
    return words


def key_of(values: Mapping[str, str]) -> str:
    """Return the key. Raise QueryError if it is too long for a key."""
    return words_of(values, "key", LONGEST_KEY)


def number_of(values: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    """Return a number, `default` if the field is empty. Raise QueryError."""
    given = _given(values, name)
    number: Any = Annotated[int, About("", least, most)]
    return int(read_value(number, given, name)) if given else default


def page_of(values: Mapping[str, str], default: int) -> PageName:
    """Return the page as it was named, `default` (0 for any) if the field is empty. Raise QueryError."""
    given = _given(values, "page")
    if given and not given.isdecimal():
        return given
    return number_of(values, "page", default, default, LAST_PAGE)


def _given(values: Mapping[str, str], name: str) -> str:
    return values.get(name, "").strip()
