"""Where sentences begin and end in scientific prose."""

import re
from itertools import pairwise

from lookup.text.folding import alike
from lookup.text.regex import regex
from lookup.text.scripts import FULL_STOPS
from lookup.text.words import UNITS_ALONE, words_of

ABBREVIATIONS = frozenset(words_of("abbreviations"))
"""Lower-cased words (with inner stops) after which a stop does not end a sentence."""

_ENDERS = frozenset({"al", "etc", "min", "max", "temp", "no", "med", "col", "spec", "sp", "par", "yr", "yrs"})
"""Those after which it does if a capitalised word of running text follows, as in "for 5 min. The mixture"."""

_CANDIDATE = regex(
    # In Chinese and Japanese no space follows; a quotation mark that closes is part of what goes on.
    r"(?P<wide>[。！？｡]++)(?![」』）〉》”’])\s*+(?=\S)"
    r"|(?<![.!?…؟۔।॥])(?P<stop>[.!?…؟۔।॥]++[\"'”’»)\]]*+)"  # the stop, with what closes after it
    r"(?P<mark>[\d,–\-]{0,12}+)"  # a superscript citation mark set as plain digits
    r"\s++"
    r"(?=[\"'“‘«(\[]*+(?P<next>(?![a-z])[^\s\"'“‘«(\[]++))"  # no sentence begins in lower case
)
_NUMBER = regex(r"[\d.]+|[IVX]+|[A-Za-z]")
"""Number of a section or an item of a list, where it is the first word of a paragraph."""
_UNITS_OF_NAMES = frozenset("AJKMNVW")
"""Units whose sign is a capital, as initials of people are."""
_MEASURED = regex(r"(?:^|\s)[a-zµ(~≈=<>][^\s\d]*+\s?+(?!(?:1[5-9]|20)\d\d\s)[\d.,·×–−-]*\d\s$")
"""A number that is measured: neither of a label ("Figure 2 A. Smith") nor a year ("in 2015 A. Smith")."""
_BEFORE_UNIT = 60  # Characters that are read for it.
_SINGLE_CAPITAL = regex(r"(?:[^\W\d_]\.)*[^\W\d_]$")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of the sentences of `text` in order: all of it but the spaces between them."""
    spans = []
    found = (match.end() for match in _CANDIDATE.finditer(text) if match["wide"] or _ends(match))
    for start, end in pairwise([0, *found, len(text)]):
        part = text[start:end].rstrip()
        if part:
            spans.append((start + len(part) - len(part.lstrip()), start + len(part)))
    return spans


def _ends(match: re.Match[str]) -> bool:
    stop, mark, following = match.group("stop", "mark", "next")
    first = following[0]
    if first.islower() or not (first.isalnum() or first in "$#*†‡αβγδµ"):
        return False
    # What stands before the stop without a space or an opening bracket between is looked up backwards: a
    # pattern that begins with any word would be tried at every letter of the text.
    start = match.start()
    while start and not ((char := match.string[start - 1]) in "([" or char.isspace()):
        start -= 1
    word = match.string[start : match.start()]
    if match.start() == len(word) and _NUMBER.fullmatch(word):
        return False  # 3.1. Results
    if mark and not (len(word) > 1 and word.isalpha()):
        return False  # 3.5, U.S.12
    if not stop.startswith(".") or len(stop.rstrip("\"'”’»)]")) > 1:
        return True
    if word in _UNITS_OF_NAMES and _MEASURED.search(match.string, max(0, start - _BEFORE_UNIT), start):
        return stop == "." and following[1:2].islower()
    bare = word.lower().lstrip("\"'“‘«")
    if bare in ABBREVIATIONS:
        return (
            bare in _ENDERS
            and stop == "."
            and first.isupper()
            and len(following) > 1
            and following[1:2].islower()
        )
    if not _SINGLE_CAPITAL.match(word.lstrip("\"'“‘«")) or len(stop) > 1:
        return True
    # An initial (J. Smith), a genus (E. coli) or an acronym with stops; but "for 24 h. The mixture".
    value = match.string[start - 2 : start].strip()
    return word in UNITS_ALONE and value.isdigit() and following[1:2].islower()


_STOP = regex(rf"[{FULL_STOPS}][^\w.!?…]*+[\d,–-]*+$")
_AFTER_STOP = 40  # Characters after a stop that still are of its sentence: marks that close it, citations.

_LAST = regex(r"([.!?])[\"'”’»)\]]*$")
_NEXT = regex(r"[\"'”’»)\]]*\s?([.!?])")


def has_stop(text: str) -> bool:
    """Return whether a text ends with the stop of a sentence, and with what closes or cites after it."""
    return _STOP.search(text.rstrip()[-_AFTER_STOP:]) is not None


def other_end(asked: str, printed: str, after: str) -> tuple[str, str] | None:
    """Return the last stops of a query and of the print, with what follows there, if these are two.

    A query may end without the stop, or with one where the print goes on: "increased." for "increased, and".
    """
    one, other = _LAST.search(asked), _LAST.search(printed) or _NEXT.match(alike(after[:_AFTER_STOP]))
    return None if one is None or other is None or one[1] == other[1] else (one[1], other[1])
