"""Keys for papers that no library names: fit to be cited in LaTeX, Pandoc and Typst."""

import re
from collections.abc import Collection
from itertools import count
from typing import Literal

from lookup.text.bare import unaccented
from pipeline.libraries.entries import Metadata

Keys = Literal["auto", "author-year", "file"]
"""The kinds of keys: 'auto' takes the file's name where it is fit, else author and year."""

_FIT = re.compile(r"[^\W\d_]\w*(?:[:.+-]\w+)*")
"""A name that all citation syntaxes take without braces, and that begins with a letter."""


def is_fit(key: str) -> bool:
    """Return whether a key can be cited as it is: no space, comma, brace, backslash or the like."""
    return _FIT.fullmatch(key) is not None


def made_key(metadata: Metadata, name: str) -> str:
    """Return 'szeto2024' for Szeto et al., 2024; without author or year, the file's name made fit."""
    first = metadata.authors[0] if metadata.authors else ""
    family = "".join(filter(str.isalpha, unaccented(first.partition(",")[0])))
    if family and metadata.year:
        return f"{family}{metadata.year}"
    if is_fit(name):
        return name
    words = re.sub(r"[\W_]+", "-", name).strip("-") or "paper"
    return words if is_fit(words) else f"paper-{words}"


def unused(key: str, taken: Collection[str]) -> str:
    """Return the key, or with the first new ending: a, b, ... after a digit, else -2, -3, ..."""
    if key not in taken:
        return key
    endings = map(_ending, count(1)) if key[-1].isdigit() else (f"-{number}" for number in count(2))
    return next(made for ending in endings if (made := key + ending) not in taken)


def is_made_of(key: str, made: str) -> bool:
    """Return whether `unused` could have made `key` of `made`."""
    return (
        re.fullmatch(re.escape(made) + (r"[a-z]*" if made[-1:].isdigit() else r"(?:-\d+)?"), key) is not None
    )


def _ending(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ... for 1, 2, ..., 26, 27, 28, ..."""
    ending = ""
    while number:
        number, place = divmod(number - 1, 26)
        ending = chr(ord("a") + place) + ending
    return ending
