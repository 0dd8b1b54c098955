"""Exponents: what text loses when its superscripts come out as plain digits, so that 10³ reads like 103."""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate

from lookup.text.regex import regex

_CARET = regex(r"(?<=\d)\s?\^\s?(?:\{\s?([-+−–]?\d+)\s?\}|\(\s?([-+−–]?\d+)\s?\)|([-+−–]?\d+))")
_TO_SUPERSCRIPTS = str.maketrans("0123456789-−–+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")
_SUPERSCRIPTS = regex("[²³¹⁰ⁱ⁴-ⁿ]+")
_TIMES = regex(r"[×·*xX⋅∙]\s?10$")
_SIGNED = regex(r"[-⁻−–]\s?[\d¹²³⁰⁴-⁹]")
_ZERO = regex("[0⁰]+")
_SIGN = regex("[-−–‐‑⁻⁺+]")


def carets_to_superscripts(text: str) -> str:
    """Return `text` with 10^3, 10^{3} and 10^(-3) as 10³ and 10⁻³."""
    return _CARET.sub(lambda m: (m[1] or m[2] or m[3]).translate(_TO_SUPERSCRIPTS), text)


def exponents(text: str, superscripts: Sequence[int]) -> dict[int, bool]:
    """Return where in `text` exponents of numbers begin, and whether a copy as plain digits is clear.

    `superscripts` are the spans of superscript characters, flat: start, end, start, end, ... "× 10³" can, as
    "× 103", and 10⁻³ as "10-3": nobody takes these for other numbers. 10³ cannot, nor "× 10⁰", which as
    "× 100" is a hundred.
    """
    found: dict[int, bool] = {}
    for start, end in zip(superscripts[::2], superscripts[1::2], strict=True):
        if start and text[start - 1].isdigit():
            if _SIGNED.match(text, start):
                found[start] = True
            elif text[start : start + 1].isdigit():
                found[start] = bool(_TIMES.search(text[:start])) and not _ZERO.fullmatch(text, start, end)
    return found


def signs(text: str, superscripts: Sequence[int]) -> list[int]:
    """Return where `text` has a sign that is no hyphen: a minus sign, or any sign in superscript."""
    return [
        match.start()
        for match in _SIGN.finditer(text)
        if match.group() in "−⁻⁺" or is_superscript(match.start(), match.end(), superscripts)
    ]


def required_exponents(asked: str) -> list[int]:
    """Return where a query has exponents that must be printed as such; "× 10⁻³" may be "× 10-3"."""
    found = exponents(asked, superscript_characters(asked))
    return [at for at in found if not (_SIGNED.match(asked, at) and _TIMES.search(asked[:at]))]


def said_raised(asked: str) -> dict[int, bool]:
    """Return where a query says that a digit is raised (True: "cm²") or lowered (False: "CO₂")."""
    if asked.isascii():
        return {}
    return {one.start(): one[0] in _RAISED_DIGITS for one in _SAID.finditer(asked)}


_RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SAID = regex(rf"(?<=[\w)])[{_RAISED_DIGITS}₀-₉]")


def agree(asked: Collection[int], printed: Mapping[int, bool]) -> bool:
    """Return whether a query has the printed exponents; those that a copy may lower it may lack."""
    return all(at in printed for at in asked) and all(
        lowered or at in asked for at, lowered in printed.items()
    )


def with_carets(text: str, exponents: Collection[int]) -> str:
    """Return folded text with a caret before its exponents: "10^-3". They count letters and digits."""
    counted = zip(text, accumulate(map(str.isalnum, text)), strict=True)
    return "".join(f"{char}^" if char.isalnum() and at in exponents else char for char, at in counted)


def superscript_characters(text: str) -> list[int]:
    """Return the spans of the superscript characters of `text`, such as ³; flat."""
    if text.isascii():
        return []
    return [border for match in _SUPERSCRIPTS.finditer(text) for border in match.span()]


def is_superscript(start: int, end: int, superscripts: Sequence[int]) -> bool:
    """Return whether all of `start:end` is in superscript, by the flat spans of `superscripts`."""
    run = bisect_right(superscripts, start)
    return run % 2 == 1 and end <= superscripts[run]
