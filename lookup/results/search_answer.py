"""What a search answers."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Literal

from lookup.next_step import NextStep
from lookup.results.showing import short, whereabouts

Mode = Literal["hybrid", "lexical", "semantic"]
"""By words and meaning, by words, by meaning."""


@dataclass(frozen=True, repr=False)
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

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label, f"{self.kind} {self.paragraph}")
        return f"<Hit {place}, {self.score:.2f}: {short(self.snippet)!r}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import hit_html  # only notebooks ask for it  # noqa: PLC0415

        return hit_html(self)


@dataclass(frozen=True, repr=False)
class RetrievalAnswer:
    """The hits of a search, best first. `mode` is how they were found, and `hint` says why that is not what was asked for, or what to try next."""

    query: str
    mode: Mode
    hits: tuple[Hit, ...] = ()
    hint: str = ""
    next_step: NextStep | None = None

    def __bool__(self) -> bool:
        return bool(self.hits)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON; text stays readable, not escaped to ASCII."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        count = len(self.hits)
        return (
            f"<RetrievalAnswer {short(self.query)!r} ({self.mode}): {count} hit{'' if count == 1 else 's'}>"
        )

    def _repr_html_(self) -> str:
        from lookup.results.html import retrieval_html  # only notebooks ask for it  # noqa: PLC0415

        return retrieval_html(self)
