"""Whether a stretch of folded text begins and ends with whole words and whole values.

"significant" does not stand in "insignificant", nor "5 mg" in "15 mg", "-5 mg" or "5 mg/kg".
"""

import re

from lookup.text.units import UNITS

_NEGATION = re.compile(r"(?<![^\W\d_])(?:non|un|anti)-$")
"""What turns the word that follows it into its opposite."""

_LEAD = re.compile(r"(?:\d[.,:/]|[-+$€£\ufffd]|[<>~≤≥≈±×]\s?)$")
"""What belongs to the number that follows it."""

_TAIL = re.compile(r"[.,:/\-]\d|\s?[%‰°\ufffd]|\s?×\s?10")
"""What belongs to the number that stands before it."""

_RATE = re.compile(r"\d\s?([^\W\d_]+)$")
"""A number and its unit, which goes on after a stroke: "10 mg" is not "10 mg/kg"."""


def uncut(text: str, at: int, end: int) -> bool:
    """Whether `at:end` cuts no word and no number of `text`."""
    return not cuts_before(text, at) and not cuts_after(text, end)


def cuts_before(text: str, at: int) -> bool:
    """Whether what begins at `at` is only the rest of a word or number."""
    before = text[max(0, at - 6) : at]
    if not before:
        return False
    if not text[at].isalnum():  # the point of "1.5", the hyphen of "1-5" or "IL-5"
        return text[at] in ".,-" and before[-1].isalnum() and text[at + 1 : at + 2].isdigit()
    if text[at].isdigit():
        return before[-1].isalnum() or _LEAD.search(before) is not None
    return before[-1].isalnum() or _NEGATION.search(before) is not None


def cuts_after(text: str, end: int) -> bool:
    """Whether what ends before `end` is only the beginning of a word or number."""
    if end >= len(text):
        return False
    if text[end] == "/" and text[end + 1 : end + 2].isalpha():
        rate = _RATE.search(text[max(0, end - 20) : end])
        return rate is not None and rate[1] in UNITS
    if not text[end - 1].isalnum():  # "1." of "1.5", "5," of "5,000", "20 °" of "20 °c"
        return (text[end - 1] == "°" and text[end].isalpha()) or (
            text[end - 1] in ".,-" and text[end - 2 : end - 1].isdigit() and text[end].isdigit()
        )
    return text[end].isalnum() or (text[end - 1].isdigit() and _TAIL.match(text, end) is not None)
