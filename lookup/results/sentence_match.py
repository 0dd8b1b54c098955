"""What a search for similar sentences returns."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from lookup.results.showing import short, whereabouts


@dataclass(frozen=True, repr=False)
class SentenceMatch:
    """A sentence near a query in meaning, and the ones before and after it in its section; "" beyond its borders.

    With an `offset` the three are that many sentences further on, and all else is of the sentence that matched. `similarity` is the cosine
    of its vector with the query's. `section_sentence` and `paper_sentence` are 0-based indices within the section and the paper,
    `cursor` is where it begins in the paper's document text.
    """

    key: str
    title: str | None
    authors: tuple[str, ...]
    year: int | None
    doi: str | None
    venue: str | None
    page: int
    page_label: str | None
    section_number: str | None
    section_title: str | None
    kind: str
    paragraph: int
    sentence: int
    section_sentence: int
    paper_sentence: int
    cursor: int
    similarity: float
    previous: str
    target: str
    next: str

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label)
        return f"<SentenceMatch {place}, {self.similarity:.2f}: {short(self.target)!r}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import sentence_html  # only notebooks ask for it  # noqa: PLC0415

        return sentence_html(self)
