"""The fields of a reply that say how to get what comes next."""

from dataclasses import replace
from typing import Any, TypeVar

from pagequote.calls.fitting import fitted
from pagequote.calls.parameters import FURTHEST
from pagequote.calls.replies import PagedReply

NO_MORE = "There are no more."


P = TypeVar("P", bound=PagedReply)


def paged(reply: P, chars: int, items: str, found: int, offset: int, furthest: int = FURTHEST) -> P:
    """Return `reply` in at most `chars` characters, and how to get the items that it does not have.

    It has its `items` from the `offset`th on, of `found` in all.
    """
    shown = len(getattr(reply, items))
    if found > offset + shown:
        reply = replace(reply, truncated=True, **_from(offset + shown, "There are more", furthest))
    return fitted(
        reply,
        chars,
        items,
        lambda count: _from(offset + count, f"{count} of {shown} fit in this answer", furthest),
    )


def _from(offset: int, reason: str, furthest: int) -> dict[str, Any]:
    if offset > furthest:
        return {"more": f"{reason}. To see the others, search for something narrower.", "next_offset": None}
    return {"more": f"{reason}. To see the others, give {offset} as offset.", "next_offset": offset}
