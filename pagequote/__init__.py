"""PageQuote by the name that it is installed by: the public names of `lookup`."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lookup import *  # noqa: F403
    from lookup import __all__ as __all__


def __getattr__(name: str) -> Any:
    lookup = import_module("lookup")  # not before `__main__` has seen to the folder that it is called in
    if not hasattr(lookup, "__all__"):
        raise ImportError(
            f"{lookup.__file__!r} is imported in place of PageQuote's package `lookup`. Rename that file."
        )
    if name not in ("__all__", *lookup.__all__):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(lookup, name)


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
