"""What to do next, as data: each face words it in its own terms (a command, a tool, a link)."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "get_page", "list_papers", "search", "build", "build_with_model", "get_model", "get_other_model"
]


@dataclass(frozen=True)
class NextStep:
    """The step after an answer or an error: read `page` of the paper `key`, build the corpus at `path`, ...

    "get_page", "list_papers" and "search" are names of calls (`pagequote.calls`). `also` is the kind of a
    second step.
    """

    kind: Kind
    key: str = ""
    page: int = 0
    path: str = ""
    also: Kind | None = None
