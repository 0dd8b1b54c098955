"""Replies that fit into so many characters, and say how to get the rest."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from typing import Any, TypeVar

from lookup.calls.replies import Reply
from lookup.text.graphemes import boundary_before

R = TypeVar("R", bound=Reply)

LEAST_CHARACTERS = 1_000
"""Below it, what replies say besides their texts would not fit."""

_SHORTEST = 16
"""Characters of a text that are always left."""

_CHARACTERS_AN_ITEM = 40
"""Where texts are cut to so many characters times n, the lists within items are cut to n."""

_LAST_WORD = 80
"""Characters at the end of a stretch in which it is cut between words, if it can be."""


def as_json(reply: Reply) -> str:
    """A reply on one line, not escaped to ASCII."""
    return json.dumps(asdict(reply), ensure_ascii=False, separators=(",", ":"))


def fits(reply: Reply, chars: int) -> bool:
    """Whether a reply has at most `chars` characters as JSON."""
    return len(as_json(reply)) <= chars


def fitted(reply: R, chars: int, items: str, rest: Callable[[int], dict[str, Any]]) -> R:
    """`reply` with as many of its `items` as fit into `chars` characters, at least one, whose texts are cut where it alone does not.

    Where some are left out, `rest` of how many are shown gives the fields that tell it.
    """
    if fits(reply, chars):
        return reply
    everything: Sequence[Any] = getattr(reply, items)

    def first(count: int) -> R:
        changed: dict[str, Any] = {items: tuple(everything[:count])}
        return replace(
            reply, **changed, **({"truncated": True, **rest(count)} if count < len(everything) else {})
        )

    count = _most(lambda count: fits(first(count), chars), 1, len(everything))
    return clipped(first(count), chars)


def clipped(reply: R, chars: int) -> R:
    """`reply` with its texts cut, the longest first, until it has at most `chars` characters as JSON."""
    if fits(reply, chars):
        return reply
    told = replace(reply, truncated=True, more=f"Long texts ('…') and lists are cut. {reply.more}".rstrip())

    def cut(most: int) -> R:
        shorter: R = _cut(told, most)
        return replace(shorter, notice=told.notice, more=told.more)

    return cut(_most(lambda most: fits(cut(most), chars), _SHORTEST, chars))


def stretch(text: str, fits_so: Callable[[str], bool]) -> str:
    """The longest beginning of `text` that fits, cut between words if it can be, never within a character; at least one."""
    if fits_so(text):
        return text
    most = _most(lambda length: fits_so(text[:length]), 1, len(text))
    space = max(
        (match.end() for match in re.finditer(r"\s+", text[max(0, most - _LAST_WORD) : most])), default=0
    )
    at = max(0, most - _LAST_WORD) + space if space else boundary_before(text, most)
    return text[: at or most]


def _most(fits_so: Callable[[int], bool], least: int, most: int) -> int:
    """The greatest number from `least` to `most` that fits, or `least`; smaller ones fit where greater ones do."""
    while least < most:
        middle = (least + most + 1) // 2
        if fits_so(middle):
            least = middle
        else:
            most = middle - 1
    return least


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[: boundary_before(value, most - 1)]}…"
    if isinstance(value, tuple):
        return tuple(_cut(one, most) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {one.name: _fewer(_cut(getattr(value, one.name), most), most) for one in fields(value)}
    spans = _within(parts)
    return replace(value, **(parts | spans))


def _fewer(value: Any, most: int) -> Any:
    numbers = isinstance(value, tuple) and all(isinstance(one, int) for one in value)
    return value[: max(1, most // _CHARACTERS_AN_ITEM)] if isinstance(value, tuple) and not numbers else value


def _within(parts: dict[str, Any]) -> dict[str, Any]:
    """The spans that a text still has when it was cut."""
    end = len(parts.get("text", ""))
    found = {}
    if "span" in parts:
        found["span"] = tuple(min(at, end) for at in parts["span"])
    if "spans" in parts:
        found["spans"] = tuple(span for span in parts["spans"] if span[1] <= end)
    return found
