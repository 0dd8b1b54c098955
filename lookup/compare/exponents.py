"""Exponents: what text loses when its superscripts come out as plain digits, so that 10³ reads like 103."""

import re
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence

_CARET = re.compile(r"(?<=\d)\s?\^\s?(?:\{\s?([-+−–]?\d+)\s?\}|\(\s?([-+−–]?\d+)\s?\)|([-+−–]?\d+))")
_RAISE = str.maketrans("0123456789-−–+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")
_RAISED = re.compile("[²³¹⁰ⁱ⁴-ⁿ]+")
_TIMES = re.compile(r"[×·*xX⋅∙]\s?10$")
_SIGNED = re.compile(r"[-⁻−–]\s?[\d¹²³⁰⁴-⁹]")
_ZERO = re.compile("[0⁰]+")


def raise_carets(text: str) -> str:
    """`text` with 10^3, 10^{3} and 10^(-3) as 10³ and 10⁻³."""
    return _CARET.sub(lambda m: (m[1] or m[2] or m[3]).translate(_RAISE), text)


def raised(text: str, superscripts: Sequence[int]) -> dict[int, bool]:
    """The offsets in `text` at which exponents of a number begin, and whether a copy that lowered them can still be read.

    `superscripts` are the spans of raised characters, flat: start, end, start, end, ... "× 10³" can, as "× 103", and 10⁻³ as
    "10-3": nobody takes these for other numbers. 10³ cannot, nor "× 10⁰", which as "× 100" is a hundred.
    """
    found: dict[int, bool] = {}
    for start, end in zip(superscripts[::2], superscripts[1::2], strict=True):
        if start and text[start - 1].isdigit():
            if _SIGNED.match(text, start):
                found[start] = True
            elif text[start : start + 1].isdigit():
                found[start] = bool(_TIMES.search(text[:start])) and not _ZERO.fullmatch(text, start, end)
    return found


def asked_raised(asked: str) -> list[int]:
    """The offsets in a query at which it raises an exponent that must be printed as one; that of "× 10⁻³" is one however it stands."""
    found = raised(asked, raised_characters(asked))
    return [at for at in found if not (_SIGNED.match(asked, at) and _TIMES.search(asked[:at]))]


def agree(asked: Collection[int], printed: Mapping[int, bool]) -> bool:
    """Whether exponents are asked for where they are printed, or where a copy may have lowered them; places as in `raised`."""
    return all(at in printed for at in asked) and all(
        lowered or at in asked for at, lowered in printed.items()
    )


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
