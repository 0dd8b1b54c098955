"""What a search answers."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

Mode = Literal["hybrid", "lexical", "semantic"]
"""By words and meaning, by words, by meaning."""


@dataclass(frozen=True)
class Hit:
    """A paragraph that answers a search, with the words of it that do.

    `snippet` is printed there word for word; `page` is where it begins, and `cursor` where it begins in the paper's document text.
    """

    key: str
    paragraph: int
    title: str | None
    page: int
    page_label: str | None
    kind: str
    section_number: str | None
    section_title: str | None
    score: float
    snippet: str
    cursor: int

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        return asdict(self)


@dataclass(frozen=True)
class RetrievalAnswer:
    """The hits of a search, best first. `mode` is how they were found, and `hint` says why that is not what was asked for, or what to try next."""

    query: str
    mode: Mode
    hits: tuple[Hit, ...] = ()
    hint: str = ""

    def __bool__(self) -> bool:
        return bool(self.hits)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON; text stays readable, not escaped to ASCII."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)
