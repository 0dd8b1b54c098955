"""Exponents: what text loses when its superscripts come out as plain digits, so that 10³ reads like 103."""

import re
from bisect import bisect_right
from collections.abc import Sequence

_CARET = re.compile(r"(?<=\d)\s?\^\s?(?:\{\s?([-+−–]?\d+)\s?\}|\(\s?([-+−–]?\d+)\s?\)|([-+−–]?\d+))")
_RAISE = str.maketrans("0123456789-−–+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")
_RAISED = re.compile("[²³¹⁰ⁱ⁴-ⁿ]+")
_TIMES = re.compile(r"[×·*xX⋅∙]\s?10$")


def raise_carets(text: str) -> str:
    """`text` with 10^3, 10^{3} and 10^(-3) as 10³ and 10⁻³."""
    return _CARET.sub(lambda m: (m[1] or m[2] or m[3]).translate(_RAISE), text)


def raised(text: str, superscripts: Sequence[int]) -> list[int]:
    """The offsets in `text` of digits that are exponents and could be taken for digits of their base.

    `superscripts` are the spans of raised characters, flat: start, end, start, end, ... In "× 10³" and 10⁻³ nobody takes
    the exponent for part of a number, even where a copy lowered it: these are none.
    """
    return [
        at
        for at in superscripts[::2]
        if at and text[at - 1].isdigit() and text[at : at + 1].isdigit() and not _TIMES.search(text[:at])
    ]


def raised_characters(text: str) -> list[int]:
    """The spans of the characters of `text` that are raised by themselves, such as ³; flat."""
    if text.isascii():
        return []
    return [border for match in _RAISED.finditer(text) for border in match.span()]


def is_raised(start: int, end: int, superscripts: Sequence[int]) -> bool:
    """Whether all of `start:end` is raised, by the flat spans of `superscripts`."""
    run = bisect_right(superscripts, start)
    return run % 2 == 1 and end <= superscripts[run]


def run_start(at: int, superscripts: Sequence[int]) -> int:
    """Where the raised run that holds `at` begins."""
    return superscripts[bisect_right(superscripts, at) - 1]
