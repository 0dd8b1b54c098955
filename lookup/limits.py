"""What calls may be given: `limit` results in each, whatever other tools name it, and words as a text."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from lookup.errors import QueryError

P = ParamSpec("P")
T = TypeVar("T")

OTHER_NAMES = ("n", "n_results", "max_results", "count")


def with_limit(call: Callable[P, T]) -> Callable[P, T]:
    """Return the call with `limit` also taken by each of OTHER_NAMES. It raises TypeError for two of them."""

    @wraps(call)
    def named(*args: P.args, **kwargs: P.kwargs) -> T:
        for name in OTHER_NAMES:
            if name in kwargs:
                if "limit" in kwargs:
                    raise TypeError(f"{call.__name__}() takes {name!r} or 'limit', not both.")
                kwargs["limit"] = kwargs.pop(name)
        return call(*args, **kwargs)

    return named


def at_least(least: int, **values: int) -> None:
    """Raise QueryError if one of the values, by its argument's name, is smaller than `least`."""
    for name, value in values.items():
        if value < least:
            raise QueryError(f"{name} must be at least {least}, got {value}.")


def check_text(words: object) -> None:
    """Raise QueryError for what is no text."""
    if not isinstance(words, str):
        raise QueryError(f"Words must be given as a text, got {type(words).__name__}.")
