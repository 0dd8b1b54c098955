"""The answer of a search with keywords."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from lookup.results.answer import Places, Shown, ShownPlace, whereabouts

AnsweredBy = Literal["ranking", "boolean", "phrase", "proximity", "fuzzy"]

NO_MATCH = "No match for these words or similar ones. Try others."


@dataclass(frozen=True, repr=False)
class KeywordPlace(Shown):
    """A place that holds keywords.

    `cursor` is the centre of the match, an offset in the document text like those of all answers, and `start`
    that of the first character of `text`; `spans` are the matched words in `text`, and `matched` the keywords
    that they match, as given. The page is that of the first of them; in a plain text page and key are None.
    """

    score: float
    cursor: int
    matched: tuple[str, ...]
    text: str
    start: int
    spans: tuple[tuple[int, int], ...]
    key: str | None
    page: int | None
    page_label: str | None
    section_number: str | None
    section_title: str | None
    kind: str | None

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label, f"cursor {self.cursor}")
        return f"<KeywordPlace {place}: {', '.join(self.matched)}>"

    @property
    def place(self) -> ShownPlace:
        """The result as it is shown."""
        more = (self.section_title, f"cursor {self.cursor}", f"score {self.score:.2f}")
        head = whereabouts(self.key, self.page, self.page_label, *more)
        return ShownPlace(head, self.text, self.spans)


@dataclass(frozen=True, repr=False)
class KeywordAnswer(Places[KeywordPlace]):
    """The places that answer a search, best first, and the search that found them: None if none did.

    `paragraphs` is how many hold what was asked for: a keyword (ranking, fuzzy), all of them (boolean), the
    phrase, or most of its words (proximity). Words may be spread over several, so there can be more places.
    `sql` are the statements that ran, ready for a DuckDB client, if `explain` was set.
    """

    _field = "results"
    results: tuple[KeywordPlace, ...]
    answered_by: AnsweredBy | None
    paragraphs: int = 0
    sql: tuple[str, ...] = ()

    def __repr__(self) -> str:
        by = f" by {self.answered_by}" if self.answered_by else ""
        return f"<KeywordAnswer: {len(self)} place{'' if len(self) == 1 else 's'}{by}>"

    @property
    def hint(self) -> str:  # type: ignore[override]
        """What to do next where nothing was found."""
        return "" if self else NO_MATCH


KeywordMode = Literal["context", "phrase", "all", "fuzzy"]


class KeywordCall(NamedTuple):
    """A method of `Corpus`, and what its answers say if no other search had to help."""

    method: str
    answered_by: AnsweredBy


KEYWORD_CALLS: dict[KeywordMode, KeywordCall] = {
    "context": KeywordCall("search_context", "ranking"),
    "phrase": KeywordCall("search_exact_phrase", "phrase"),
    "all": KeywordCall("search_boolean_and", "boolean"),
    "fuzzy": KeywordCall("search_fuzzy", "fuzzy"),
}
