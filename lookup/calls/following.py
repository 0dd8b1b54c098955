"""How a reply says that there is more, and where it begins."""

from typing import Any

from lookup.calls.parameters import FURTHEST

NO_MORE = "There are no more."


def following(found: int, offset: int, shown: int, furthest: int = FURTHEST) -> dict[str, Any]:
    """What a reply says where more was found than was asked for."""
    end = offset + shown
    return {} if found <= end else {"truncated": True, **_from(end, "There are more", furthest)}


def rest_from(offset: int, of: int, count: int, furthest: int = FURTHEST) -> dict[str, Any]:
    """What a reply says where fewer fit than were found: `count` of so many, so that the others begin at `offset`."""
    return _from(offset, f"{count} of {of} fit in here", furthest)


def _from(offset: int, said: str, furthest: int) -> dict[str, Any]:
    if offset > furthest:
        return {"more": f"{said}. For the others ask for something narrower.", "next_offset": None}
    return {"more": f"{said}. For the others give {offset} as offset.", "next_offset": offset}
