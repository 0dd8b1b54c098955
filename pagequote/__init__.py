"""PageQuote by the name that it is installed by: the public names of `lookup`, and those that need more."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lookup import *  # noqa: F403
    from lookup import __all__ as __all__
    from pagequote.one_pdf import ground_pdf as ground_pdf
    from pagequote.one_pdf import quote_pdf as quote_pdf
    from pagequote.one_pdf import verify_pdf as verify_pdf
    from pagequote.stranger_sql import safe_sql as safe_sql

_OF_BOTH_SIDES = {
    "ground_pdf": "pagequote.one_pdf",
    "quote_pdf": "pagequote.one_pdf",
    "safe_sql": "pagequote.stranger_sql",
    "verify_pdf": "pagequote.one_pdf",
}
"""Names of its own, each with its module."""


def __getattr__(name: str) -> Any:
    if name in _OF_BOTH_SIDES:
        return getattr(import_module(_OF_BOTH_SIDES[name]), name)
    lookup = import_module("lookup")  # not before `__main__` has seen to the folder that it is called in
    if not hasattr(lookup, "__all__"):
        raise ImportError(
            f"{lookup.__file__!r} is imported in place of PageQuote's package `lookup`. Rename that file."
        )
    if name == "__all__":
        return sorted([*lookup.__all__, *_OF_BOTH_SIDES])
    if name not in lookup.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(lookup, name)


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
