"""What calls share: `limit` results, whatever other tools name it, words as a text, twins for asyncio."""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from lookup.errors import QueryError

C = TypeVar("C")
P = ParamSpec("P")
T = TypeVar("T")

PageName = int | str
"""A page: its number in the PDF, counted from 1, or what is printed on it ("1650", "iv"); 0 for none."""

OTHER_NAMES = ("n", "n_results", "max_results")


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


def in_thread(method: Callable[Concatenate[C, P], T]) -> Callable[Concatenate[C, P], Awaitable[T]]:
    """Return the method as a coroutine that runs in a thread of its own: many at once from asyncio."""

    @wraps(method)
    async def call(self: C, /, *args: P.args, **kwargs: P.kwargs) -> T:
        import asyncio  # a command does without  # noqa: PLC0415

        return await asyncio.to_thread(method, self, *args, **kwargs)

    return call


def at_least(least: int, **values: int) -> None:
    """Raise QueryError if one of the values, by its argument's name, is no number or smaller than `least`."""
    check_numbers(**values)
    for name, value in values.items():
        if value < least:
            raise QueryError(f"{name} must be at least {least}, got {value}.")


def check_numbers(**values: object) -> None:
    """Raise QueryError if one of the values, by its argument's name, is no whole number."""
    for name, value in values.items():
        if not isinstance(value, int):
            raise QueryError(f"{name} must be a number, got {value!r}.")


def each_of(asked: Iterable[Any], least: int, most: int, what: str) -> Iterator[tuple[Any, ...]]:
    """Yield each item, which has `least` to `most` parts. Raise QueryError for another one."""
    for number, one in enumerate(asked):
        if not isinstance(one, tuple | list) or not least <= len(one) <= most:
            raise QueryError(f"Item {number} must have {least} to {most} parts ({what}), got {one!r}.")
        yield tuple(one)


def texts(name: str, given: object) -> list[str]:
    """Return one text, or several, as a list. Raise QueryError, with the argument's `name`, for others."""
    several: list[Any] = [given]
    if isinstance(given, Iterable) and not isinstance(given, str):
        several = [*given]
    if wrong := [one for one in several if not isinstance(one, str)]:
        raise QueryError(f"{name} must be a text or several, got {wrong[0]!r}.")
    return several


def check_text(words: object) -> None:
    """Raise QueryError for what is no text."""
    if not isinstance(words, str):
        raise QueryError(f"Words must be given as a text, got {type(words).__name__}.")
