"""The answer of a search across papers."""

from dataclasses import dataclass
from typing import Literal

from lookup.next_step import NextStep
from lookup.results.showing import short, whereabouts
from lookup.results.to_json import AsDict, AsJson

Mode = Literal["hybrid", "lexical", "semantic"]  # By words and meaning, by words, or by meaning.


@dataclass(frozen=True, repr=False)
class Hit(AsDict):
    """A paragraph that answers a search.

    `snippet` are the words of it that do, as printed; `page` is where it begins, and `cursor` where it begins
    in the paper's document text. `marks` are the spans in it of the words that the query asks
    for, in any form.
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
    marks: tuple[tuple[int, int], ...] = ()

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label, f"{self.kind} {self.paragraph}")
        return f"<Hit {place}, {self.score:.2f}: {short(self.snippet)!r}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import place_html  # only notebooks need it  # noqa: PLC0415

        more = (self.section_title, f"{self.kind} {self.paragraph}", f"{self.score:.2f}")
        return place_html(whereabouts(self.key, self.page, self.page_label, *more), self.snippet)


@dataclass(frozen=True, repr=False)
class RetrievalAnswer(AsJson):
    """The hits of a search, best first.

    `mode` is how they were found. `answered` is false where even the first hit is so far from the query that
    the corpus most likely has no answer. `hint` says so, why the mode is not the one given, or what to try
    next.
    """

    query: str
    mode: Mode
    hits: tuple[Hit, ...] = ()
    answered: bool = True
    hint: str = ""
    next_step: NextStep | None = None

    def __bool__(self) -> bool:
        return bool(self.hits)

    def __repr__(self) -> str:
        count = len(self.hits)
        return (
            f"<RetrievalAnswer {short(self.query)!r} ({self.mode}): {count} hit{'' if count == 1 else 's'}>"
        )

    def _repr_html_(self) -> str:
        from lookup.results.html import list_html  # only notebooks need it  # noqa: PLC0415

        return list_html(self.hits, self.hint)
