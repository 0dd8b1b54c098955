"""The answers of searches for paragraphs and for sentences."""

from dataclasses import dataclass
from typing import Literal

from lookup.errors import NextStep
from lookup.results.answer import Places, Shown, ShownPlace, short, whereabouts

Mode = Literal["hybrid", "lexical", "semantic"]  # By words and meaning, by words, or by meaning.


@dataclass(frozen=True, repr=False)
class Hit(Shown):
    """A paragraph that answers a search.

    `text` are the sentences of it that do, as printed; `page` is where they begin, and `cursor` where they
    begin in the paper's document text. `spans` are those in `text` of the words that the query asks for, in
    any form.
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
    text: str
    cursor: int
    spans: tuple[tuple[int, int], ...] = ()

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label, f"{self.kind} {self.paragraph}")
        return f"<Hit {place}, {self.score:.2f}: {short(self.text)!r}>"

    @property
    def place(self) -> ShownPlace:
        """The hit as it is shown."""
        more = (self.section_title, f"{self.kind} {self.paragraph}", f"{self.score:.2f}")
        return ShownPlace(whereabouts(self.key, self.page, self.page_label, *more), self.text)


@dataclass(frozen=True, repr=False)
class SearchAnswer(Places[Hit]):
    """The hits of a search, best first.

    `mode` is how they were found. `answered` is false where even the first hit is so far from the query that
    the corpus most likely has no answer. `hint` says so, why the mode is not the one given, or what to try
    next.
    """

    _field = "hits"
    query: str
    mode: Mode
    hits: tuple[Hit, ...] = ()
    answered: bool = True
    hint: str = ""
    next_step: NextStep | None = None

    def __repr__(self) -> str:
        count = len(self.hits)
        return f"<SearchAnswer {short(self.query)!r} ({self.mode}): {count} hit{'' if count == 1 else 's'}>"


@dataclass(frozen=True, repr=False)
class SentenceMatch(Shown):
    """A sentence near a query in meaning, with the sentences before and after it in its section, or "".

    With an `offset` the three are that many sentences further on; all other fields are of the match.
    `score` is the cosine of its vector with the query's. `section_sentence` and `paper_sentence` are
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
    score: float
    previous: str
    text: str
    next: str

    @property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """The spans of `text` that are marked: all of it."""
        return ((0, len(self.text)),)

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label)
        return f"<SentenceMatch {place}, {self.score:.2f}: {short(self.text)!r}>"

    @property
    def place(self) -> ShownPlace:
        """The sentence as it is shown."""
        before, after = (f"{text} " if text else "" for text in (self.previous, self.next))
        text = f"{before}{self.text} {after}".rstrip()
        similarity = f"{self.score:.2f}"
        head = whereabouts(self.key, self.page, self.page_label, self.section_title, similarity)
        return ShownPlace(head, text, ((len(before), len(before) + len(self.text)),))
