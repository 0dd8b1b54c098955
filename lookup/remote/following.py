"""How a reply says that there is more, and where it begins."""

from typing import Any

from lookup.remote.parameters import FURTHEST

NO_MORE = "There are no more."


def following(found: int, offset: int, shown: int, furthest: int = FURTHEST) -> dict[str, Any]:
    """What a reply says where more was found than was asked for."""
    end = offset + shown
    if found <= end:
        return {}
    if end > furthest:
        return {"truncated": True, "more": "There are more. Ask for something narrower."}
    return {"truncated": True, "more": f"There are more: give {end} as offset.", "next_offset": end}


def rest_from(offset: int, of: int, count: int) -> dict[str, Any]:
    """What a reply says where fewer fit than were found."""
    return {
        "more": f"{count} of {of} fit in here. For the others give {offset} as offset.",
        "next_offset": offset,
    }
