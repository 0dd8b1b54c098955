"""A query as it was asked, checked and folded."""

from dataclasses import dataclass

from lookup.errors import QueryError
from lookup.folding import blind, fold, line_breaks

LONGEST_QUERY = 20_000
"""Characters. The longest paragraphs of real papers have under 10,000; what is longer was pasted by mistake."""

SHORT_QUERY = 12
"""Letters and digits under which a query must stand there with its own spaces and hyphens: 'notable' is not 'no table'."""


@dataclass(frozen=True)
class Query:
    """The words asked for: as given, folded, and in letters and digits alone.

    `breaks` are the places in `blind` at which folding rejoined a word that a line break had parted.
    """

    asked: str
    folded: str
    blind: str
    breaks: frozenset[int]

    @property
    def short(self) -> bool:
        """Whether it is too short to be looked for by its letters alone."""
        return len(self.blind) < SHORT_QUERY


def parse(asked: str) -> Query:
    """`asked` as a `Query`; raises QueryError when there is nothing in it to look for."""
    if len(asked) > LONGEST_QUERY:
        raise QueryError(
            f"The query has {len(asked)} characters, more than {LONGEST_QUERY}. Ask for one passage at a time."
        )
    folded = fold(asked)
    letters = blind(folded)
    if not letters:
        shown = asked if len(asked) <= 40 else asked[:40] + "..."
        raise QueryError(f"The query {shown!r} holds no letter or digit. Give the words to look for.")
    if len(letters) == 1:
        raise QueryError(
            f"The query {asked.strip()!r} is one letter, which is on every page. Give a word or more."
        )
    breaks = frozenset(len(blind(fold(asked[:at]))) for at in line_breaks(asked))
    return Query(asked, folded, letters, breaks)
