"""What a quote cuts off at its ends, by the folded print before and after it: numbers, compounds, denials."""

from collections.abc import Iterator

from lookup.compare.negation import cut_negations
from lookup.compare.sense_words import Spoken, languages_of, sense_words
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.units import UNITS

_IN_WORDS = (
    "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    "|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand"
    "|million|billion|trillion)"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SCALES = "hundred|thousand|million|billion|trillion"

_GOES_ON = regex(
    rf"\s(?:{_SCALES}|dozen|times|percent|per\s?cent)\b|[\s-]?folds?\b|\s?(?:[×±:/]|\+/-)\s?\d[\d.,]*"
    rf"|(?:(?<=hundred)|(?<=thousand)|(?<=million))\sand\s{_IN_WORDS}\b|\s?[½¼¾⅓⅔]"
)
"""What goes on with a number, in digits or in words."""

_UNIT_AFTER = regex(r"\s?([^\W\d_]+)(?![^\W_])")
_NO_UNITS = frozenset("a d k n t u".split())
"""Symbols of units that stand as often for something else: "in 2012 a study", "12 t cells", "3 n"."""

_BEGAN = regex(rf"(?:\b(?:minus|{_TENS})[\s-]|\b(?:{_SCALES})\s(?:and\s)?|[×±]\s?)$")
"""What a number began with, before digits or words."""

_BOUND = r"{}\s?$"
_SHARE = (
    rf"\b(?:\d+|{_IN_WORDS}|une?|uno|eine?[rs]?|een|один|одного|jeden|bir|um)(?:\s(?!in\b|of\b)[^\W\d_]+)?"
    r"\s{}\s$"
)
_RANGE = r"{}\s\S{1,12}(?:\s\S{1,12})?\s(?:and|und|et|y|a|e|en|och|og|и|і|та|i|ve|và|dan|και|و)\s$"
_RANGE_END = r"\d[\d.,]*(?:\s[^\W\d_]{1,3})?\s{}\s$"
_RANGE_BEGUN = r"{}\s\S{1,12}$"
"""What makes a number a bound, one of a share, an end of a range: "5 of 20", "between 12 and 18"."""

_QUANTITY = regex(r"\d[\d.,]*\s?\S{1,15}$")
_MORE = r"\s?({})"
"""A number with its unit, and what goes on with it: "5 mg per kg", "65 years or older"."""

_NUMBER_AFTER = r"\s{}\s(?!(?:1[5-9]|20)\d\d\b)\d"  # "5" of 20, and 5 to 8; but 5 in 2019.

_PERCENT = regex(r"(?:percent|prozent|procent|pour cent|por ciento|por cento|per cento|процент\w*)\b")
_PERCENTAGE = regex(r"\d[\d.,]*\s(?:percentage|prozent)$")
_POINTS = regex(r"[\s-]?(?:points?|punkte?)\b")
_YEAR = regex(r"(?:1[5-9]|20)\d\d\b(?![.,]?\d)")
_ANY_NUMBER = regex(
    rf"(?:\d|\b(?:{_IN_WORDS}|(?:andert|einein)halb|deux|dos|tres|zwei|drei|due|tre|два|три))\s?$"
)
"""A percentage that lacks its number, or is one of "percentage points"."""

_COMPOUND_BEFORE = regex(r"(?:[^\W_]+|\([^\s()]{1,9}\))[-‐‑]$")
_COMPOUND_AFTER = regex(r"[-‐‑][^\W\d_]+")
"""The rest of a compound; a dash parts clauses, or words of which either may be quoted: "dose–response"."""

_LAST_NUMBER = regex(rf"(?:\d[\d.,]*|\b{_IN_WORDS})$")
_FIRST_NUMBER = regex(rf"\d[\d.,]*|{_IN_WORDS}\b|[一二三四五六七八九十百千万億亿]+")
_JOINED = regex(rf"-{_IN_WORDS}\b")

_LONGEST = 40  # Characters that are looked at on either side: "between one hundred and " has 24.
_READ = 40  # Characters around the ends of the quote that tell its language there.


def cut_off(before: str, quoted: str, after: str) -> list[Difference]:
    """Return the denials right beside the folded words `quoted`, and the numbers that they have a part of."""
    spoken = languages_of(before[-_READ:], quoted[:_READ], quoted[-_READ:], after[:_READ])
    found = list(cut_negations(before, quoted, after, spoken))
    end = _LAST_NUMBER.search(quoted[-_LONGEST:]) or _QUANTITY.search(quoted[-_LONGEST:])
    if end and (rest := _rest_of_number(quoted, after, spoken)):
        found.append(Difference("number", end.group(), f"{end.group()}{rest}"))
    start = _FIRST_NUMBER.match(quoted) or _PERCENT.match(quoted)
    if start and (began := _beginning_of_number(before[-_LONGEST:], quoted, spoken)):
        found.append(Difference("number", start.group(), f"{began}{start.group()}"))
    return found


def _beginning_of_number(before: str, quoted: str, spoken: Spoken) -> str:
    """Return what the number right after `before` began with, '' if nothing does."""
    if _PERCENT.match(quoted):
        found = _ANY_NUMBER.search(before)
    elif _YEAR.match(quoted):
        found = sense_words(spoken, _RANGE, "between").search(before)
    else:
        found = (
            _BEGAN.search(before)
            or sense_words(spoken, _BOUND, "bounds").search(before)
            or sense_words(spoken, _SHARE, "of").search(before)
            or sense_words(spoken, _RANGE, "between").search(before)
            or sense_words(spoken, _RANGE_END, "until").search(before)
        )
    return found.group() if found else ""


def _rest_of_number(quoted: str, after: str, spoken: Spoken) -> str:
    """Return what goes on with the number, or number and unit, at the end of `quoted`; '' if nothing does."""
    more = sense_words(spoken, _MORE, "more").match(after)
    if not more and _PERCENTAGE.search(quoted):
        more = _POINTS.match(after)
    if more or not _LAST_NUMBER.search(quoted):
        return more.group() if more else ""
    text, at = f"{quoted[-_LONGEST:]}{after}", len(quoted[-_LONGEST:])
    goes_on = (
        _GOES_ON.match(text, at)
        or _JOINED.match(text, at)
        or sense_words(spoken, _MORE, "measures").match(after)
        or sense_words(spoken, _NUMBER_AFTER, "until", "of").match(after)
    )
    if goes_on:
        return goes_on.group()
    if sense_words(spoken, _RANGE_BEGUN, "between").search(quoted):
        return after[:_LONGEST]
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
