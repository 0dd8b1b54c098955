"""Where a paper prints values: numbers with their units, and phrases."""

import re
from collections.abc import Mapping
from dataclasses import replace

from lookup.errors import QueryError
from lookup.papers.library import Library
from lookup.quote.cascade import QuoteRequest, answer
from lookup.quote.match import Extent
from lookup.results.quote_answer import PRINTED, QuoteAnswer

_SENTENCE = Extent("sentence", 0, 1)
_BEFORE_UNIT = re.compile(r"(?<=\d)\s?(?=[^\W\d_]|[%‰°])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LONG_NUMBER = re.compile(r"(?<![\d.,])\d{4,}(?!\d)")


def ground(library: Library, key: str, values: Mapping[str, str], limit: int) -> dict[str, QuoteAnswer]:
    """Return the places that print each value, by its name: see `Corpus.ground`."""
    if limit < 1:
        raise QueryError(f"limit must be at least 1, got {limit}.")
    return {name: _ground(library, key, value, limit) for name, value in values.items()}


def _ground(library: Library, key: str, value: str, limit: int) -> QuoteAnswer:
    asked = [QuoteRequest(key, spelling, cased=True) for spelling in spellings(value)]
    given, *others = (answer(library, request, limit, _SENTENCE) for request in asked)
    every = [match for one in (given, *others) for match in one.matches]
    printed = {(one.cursor, one.span): one for one in every if one.verdict in PRINTED}
    found = sorted(printed.values(), key=lambda one: (one.cursor, one.span))
    near = [one for one in given.matches if one.verdict == "near"]
    return replace(given, matches=tuple(found or near)[:limit], hint="" if found else given.hint)


def spellings(value: str) -> list[str]:
    """Return a value as given, then with other spaces before its units and commas in its numbers.

    "4000mg" is "4000 mg", "4,000mg" and "4,000 mg", too: the same value, as others print it.
    """
    numbers = [value, _THOUSANDS.sub("", value), _LONG_NUMBER.sub(lambda one: f"{int(one[0]):,}", value)]
    units = [
        spelt for one in numbers for spelt in (one, _BEFORE_UNIT.sub("", one), _BEFORE_UNIT.sub(" ", one))
    ]
    return list(dict.fromkeys(units))
