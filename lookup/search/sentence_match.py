"""The answer of a search for similar sentences."""

from dataclasses import dataclass

from lookup.results.showing import short, whereabouts
from lookup.results.to_json import AsDict


@dataclass(frozen=True, repr=False)
class SentenceMatch(AsDict):
    """A sentence near a query in meaning, with the sentences before and after it in its section, or "".

    With an `offset` the three are that many sentences further on; all other fields are of the match.
    `similarity` is the cosine of its vector with the query's. `section_sentence` and `paper_sentence` are
    0-based indices within the section and the paper, `cursor` is where it begins in the paper's document
    text.
    """

    id: str
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

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label)
        return f"<SentenceMatch {place}, {self.similarity:.2f}: {short(self.target)!r}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import place_html  # only notebooks need it  # noqa: PLC0415

        before, after = (f"{text} " if text else "" for text in (self.previous, self.next))
        text = f"{before}{self.target} {after}".rstrip()
        similarity = f"{self.similarity:.2f}"
        head = whereabouts(self.key, self.page, self.page_label, self.section_title, similarity)
        return place_html(head, text, [(len(before), len(before) + len(self.target))])
