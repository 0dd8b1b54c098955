"""Every place that prints a phrase, in one, some or all papers of a corpus."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lookup.compare.edges import on_word_boundaries
from lookup.errors import QueryError
from lookup.index.release_index import printed_words
from lookup.limits import PageName, at_least, check_text
from lookup.papers.library import ROW, Library
from lookup.papers.paper import Paper, Paragraph, PassageSpan
from lookup.quote.cascade import QuoteRequest, answer
from lookup.quote.certify import Candidate, Proposal, certify, examine
from lookup.quote.match import Extent, match
from lookup.quote.query import parse
from lookup.quote.reading import Reading
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Match, QuoteAnswer
from lookup.text.folding import blind, fold
from lookup.text.scripts import may_part
from lookup.text.words import occurrences

if TYPE_CHECKING:
    from lookup.index.printed_words import MatchCounts

_ON_PAGE = (
    "EXISTS (SELECT 1 FROM pages q WHERE q.key = one.key "
    "AND (q.page::VARCHAR = ? OR lower(q.page_label) = ?) "
    "AND q.page BETWEEN one.page AND one.page_end)"
)


_READ_THROUGH = 1400
"""Paragraphs that are read through in the time in which one of them is read by its number: 0.14 ms."""


def grep(
    library: Library,
    phrase: str,
    keys: Sequence[str] | None,
    page: PageName,
    limit: int,
    context_chars: int,
) -> tuple[Match, ...]:
    """Return the first places that print the phrase: see `Corpus.grep`."""
    folded = _folded(library, phrase, keys)
    reading = parse(phrase).readings[0]
    at_least(1, limit=limit)
    at_least(0, context_chars=context_chars)
    extent = Extent("chars", context_chars, 1)
    found: list[Match] = []
    for row in _paragraphs_holding(library, folded, keys, page, limit):
        for candidate in _places(row, reading):
            one = match(library, row["key"], candidate, [row], extent, phrase)
            meant = library.pages_meant(row["key"], page) or [] if page else ()
            if not page or any(box.page in meant for box in one.boxes):
                found.append(one)
            if len(found) == limit:
                return tuple(found)
    return tuple(found)


def count(library: Library, phrase: str, keys: Sequence[str] | None) -> "MatchCounts":
    """Return how many paragraphs and papers print the words of the phrase: see `Corpus.count`."""
    words = printed_words(_folded(library, phrase, keys))
    return library.printed.held(library.printed.phrase(words), keys)


def _folded(library: Library, phrase: str, keys: Sequence[str] | None) -> str:
    check_text(phrase)
    folded = fold(phrase)
    if not blind(folded):
        raise QueryError(f"The phrase {phrase!r} holds no letter or digit. Give the words to look for.")
    for key in keys or ():
        library.page_count(key)
    return folded


def _places(row: Mapping[str, Any], reading: Reading) -> Iterator[Candidate]:
    """Yield the places in a paragraph that print a reading of one piece, with the verdict on each."""
    (piece,) = reading.pieces
    text = row["text_norm"]
    alone = Paragraph(0, row["page"], row["page"], row["kind"], text, row["superscripts"], row["row_number"])
    read = (lambda _: (row["text"], row["text_raw"]), tuple, (), lambda _: row["lines"])
    paper = Paper(row["key"], (alone,), *read)
    for start in occurrences(text, piece.folded):
        end = start + len(piece.folded)
        if _joined(text, start, end) or not on_word_boundaries(text, start, end):
            continue
        examined = examine(paper, piece, Proposal(PassageSpan(0, start, 0, end), paper.flows[0]))
        if any(one.kind == "case" for one in examined.differences):
            continue
        if found := certify(paper, reading, [examined]):
            at = row["paragraph"]
            yield found._replace(span=PassageSpan(at, start, at, end), through=(at,))


def _joined(text: str, start: int, end: int) -> bool:
    """Return whether a letter or digit stands right beside the place: "mud" in "mud12"."""
    return any(
        0 < at < len(text)
        and text[outer].isalnum()
        and not (text[inner].isalnum() and may_part(text[at - 1], text[at]))
        for at, outer, inner in ((start, start - 1, start), (end, end, end - 1))
    )


def _paragraphs_holding(
    library: Library, folded: str, keys: Sequence[str] | None, page: PageName, at_once: int
) -> Iterator[Mapping[str, Any]]:
    """Yield the paragraphs that may have these words, in order; some `at_once` are read at a time."""
    columns = ("row_number", "key", "text_norm", *ROW)
    for numbers in _row_batches(library, folded, keys, page, at_once):
        for start in range(0, len(numbers), at_once):
            rows = library.numbered(", ".join(columns), numbers[start : start + at_once])
            for row in sorted(rows, key=lambda one: (one[1], one[0])):
                yield dict(zip(columns, row, strict=True))


def _row_batches(
    library: Library, folded: str, keys: Sequence[str] | None, page: PageName, at_once: int
) -> Iterator[list[int]]:
    """Yield the row numbers of these paragraphs, in order; the first lot are `at_once`, and some more."""
    words = printed_words(folded)
    phrase = library.printed.phrase(words)
    wanted = at_once + at_once // 4  # those of the last paper come with the next lot
    lots = (list(library.row_numbers(places)) for places in library.printed.in_order(phrase, keys, wanted))
    where, params = [], []
    if folded != " ".join(words):  # most of what has the words of "(the" has no "("
        where, params = ["contains(text_norm, ?)"], [folded]
    if page:
        where, params = [*where, _ON_PAGE], [*params, *[str(page).casefold()] * 2]
    if not where:
        yield from lots
        return
    condition = " AND ".join(where)

    def narrowed(lot: list[int]) -> list[int]:
        those = frozenset(library.narrowed(lot, condition, params))
        return [number for number in lot if number in those]

    first = next(lots)
    yield narrowed(first)
    if library.printed.count(phrase, keys) - len(first) <= library.count("paragraphs") / _READ_THROUGH:
        yield from map(narrowed, lots)
        return
    done = frozenset(first)
    yield [number for number in library.scanned(condition, params, keys) if number not in done]


_SENTENCE = Extent("sentence", 0, 1)
_BEFORE_UNIT = re.compile(r"(?<=\d)\s?(?=[^\W\d_]|[%‰°])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LONG_NUMBER = re.compile(r"(?<![\d.,])\d{4,18}(?!\d)")


def ground(library: Library, key: str, values: Mapping[str, str], limit: int) -> dict[str, QuoteAnswer]:
    """Return the places that print each value, by its name: see `Corpus.ground`."""
    at_least(1, limit=limit)
    if not isinstance(values, Mapping):
        raise QueryError(f"values must be words by name, as {{'dose': '10 mg'}}, got {values!r}.")
    for value in values.values():
        check_text(value)
    answers = {}
    for name, value in values.items():
        asked = [QuoteRequest(key, spelling, cased=True) for spelling in spellings(value)]
        given, *others = (answer(library, request, limit, _SENTENCE) for request in asked)
        every = [match for one in (given, *others) for match in one.matches]
        printed = {(one.cursor, one.span): one for one in every if one.verdict in PRINTED}
        found = sorted(printed.values(), key=lambda one: (one.cursor, one.span))
        near = [one for one in given.matches if one.verdict == "near"]
        hint = "" if found else given.hint
        answers[name] = replace(given, matches=tuple(found or near)[:limit], hint=hint)
    return answers


def spellings(value: str) -> list[str]:
    """Return a value as given, then with other spaces before its units and commas in its numbers.

    "4000mg" is "4000 mg", "4,000mg" and "4,000 mg", too: the same value, as others print it.
    """
    numbers = [value, _THOUSANDS.sub("", value), _LONG_NUMBER.sub(lambda one: f"{int(one[0]):,}", value)]
    units = [
        spelt for one in numbers for spelt in (one, _BEFORE_UNIT.sub("", one), _BEFORE_UNIT.sub(" ", one))
    ]
    return list(dict.fromkeys(units))
