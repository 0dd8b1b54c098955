"""Keyword searches with cursors, over the papers of a corpus and over plain text.

The steps of `searches`: parse the keywords, take texts (`document`: a plain one; `paper_texts`: papers,
chosen by `paper_sql` with `patterns`), find the keywords in them (`searched_text`, `fuzzy`), score windows
(`windows`), and choose those to show. `KeywordSearch` is what a corpus calls. Why these
stand beside `lookup.search`: docs/decisions/0021-keyword-searches.md.
"""

from typing import NamedTuple


class KeywordDefaults(NamedTuple):
    """The default number of results of a keyword search, that of the characters each shows, and its help."""

    max_results: int
    context_chars: int
    help: str


_ARGUMENTS = """

Keywords are a string (its words; several in quotation marks are one keyword) or strings (one keyword each).
They match whole words, whatever their case, accents and hyphens are. At most `max_results` results, which do
not overlap, each with some `context_chars` characters around the matched words and the cursor at which they
begin. Raise QueryError where there is no keyword, or a number is below 1."""

KEYWORD_SEARCHES = {
    "search_context": KeywordDefaults(
        15,
        300,
        "Return the best stretches by TF-IDF, else by Boolean, else by fuzzy search: see `answered_by`.",
    ),
    "search_exact_phrase": KeywordDefaults(
        10,
        4000,
        "Return the places that print the words side by side, else those with most of them together.",
    ),
    "search_boolean_and": KeywordDefaults(
        15, 3000, "Return the places with all keywords within 3,000 characters, the closest first."
    ),
    "search_fuzzy": KeywordDefaults(
        15, 300, "Return `search_context` with words that contain a keyword, are part of it or misspell it."
    ),
}
KEYWORD_SEARCHES = {name: one._replace(help=one.help + _ARGUMENTS) for name, one in KEYWORD_SEARCHES.items()}
"""The keyword searches of a corpus and of a plain text, by name: their defaults and their help."""
