"""The keyword searches, by the names that users give them."""

from typing import Literal, NamedTuple

from lookup.keywords.keyword_answer import AnsweredBy

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
