"""What a quote cuts off at its ends, by the folded print before and after it: numbers, compounds, denials."""

from collections.abc import Iterator

from lookup.compare.negation import any_of, cut_negations, kind_of
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.units import UNITS

_UNITS = "one two three four five six seven eight nine"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_SCALES = "hundred thousand million billion trillion"
_MEASURES = (
    "degrees? (?:kilo|centi|milli)?met(?:re|er)s? (?:kilo|milli)?grams? lit(?:re|er)s? hours?"
    " minutes? seconds? days? weeks? months? years?"
)
_OR_MORE = (
    r"\s(?:per\s[^\W\d_]+|or\s(?:more|less|fewer|older|younger|higher|greater|lower|longer|shorter|over|above"
    r"|below|under|earlier|later))\b"
)
_QUANTITY = regex(r"\d[\d.,]*\s?[^\W\d_]+$")
_MORE_OF_QUANTITY = regex(_OR_MORE)
"""A number with its unit, and what goes on with it: "5 mg per kg", "65 years or older"."""

_IN_WORDS = rf"(?:{any_of(_UNITS, _TENS, _TEENS, _SCALES)})"

_GOES_ON = regex(
    rf"\s(?:{any_of(_SCALES, _MEASURES)}|dozen|times|percent|per\s?cent)\b|[\s-]?folds?\b"
    rf"|\s?(?:[×±:/]|\+/-)\s?\d[\d.,]*|{_OR_MORE}"
    rf"|(?:(?<=hundred)|(?<=thousand)|(?<=million))\sand\s{_IN_WORDS}\b"
)
"""What goes on with a number, in digits or in words."""

_UNIT_AFTER = regex(r"\s?([^\W\d_]+)(?![^\W_])")
_NO_UNITS = frozenset("a d k n t u".split())
"""Symbols of units that stand as often for something else: "in 2012 a study", "12 t cells", "3 n"."""

_BEGAN = regex(
    rf"(?:\b(?:minus|{any_of(_TENS)})[\s-]|\b(?:{any_of(_SCALES)})\s(?:and\s)?"
    r"|\b(?:(?:less|more|fewer|greater|higher|lower|older|younger)\sthan|up\sto|at\s(?:least|most)"
    r"|over|under|above|below)\s"
    rf"|\b(?:\d+|{_IN_WORDS})\s(?:out\s)?(?:of|in)\s(?:the\s)?|[×±]\s?)$"
)
"""What a number began with, before digits or words: a sign, a bound, a part of it ("5 of 20")."""

_COMPOUND_BEFORE = regex(r"(?:[^\W_]+|\([^\s()]{1,9}\))[-‐‑]$")
_COMPOUND_AFTER = regex(r"[-‐‑][^\W\d_]+")
"""The rest of a compound; a dash parts clauses, or words of which either may be quoted: "dose–response"."""

_LAST_NUMBER = regex(rf"(?:\d[\d.,]*|\b{_IN_WORDS})$")
_FIRST_NUMBER = regex(rf"\d[\d.,]*|{_IN_WORDS}\b")
_JOINED = regex(rf"-{_IN_WORDS}\b")

_LONGEST = 24  # Characters that are looked at on either side: "one hundred and " has 16.


def cut_off(before: str, quoted: str, after: str) -> list[Difference]:
    """Return the denials right beside the folded words `quoted`, and the numbers that they have a part of."""
    found = [Difference(kind_of(word), "", word) for word in cut_negations(before, quoted, after)]
    end = _LAST_NUMBER.search(quoted) or _QUANTITY.search(quoted[-_LONGEST:])
    if end and (rest := _rest_of_number(quoted[-_LONGEST:], after)):
        found.append(Difference("number", end.group(), f"{end.group()}{rest}"))
    start = _FIRST_NUMBER.match(quoted)
    if start and (began := _BEGAN.search(before[-_LONGEST:])):
        found.append(Difference("number", start.group(), f"{began.group()}{start.group()}"))
    return found


def _rest_of_number(quoted: str, after: str) -> str:
    """Return what goes on with the number at the end of the words quoted, '' if nothing does."""
    text, at = quoted + after, len(quoted)
    if goes_on := _GOES_ON.match(text, at) or _JOINED.match(text, at):
        return goes_on.group()
    if _QUANTITY.search(quoted) and (goes_on := _MORE_OF_QUANTITY.match(text, at)):
        return goes_on.group()
    unit = _UNIT_AFTER.match(after) if quoted[-1].isdigit() else None
    return unit.group() if unit and unit[1] in UNITS - _NO_UNITS else ""


def cut_compounds(printed: str, start: int, end: int) -> Iterator[Difference]:
    """Yield the compounds of which `printed[start:end]` has a part: "smokers" of "ex-smokers"."""
    before, after = _COMPOUND_BEFORE.search(printed, 0, start), _COMPOUND_AFTER.match(printed, end)
    if before and printed[start].isalpha():
        part = printed[start:end].split(maxsplit=1)[0]
        yield Difference("cut word", part, f"{before.group()}{part}")
    if after and printed[end - 1].isalnum():
        part = printed[start:end].rsplit(maxsplit=1)[-1]
        yield Difference("cut word", part, f"{part}{after.group()}")
