"""Every place that prints a phrase, in one, some or all papers of a corpus."""

from collections.abc import Iterator, Sequence

from lookup.compare.whole import uncut
from lookup.errors import QueryError
from lookup.papers.reader import Reader
from lookup.quote.finding import Finding, Stretch
from lookup.quote.match import Extent, match
from lookup.results.quote_answer import Match
from lookup.text.folding import blind, fold


def grep(
    reader: Reader, phrase: str, keys: Sequence[str] | None, page: int, limit: int, context_chars: int
) -> tuple[Match, ...]:
    """The first `limit` places within a paragraph whose folded text is the phrase's, and which cut no word or number at its ends; by key, in reading order."""
    folded = fold(phrase)
    if not blind(folded):
        raise QueryError(f"The phrase {phrase!r} holds no letter or digit. Give the words to look for.")
    if limit < 1 or context_chars < 0:
        raise QueryError(f"limit ({limit}) begins at 1, context_chars ({context_chars}) at 0.")
    extent = Extent("chars", context_chars, 1)
    found: list[Match] = []
    for row in reader.rows_holding(folded, keys, page, limit):
        for start, end in _places(row["text_norm"], folded):
            stretch = Stretch(row["paragraph"], start, row["paragraph"], end)
            one = match(reader, row["key"], Finding(stretch, 1.0, 1, "verbatim"), [row], extent)
            if not page or any(box.page == page for box in one.boxes):
                found.append(one)
            if len(found) == limit:
                return tuple(found)
    return tuple(found)


def _places(text: str, words: str) -> Iterator[tuple[int, int]]:
    at = text.find(words)
    while at >= 0:
        if uncut(text, at, at + len(words)):
            yield at, at + len(words)
        at = text.find(words, at + 1)
