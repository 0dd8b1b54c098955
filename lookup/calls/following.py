"""The fields of a reply that say how to get what comes next."""

from typing import Any

from lookup.calls.parameters import FURTHEST

NO_MORE = "There are no more."


def following(found: int, offset: int, shown: int, furthest: int = FURTHEST) -> dict[str, Any]:
    """Return the fields of a reply to a search that found more than `shown`."""
    end = offset + shown
    return {} if found <= end else {"truncated": True, **_from(end, "There are more", furthest)}


def rest_from(offset: int, of: int, count: int, furthest: int = FURTHEST) -> dict[str, Any]:
    """Return the fields of a reply in which only `count` of `of` items fit. The others begin at `offset`."""
    return _from(offset, f"{count} of {of} fit in this answer", furthest)


def _from(offset: int, reason: str, furthest: int) -> dict[str, Any]:
    if offset > furthest:
        return {"more": f"{reason}. To see the others, search for something narrower.", "next_offset": None}
    return {"more": f"{reason}. To see the others, give {offset} as offset.", "next_offset": offset}
