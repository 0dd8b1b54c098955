"""The keyword searches, by the names that users give them."""

from typing import Literal, NamedTuple

from lookup.results.keyword_answer import AnsweredBy

Mode = Literal["context", "phrase", "all", "fuzzy"]


class Search(NamedTuple):
    """A method of `Corpus`, and what its answers say if no other search had to help."""

    method: str
    answered_by: AnsweredBy


SEARCHES: dict[Mode, Search] = {
    "context": Search("search_context", "ranking"),
    "phrase": Search("search_exact_phrase", "phrase"),
    "all": Search("search_boolean_and", "boolean"),
    "fuzzy": Search("search_fuzzy", "fuzzy"),
}
