"""What letters and digits alone overlook: where words and values begin and end, and what stands between them.

"significant" is not printed in "insignificant", nor "5 mg" in "15 mg", "-5 mg" or "5 mg/kg"; `1.5` is not
`15`.
"""

import re
from collections.abc import Container, Iterator

from lookup.text.units import UNITS

_LETTERS = re.compile(r"^.*\d")
_PUNCTUATION = re.compile(r"[\s'\"*†‡§¶•·()\[\]{}:;!?.,\\|_`^…]")
"""What may differ between words. Signs, operators, percent, degree marks and unknown glyphs may not."""


def same_words(asked: str, printed: str, breaks: Container[int] = ()) -> bool:
    """Return whether two folded texts with the same letters and digits have the same words and numbers.

    Punctuation may differ, and a space may stand for a hyphen. Decimal points, signs, operators, ranges and
    units may not differ (`1.5` is not `15`, `-5` not `5`, `<` not `>`, `10 %` not `10 ‰`), and words may not
    come apart or together (`no table` is not `notable`, `re-sign` not `resign`). `breaks` are the places,
    counted in letters and digits, at which a line break in either took a hyphen away, or left one, that may
    or may not be the word's own.
    """
    gaps = zip(_gaps(asked), _gaps(printed), strict=True)
    return all(_agree(one, other, at in breaks) for at, (one, other) in enumerate(gaps))


def _gaps(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each gap before a letter or digit, and the last: run before it, gap, character after."""
    before, gap = "", ""
    for char in text:
        if char.isalnum():
            yield before, gap, char
            before = char if gap else before + char
            gap = ""
        else:
            gap += char
    yield before, gap, ""


def _agree(asked: tuple[str, str, str], printed: tuple[str, str, str], broken: bool) -> bool:  # noqa: FBT001
    before, one, after = asked
    other = printed[1]
    if one == other:
        return True
    if before[-1:].isdigit() and after.isdigit():
        return one.strip() == other.strip() and bool(one) == bool(other)
    kept, kept_other = (_PUNCTUATION.sub("", gap) for gap in (one, other))
    if after.isdigit() or before[-1:].isdigit():
        # A sign or a unit; but the hyphen of IL-6 and the space of 5 mg are neither. That of cm-1 is a sign.
        joint = before.isalnum() and after.isalnum() and _LETTERS.sub("", before) not in UNITS
        hyphens = {"", "-"} if joint else {""}
        return kept == kept_other or ({kept, kept_other} <= hyphens and not _sign(one) and not _sign(other))
    if {kept, kept_other} <= {"", "-"}:
        apart, apart_other = bool(one), bool(other)
        return apart == apart_other or broken or not (before and after) or {one, other} == {"", "- "}
    return kept == kept_other


def _sign(gap: str) -> bool:
    """Return whether the gap ends with a hyphen that belongs to the number after it."""
    return gap.endswith("-") and len(gap) > 1


_NEGATION = re.compile(r"(?<![^\W\d_])(?:non|un|anti)-$")
"""A prefix that turns the word that follows it into its opposite."""

_LEAD = re.compile(r"(?:\d[.,:/]|[-+$€£\ufffd]|[<>~≤≥≈±×]\s?)$")
"""What belongs to the number that follows it."""

_TAIL = re.compile(r"[.,:/\-]\d|\s?[%‰°\ufffd]|\s?×\s?10")
"""What belongs to the number that stands before it."""

_RATE = re.compile(r"\d\s?([^\W\d_]+)$")
"""A number and its unit, which goes on after a stroke: "10 mg" is not "10 mg/kg"."""


def on_word_boundaries(text: str, at: int, end: int) -> bool:
    """Return whether `at:end` cuts no word and no number of `text`."""
    return not cuts_before(text, at) and not cuts_after(text, end)


def cuts_before(text: str, at: int) -> bool:
    """Return whether what begins at `at` is only the rest of a word or number."""
    before = text[max(0, at - 6) : at]
    if not before:
        return False
    if not text[at].isalnum():  # the point of "1.5", the hyphen of "1-5" or "IL-5"
        return text[at] in ".,-" and before[-1].isalnum() and text[at + 1 : at + 2].isdigit()
    if text[at].isdigit():
        return before[-1].isalnum() or _LEAD.search(before) is not None
    return before[-1].isalnum() or _NEGATION.search(before) is not None


def cuts_after(text: str, end: int) -> bool:
    """Return whether what ends before `end` is only the beginning of a word or number."""
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
