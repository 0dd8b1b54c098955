"""Where sentences end in a query and in the print: a stop that moves takes the sense with it."""

import re

from lookup.text.folding import blind, fold
from lookup.text.regex import regex
from lookup.text.sentences import sentence_spans

_MARKS = ".!?…؟۔।॥。！？｡"
_STOP = regex(rf"([{_MARKS}])[^\w.!?…]*+[\d,–-]*+$")
ANY_STOP = "any"  # The stop of a heading or a paragraph that ends without one: a writer may put one there.

_LAST = regex(r"([.!?])[\"'”’»)\]]*$")


def stops(text: str) -> list[tuple[int, str]]:
    """Return where sentences of a text end, the last one too, each at its stop; '' where there is none."""
    found = [(end, _STOP.search(text, 0, end)) for _, end in sentence_spans(text)]
    return [(stop.start(), stop[1]) if stop else (end, "") for end, stop in found]


def sentence_ends(text: str) -> dict[int, str]:
    """Return where sentences end within a text, in letters and digits before that, each with its stop."""
    found = {len(blind(fold(text[:at]))): stop for at, stop in stops(text)}
    return {at: stop for at, stop in found.items() if at < len(blind(fold(text)))}


def same_stop(one: str, other: str) -> bool:
    """Return whether what stands between two letters has the same stop on both sides, or none."""
    return [char for char in one if char in _MARKS] == [char for char in other if char in _MARKS]


def other_end(asked: str, printed: str, after: str) -> tuple[str, str] | None:
    """Return the last stops of a query and of the print, with what follows there, if these are two.

    A query may end without the stop, or with one where the print goes on: "increased." for "increased, and".
    """
    one, other = _LAST.search(asked), _LAST.search(printed) or re.match(r"[\"'”’»)\]]*([.!?])", after)
    return None if one is None or other is None or one[1] == other[1] else (one[1], other[1])
